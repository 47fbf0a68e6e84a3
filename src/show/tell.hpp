/// A tale in plain sentences, for the terminal.
#pragma once

#include "report/look.hpp"
#include "show/tale.hpp"

#include <optional>
#include <string>
#include <vector>

namespace dibs::show {

/// A remedy that was tried on the same seed.
struct trial {
  std::string command;           ///< that repeats it; empty if the remedy changes no field
  std::optional<double> before;  ///< the figure of the run
  std::optional<double> after;   ///< nothing if it was not tried
  std::optional<bool> happens;   ///< whether the harm that is told is there again
};

/// `Unavoidable from 50:13.787 on`, or as the case may be.
[[nodiscard]] std::string heading_of(const tale& t);

/// What branching the run has found, as a sentence without a full stop.
[[nodiscard]] std::string told(const turning& turn);

/// `trials`: one for each remedy of the lesson, in order; or none at all.
[[nodiscard]] std::string told(const tale& t,
                               const std::vector<trial>& trials,
                               const report::look& l);

}  // namespace dibs::show
