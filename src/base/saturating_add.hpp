/// A point of time that never wraps round.
#pragma once

#include "base/time.hpp"

#include <chrono>

namespace dibs {

/// `by` after `from`; the end of all time if that is beyond it, or if `by` is `forever`. A clock
/// that was set back may read less than 0.
template <class Clock>
[[nodiscard]] constexpr auto saturating_add(std::chrono::time_point<Clock, sim_duration> from,
                                            sim_duration by) {
  using moment = std::chrono::time_point<Clock, sim_duration>;
  const bool is_beyond =
      by == forever || from == moment::max() || (from > moment{} && by > moment::max() - from);
  return is_beyond ? moment::max() : from + by;
}

}  // namespace dibs
