/// The zones that matchers have leased, and which of the leases on drivers live under them.
#pragma once

#include "base/ids.hpp"
#include "lease/claim_table.hpp"
#include "lease/lease_machine.hpp"
#include "lease/manager_turn.hpp"
#include "lease/options.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace dibs::lease {

class zone_claims {
 public:
  [[nodiscard]] bool holds(zone_id z, matcher_id by, local_time now) const {
    return table_.holds(z.value, by, now);
  }
  /// The lease on the driver ends with that on the zone.
  void put_under(zone_id z, driver_id d);

  void claim(turn& t, const messages::claim_zone& m, const zone_options& o, std::uint32_t matchers);
  /// Whose leases on the zone have run out; what `end` makes of each comes first.
  std::vector<matcher_id> expire(zone_id z, local_time now) { return table_.expire(z.value, now); }
  /// Ends the leases on drivers that the matcher holds under the zone.
  [[nodiscard]] std::vector<ended> release_under(zone_id z, matcher_id holder, machine& leases);

  /// Sets the timers that a crash has voided.
  void watch_again(turn& t) const;
  void forget() { table_.clear(); }

 private:
  claim_table table_;
  std::vector<zone_id> zone_of_;  ///< by driver: under which zone her lease lives
};

}  // namespace dibs::lease
