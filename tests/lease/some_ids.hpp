/// Who takes part in the tests of the lease.
#pragma once

#include "base/ids.hpp"

namespace dibs::lease::test {

inline constexpr driver_id d1{0};
inline constexpr driver_id d2{1};
inline constexpr ride_id r1{1};
inline constexpr ride_id r2{2};
inline constexpr matcher_id m1{0};
inline constexpr matcher_id m2{1};

}  // namespace dibs::lease::test
