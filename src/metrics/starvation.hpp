/// Blocked riders (`supply.starved_s`): rides that wait with nobody available near them, while
/// drivers near them are held for other rides.
///
/// Spells of waiting, being available and being held are collected first and joined later: after a
/// run (`starve`), or while it goes on (`starvation_follower.hpp`), by the same rule.
#pragma once

#include "base/ids.hpp"
#include "base/time.hpp"
#include "base/time_interval.hpp"

#include <tsl/hopscotch_map.h>

#include <optional>

namespace dibs::metrics {

class run_tables;

/// What one ride went through.
struct starvation_share {
  sim_duration length{};
  sim_time since = never;
};

/// Of the rides that starved.
using starvation_shares = tsl::hopscotch_map<ride_id, starvation_share, spread_hash>;

struct starvation {
  wide_ns total = 0;          ///< by leases that came to nothing
  wide_ns upper = 0;          ///< by any lease
  ride_id worst;              ///< that starved longest, if any did
  starvation_shares by_ride;  ///< of `total`
};

/// In the whole window. Requires: the story is over, and nobody follows it.
[[nodiscard]] starvation starve(const run_tables& told,
                                const time_interval& window,
                                std::optional<double> radius_m);

}  // namespace dibs::metrics
