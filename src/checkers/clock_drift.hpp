/// What a length on a clock that is fast or slow can be in true time.
#pragma once

#include "base/time.hpp"

#include <algorithm>

namespace dibs::checkers {

/// Local and true time are whole nanoseconds, and each conversion rounds.
inline constexpr sim_duration rounding = 1us;

/// A clock that runs at a rate of 1 + d shows `length` after length / (1 + d): at least so much for
/// a d of up to `drift_ppm` either way.
[[nodiscard]] inline sim_duration shortest(sim_duration length, double drift_ppm) {
  if (length == forever) {
    return forever;
  }
  const double ns = static_cast<double>(length.count()) / (1 + drift_ppm * 1e-6);
  return std::max(sim_duration{static_cast<std::int64_t>(ns)} - rounding, sim_duration::zero());
}

/// And at most so much; `forever` for a clock that may stand still.
[[nodiscard]] inline sim_duration longest(sim_duration length, double drift_ppm) {
  constexpr double beyond = 9e18;
  const double rate = 1 - drift_ppm * 1e-6;
  const double ns = rate > 0 ? static_cast<double>(length.count()) / rate : beyond;
  return ns >= beyond ? forever : sim_duration{static_cast<std::int64_t>(ns)} + rounding;
}

}  // namespace dibs::checkers
