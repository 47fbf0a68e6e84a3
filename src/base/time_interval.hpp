/// Half-open intervals of true time: touching ones do not overlap.
#pragma once

#include "base/time.hpp"

#include <algorithm>

namespace dibs {

/// Later than every event.
inline constexpr sim_time never = sim_time::max();

/// Sums of nanoseconds over a fleet and a day: 64 bits hold 292 years, which 100,000 drivers work
/// in a day and a bit.
__extension__ using wide_ns = __int128;

struct time_interval {
  sim_time begin{};
  sim_time end{};

  [[nodiscard]] constexpr bool is_empty() const { return begin >= end; }
  [[nodiscard]] constexpr bool holds(sim_time t) const { return begin <= t && t < end; }
  [[nodiscard]] constexpr sim_duration length() const {
    return is_empty() ? sim_duration::zero() : end - begin;
  }
};

/// What both have in common; empty if nothing.
[[nodiscard]] constexpr time_interval common(const time_interval& a, const time_interval& b) {
  return {std::max(a.begin, b.begin), std::min(a.end, b.end)};
}

}  // namespace dibs
