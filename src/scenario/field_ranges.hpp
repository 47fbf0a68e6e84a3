/// Ranges that fields of several sections share.
#pragma once

#include "base/time.hpp"

#include <cstdint>

namespace dibs::scenario {

/// What comes again and again is at least so far apart: a run ends.
inline constexpr sim_duration repeat_min = std::chrono::milliseconds{1};
inline constexpr std::uint32_t matchers_max = 10'000;
inline constexpr double radius_max_m = 1e6;

}  // namespace dibs::scenario
