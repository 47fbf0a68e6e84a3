/// A tale in plain sentences, for the terminal.
#pragma once

#include "report/look.hpp"
#include "show/tale.hpp"

#include <optional>
#include <string>
#include <vector>

namespace dibs::show {

/// A figure of the run, and of the run with a remedy.
struct change {
  std::string metric;
  double before = 0;
  double after = 0;
};

/// A remedy that was tried on the same seed.
struct trial {
  std::string command;                ///< that repeats it; empty if the remedy changes no field
  std::optional<double> before;       ///< the figure of the run
  std::optional<double> after;        ///< nothing if it was not tried
  std::optional<bool> happens;        ///< whether the harm that is told is there again
  std::vector<change> besides{};      ///< the two harms and the service: what it costs
  std::vector<std::string> missed{};  ///< thresholds that the run met, and the trial does not
};

/// `Unavoidable from 50:13.787 on`, or as the case may be.
[[nodiscard]] std::string heading_of(const tale& t);

/// `What would have prevented it`, if some trial did.
[[nodiscard]] std::string heading_of(const std::vector<trial>& trials);

/// `by its events, decided at 50:13.787`, where that is another instant than the turn; else empty.
[[nodiscard]] std::string because_prefix(const tale& t);

/// What branching the run has found, as a sentence without a full stop.
[[nodiscard]] std::string told(const turning& turn);

/// `trials`: one for each remedy of the lesson, in order; or none at all.
[[nodiscard]] std::string told(const tale& t,
                               const std::vector<trial>& trials,
                               const report::look& l);

}  // namespace dibs::show
