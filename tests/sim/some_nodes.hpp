/// Who takes part in the tests of networks and triggers.
#pragma once

#include "base/ids.hpp"

namespace dibs::sim::test {

inline constexpr node_id matcher_1{node_kind::matcher, 0};
inline constexpr node_id matcher_2{node_kind::matcher, 1};
inline constexpr node_id driver_1{node_kind::driver, 0};
inline constexpr node_id manager{node_kind::lease_manager, 0};

}  // namespace dibs::sim::test
