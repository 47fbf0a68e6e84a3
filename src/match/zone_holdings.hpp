/// The zones that a matcher holds or has asked for, and the rides that wait for one of them.
///
/// A zone is leased for its TTL and asked for again before that is over, as long as it is used. One
/// that is not used is let go, and left to whoever needs it next; a ride in it that comes in time
/// has it asked for again. Reads no clock; what is sent and waited for goes into the
/// `turn`.
///
///     unknown --asks--> asked for --given--> held --lease is over--> lost
///                           |                 ^ |
///                           |        uses it  | | not used
///                           |                 | v
///                           +--refused        let go
#pragma once

#include "base/ids.hpp"
#include "match/matcher_rules.hpp"
#include "match/turn.hpp"

#include <tsl/hopscotch_map.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace dibs::match {

class zone_holdings {
 public:
  /// `rules`, with zones, outlive it.
  explicit zone_holdings(const matcher_rules& rules) : rules_(rules) {}

  /// Where its holder judges, by its own clock too.
  [[nodiscard]] bool holds(zone_id z, local_time now) const;
  /// The same, for a ride: if the zone is not held it is asked for, and the ride waits. `leader` is
  /// the lease manager that is asked, here and below.
  [[nodiscard]] bool holds_for(turn& t, zone_id z, ride_id r, node_id leader);
  /// A driver or a ride of the zone is dealt with.
  void use(turn& t, zone_id z, node_id leader);

  /// The rides that have waited for it.
  [[nodiscard]] std::vector<ride_id> given(turn& t, zone_id z);
  /// The rides that are to be handed on to its holder.
  [[nodiscard]] std::vector<ride_id> refused(turn& t, const messages::zone_refused& m);
  void lost(zone_id z) {
    if (rules_.lease.zones->obeys_manager()) {
      zones_[z].is_held = false;
    }
  }

  /// `has_leases`: on drivers of the zone.
  void renew(turn& t, const messages::zone_renewal_due& m, bool has_leases, node_id leader);
  /// Who has not answered that question, if it was the last about its zone.
  [[nodiscard]] std::optional<node_id> silent_about(
      const messages::zone_reply_timeout_due& m) const;
  void ask(turn& t, zone_id z, node_id leader);

  void clear() { zones_.clear(); }

 private:
  struct zone {
    bool is_held = false;
    bool is_asked_for = false;
    bool is_let_go = false;  ///< held, but not renewed for want of use
    std::uint32_t asks = 0;
    node_id manager;               ///< who was asked last
    std::uint32_t grants = 0;      ///< that it was told of
    local_time used{};             ///< a ride was last served there
    local_time asked{};            ///< when that was asked which gave it, or is under way
    local_time trusted_until{};    ///< by its holder, where that judges
    std::vector<ride_id> waiting;  ///< for the zone
  };

  [[nodiscard]] bool is_good(const zone& of, local_time now) const;

  const matcher_rules& rules_;
  tsl::hopscotch_map<zone_id, zone, std::hash<zone_id>> zones_;
};

}  // namespace dibs::match
