/// Rides as work: which matcher has claimed each, and who takes over what another let lie.
///
/// A matcher that stood still, or whose claim another took, may want to serve a ride that has a
/// driver by now: a wait that ended with a driver is nobody's work any more.
#pragma once

#include "base/ids.hpp"
#include "base/time.hpp"
#include "lease/claim_table.hpp"
#include "lease/manager_turn.hpp"

#include <tsl/hopscotch_map.h>

#include <cstdint>
#include <functional>

namespace dibs::lease {

class ride_claims {
 public:
  void claim(turn& t, const messages::claim_ride& m, sim_duration ttl);
  void done(turn& t, const messages::claim_done& m);
  /// Ends what has run out, and asks another matcher to take the ride over. `asked`: counts whom.
  void expire(turn& t, ride_id r, sim_duration ttl, std::uint32_t& asked, std::uint32_t matchers);

  /// Sets the timers that a crash has voided.
  void watch_again(turn& t) const;
  void forget() {
    table_.clear();
    work_.clear();
  }

 private:
  struct work {
    std::uint32_t wait = 0;    ///< the rider's latest that was claimed, from 1
    std::uint32_t served = 0;  ///< the latest that ended with a driver
  };

  claim_table table_;
  tsl::hopscotch_map<ride_id, work, std::hash<ride_id>> work_;
};

}  // namespace dibs::lease
