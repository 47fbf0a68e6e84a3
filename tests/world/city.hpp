/// The town in which the tests of the world take place.
#pragma once

#include "world/geography.hpp"

namespace dibs::world::test {

inline constexpr bounds new_york{40.60, -74.05, 40.90, -73.75};
inline const geography city({new_york, 1.35, 5});

}  // namespace dibs::world::test
