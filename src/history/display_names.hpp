/// What people call drivers, rides, leases, nodes and instants.
#pragma once

#include "base/ids.hpp"
#include "base/time.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace dibs::history {

/// `driver 7`, `ride 12`, `matcher/3`, `lease manager`: how people see them.
[[nodiscard]] std::string name_of(driver_id d);
[[nodiscard]] std::string name_of(ride_id r);
[[nodiscard]] std::string name_of(matcher_id m);
[[nodiscard]] std::string name_of(zone_id z);
[[nodiscard]] std::string name_of(node_id n);
/// `lease 4711`, or `try 7 of matcher/1` without a lease.
[[nodiscard]] std::string name_of(token_id t);

/// `50:14.320`, or `1:02:51.037` from an hour on: minutes, seconds and milliseconds of a run.
[[nodiscard]] std::string clock_time(sim_duration since_start);

/// A name of an enumeration or a fact, with spaces.
[[nodiscard]] std::string spaced(std::string_view name);

}  // namespace dibs::history
