/// Gives the rides of a batch their drivers, at the least time of all pick-ups together.
///
/// Pure. As many rides as can have a driver get one; of all ways to do that, one whose times add up
/// to the least is found, the same on every machine, since all is done in whole numbers. It is a
/// flow of least cost, and LEMON's network simplex finds it: Debian packages it, it takes whole
/// numbers, and a ride that nobody is left for is one more edge. The Boost Graph Library, which is
/// here anyway, adds to the longest number there is where a node cannot be reached, and OR-tools is
/// not packaged.
#pragma once

#include "base/ids.hpp"
#include "base/time.hpp"

#include <optional>
#include <vector>

namespace dibs::match {

/// A driver for a ride, and how long she needs to the pick-up, in whole microseconds.
struct possible_pickup {
  driver_id driver;
  sim_duration takes{};
};

/// Whom each ride gets, in their order. Requires: no ride names a driver twice, and no time is
/// below 0 or above a year.
[[nodiscard]] std::vector<std::optional<driver_id>> assign_at_least_total(
    const std::vector<std::vector<possible_pickup>>& rides);

}  // namespace dibs::match
