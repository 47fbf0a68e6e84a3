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
};

/// `trials`: one for each remedy of the lesson, in order; or none at all.
[[nodiscard]] std::string told(const tale& t,
                               const std::vector<trial>& trials,
                               const report::look& l);

}  // namespace dibs::show
