/// A lease manager's decisions: who is granted which driver, for how long, and who is told.
///
/// Reads no clock and sends nothing: each call is one turn, with the list of what follows. What a
/// lease is, and when a command is refused, is the table's matter (`lease_machine.hpp`). This one
/// turns its outcomes into answers, facts and timers. A draw is from a stream that its ride and the
/// number of the draw alone determine. The table outlives a crash, as far as the scenario says.
///
/// Each of the scenario's options has its own place: `standby` is `leadership_machine`, `claims` is
/// `ride_claims`, and `zones` is `zone_claims`.
#pragma once

#include "base/ids.hpp"
#include "base/time.hpp"
#include "lease/commands.hpp"
#include "lease/deadlines.hpp"
#include "lease/leadership_machine.hpp"
#include "lease/lease_machine.hpp"
#include "lease/manager_rules.hpp"
#include "lease/manager_turn.hpp"
#include "lease/ride_claims.hpp"
#include "lease/zone_claims.hpp"

#include <tsl/hopscotch_map.h>

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace dibs::lease {

/// Who asks, and what is known of the ride that it asks about.
struct asker {
  node_id node;
  std::uint64_t ride_key = 0;  ///< of its draws, where there are any
  /// What its own clock says, where that judges.
  std::optional<local_time> clock{};
};

class manager_machine {
 public:
  explicit manager_machine(const manager_rules& rules);

  [[nodiscard]] const manager_rules& rules() const { return *rules_; }

  /// The timers of a manager that begins to work.
  void start(turn& t) const;
  /// It comes back from a crash, which has voided its timers.
  void restart(turn& t);

  // leases on drivers
  void on(turn& t, const messages::acquire& m, const asker& by);
  void on(turn& t, const messages::confirm& m, const asker& by);
  void on(turn& t, const messages::renew& m, const asker& by);
  void on(turn& t, const messages::release& m, const asker& by);
  void on(turn& t, const messages::write_outcome& m);
  void on(turn& t, const messages::trip_closed& m);
  void on(turn& t, const messages::lease_due& m);
  void on(turn& t, const messages::sweep_due& m);
  /// Ends what is over at `now`, by whatever clock that was read.
  void sweep_until(turn& t, local_time now);
  /// Ends what the oldest of the reads has found.
  void on(turn& t, const messages::sweep_acts_due& m);
  void on(turn& t, const messages::checkpoint_due& m);

  // claims of rides and zones
  void on(turn& t, const messages::claim_ride& m);
  void on(turn& t, const messages::claim_done& m) { rides_.done(t, m); }
  void on(turn& t, const messages::claim_due& m);
  void on(turn& t, const messages::claim_zone& m);
  void on(turn& t, const messages::zone_due& m) { end_zone_claims(t, m.zone); }

  // the other manager
  void on(turn&, const messages::follow_lease& m) { lead_.hear(m, leases_); }
  void on(turn&, const messages::follow_trip& m) { lead_.hear(m, leases_); }
  void on(turn& t, const messages::lead_heartbeat& m) { lead_.hear(t, m, leases_); }
  void on(turn& t, const messages::heartbeat_due& m) { lead_.on(t, m); }
  void on(turn& t, const messages::leader_silent& m);
  void on(turn& t, const messages::catch_up&) { lead_.tell_all(t, leases_); }
  void on(turn& t, const messages::lease_in_doubt& m);
  void on(turn& t, const messages::revoke& m);

  // Where the table of leases is a store outside, a message is handled in two halves: what the
  // store is asked, and what follows from its answer. No command: the message is dealt with.
  [[nodiscard]] std::optional<any_command> command_for(turn& t,
                                                       const messages::acquire& m,
                                                       const asker& by);
  [[nodiscard]] std::optional<any_command> command_for(turn& t,
                                                       const messages::confirm& m,
                                                       const asker& by) const;
  [[nodiscard]] std::optional<any_command> command_for(turn& t,
                                                       const messages::renew& m,
                                                       const asker& by);
  [[nodiscard]] std::optional<any_command> command_for(turn& t,
                                                       const messages::release& m,
                                                       const asker& by);
  [[nodiscard]] std::optional<any_command> command_for(turn& t,
                                                       const messages::write_outcome& m,
                                                       const asker& by) const;
  [[nodiscard]] std::optional<any_command> command_for(turn& t,
                                                       const messages::trip_closed& m,
                                                       const asker& by) const;
  [[nodiscard]] std::optional<any_command> command_for(turn& t,
                                                       const messages::lease_due& m,
                                                       const asker& by) const;
  /// Requires: the outcome of the message's command.
  template <class M>
  void conclude_any(turn& t, const M& m, const asker& by, const any_outcome& outcome) {
    conclude(t, m, by, std::get<decltype(outcome_of(m))>(outcome));
  }
  /// What a manager that comes back watches again of the leases in a store.
  void watch_again(turn& t, driver_id d, token_id token, local_time due) const {
    watch(t, d, token, due);
  }

  /// Has memory bring what is known of the driver's lease.
  void fetch(driver_id d) const { leases_.fetch(d); }

 private:
  /// Which outcome a message's command has. Declared for their types alone.
  static acquire_outcome outcome_of(const messages::acquire&);
  static confirm_outcome outcome_of(const messages::confirm&);
  static renew_outcome outcome_of(const messages::renew&);
  static std::optional<ended> outcome_of(const messages::release&);
  static std::optional<ended> outcome_of(const messages::write_outcome&);
  static bool outcome_of(const messages::trip_closed&);
  static std::optional<ended> outcome_of(const messages::lease_due&);

  /// Whether the request gets as far as the table.
  [[nodiscard]] bool may_acquire(turn& t, const messages::acquire& m) const;

  void conclude(turn& t, const messages::acquire& m, const asker& by, const acquire_outcome& o);
  void conclude(turn& t, const messages::confirm& m, const asker& by, const confirm_outcome& o);
  void conclude(turn& t, const messages::renew& m, const asker& by, const renew_outcome& o);
  void conclude(turn& t,
                const messages::release& m,
                const asker& by,
                const std::optional<ended>& o);
  void conclude(turn& t,
                const messages::write_outcome& m,
                const asker& by,
                const std::optional<ended>& o);
  void conclude(turn& t, const messages::trip_closed& m, const asker& by, bool was_on_it);
  void conclude(turn& t,
                const messages::lease_due& m,
                const asker& by,
                const std::optional<ended>& o);

  void grant(turn& t, const messages::acquire& m, const granted& g);
  void accept(turn& t, const messages::confirm& m, const confirmed& c, node_id by);
  void refuse(turn& t, const messages::confirm& m, const refused& no, node_id by);
  void report(turn& t, const ended& e, bool to_holder);
  void watch(turn& t, driver_id d, token_id token, local_time due) const;
  /// `due`: its expiry and the grace.
  void watch_expiry(turn& t, driver_id d, token_id token, local_time due);
  [[nodiscard]] local_time due_of(local_time expires) const;
  /// Where leases end when somebody asks: ends what was over at `now`.
  void tidy(turn& t, local_time now);
  /// Of a lease that was given back: whom it keeps is freed when `lease.hold_min` has passed.
  void watch_held(turn& t, driver_id d) const;
  void end_zone_claims(turn& t, zone_id z);
  void recover(turn& t);
  void watch_all_again(turn& t);
  [[nodiscard]] static local_time judging_clock(const turn& t, const asker& by);
  /// By which reading of that clock a command about the ride is judged.
  [[nodiscard]] local_time judging_time(const turn& t, ride_id r, const asker& by);
  /// How much longer than the TTL this lease lasts.
  [[nodiscard]] sim_duration jitter(ride_id r, std::uint64_t ride_key);

  std::unique_ptr<const manager_rules> rules_;
  machine leases_;
  /// Where leases end when somebody asks; those prolonged or ended since are still among them.
  deadlines<local_time> running_out_;
  leadership_machine lead_;
  ride_claims rides_;
  zone_claims zones_;
  std::deque<std::vector<machine::due>> reads_;  ///< of sweeps that have not acted yet
  tsl::hopscotch_map<ride_id, std::uint32_t, std::hash<ride_id>> draws_;  ///< so far, by ride
};

}  // namespace dibs::lease
