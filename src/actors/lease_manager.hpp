/// The lease manager: asks the lease machine, answers, records, and keeps the expiry timers.
///
/// Its leases on drivers are in `lease_manager.cpp`; its claims of rides and zones in
/// `lease_manager_claims.cpp`; what it does after a crash, and how a second manager follows and
/// replaces the first, in `lease_manager_lead.cpp`.
#pragma once

#include "lease/claim_table.hpp"
#include "lease/deadlines.hpp"
#include "lease/lease_machine.hpp"
#include "messages/messages.hpp"
#include "runtime/context.hpp"

#include <tsl/hopscotch_map.h>

#include <cstdint>
#include <functional>
#include <vector>

namespace dibs::actors {

class lease_manager {
 public:
  using context = runtime::context;
  using inbox = message_list<acquire,
                             confirm,
                             release,
                             renew,
                             write_outcome,
                             trip_closed,
                             lease_due,
                             sweep_due,
                             sweep,
                             checkpoint_due,
                             claim_ride,
                             claim_done,
                             claim_due,
                             claim_zone,
                             zone_due,
                             follow_lease,
                             follow_trip,
                             lead_heartbeat,
                             heartbeat_due,
                             leader_silent,
                             catch_up,
                             revoke,
                             lease_in_doubt>;

  /// `leads`: false for a manager that follows another.
  lease_manager(lease::machine leases, bool leads) : leases_(std::move(leases)), leads_(leads) {}

  void on(context& x, const acquire& m);
  void on(context& x, const confirm& m);
  void on(context& x, const release& m);
  void on(context& x, const renew& m);
  void on(context& x, const write_outcome& m);
  void on(context& x, const trip_closed& m);
  void on(context& x, const lease_due& m);
  void on(context& x, const sweep_due& m);
  void on(context& x, const sweep& m);

  void on(context& x, const claim_ride& m);
  void on(context& x, const claim_done& m);
  void on(context& x, const claim_due& m);
  void on(context& x, const claim_zone& m);
  void on(context& x, const zone_due& m);

  void on(context& x, const checkpoint_due& m);
  void on(context& x, const follow_lease& m);
  void on(context& x, const follow_trip& m);
  void on(context& x, const lead_heartbeat& m);
  void on(context& x, const heartbeat_due& m);
  void on(context& x, const leader_silent& m);
  void on(context& x, const catch_up& m);
  void on(context& x, const revoke& m);
  void on(context& x, const lease_in_doubt& m);

  /// The table outlives a crash, as far as the scenario says; the timers do not.
  void restart(context& x);

  /// The timers of a manager that begins to work.
  void start(context& x);

  /// Has memory bring what is known of the driver's lease.
  void fetch(driver_id d) const { leases_.fetch(d); }

 private:
  // leases on drivers
  void grant(context& x, const acquire& m, const lease::granted& g);
  void answer(context& x, const acquire& m, const lease::granted& g);
  void accept(context& x, const confirm& m, const lease::confirmed& c);
  void refuse(context& x, const confirm& m, const lease::refused& no);
  void report(context& x, const lease::ended& e, bool to_holder);
  void sweep_until(context& x, local_time now);
  void watch(context& x, driver_id d, token_id token, local_time due);
  /// `due`: its expiry and the grace.
  void watch_expiry(context& x, driver_id d, token_id token, local_time due);
  /// With lazy clean-up: ends what was over at `now`.
  void tidy(context& x, local_time now);
  /// What travels for a lease with so much left.
  [[nodiscard]] sim_duration deadline_of(context& x,
                                         ride_id r,
                                         driver_id d,
                                         sim_duration left) const;
  /// By which reading of its clock a command about the ride is judged.
  [[nodiscard]] local_time judging_time(context& x, ride_id r);
  /// How much longer than the TTL this lease lasts.
  [[nodiscard]] sim_duration jitter(context& x, ride_id r);

  // claims
  void end_zone(context& x, zone_id z, matcher_id holder);
  void watch_claim(context& x, ride_id r, sim_duration after);

  // failures
  void recover(context& x);
  void take_the_lead(context& x);
  void step_down(context& x);
  void announce(context& x);
  void ask_for_trips(context& x);
  void tell_follower(context& x, driver_id d);
  void tell_follower_of_trip(context& x, driver_id d, token_id trip);
  [[nodiscard]] std::uint32_t next_word(std::uint32_t newest) const;

  lease::machine leases_;
  /// With lazy clean-up; those that have been prolonged or ended since are still among them.
  lease::deadlines<local_time> running_out_;
  lease::claim_table rides_;
  lease::claim_table zones_;
  /// A ride as work. A matcher that stood still, or whose claim another took, may want to serve a
  /// ride that has a driver by now.
  struct work {
    std::uint32_t wait = 0;    ///< the rider's latest that was claimed, from 1
    std::uint32_t served = 0;  ///< the latest that ended with a driver
    [[nodiscard]] bool is_done() const { return wait <= served; }
  };
  tsl::hopscotch_map<ride_id, work, std::hash<ride_id>> work_;
  std::vector<zone_id> zone_of_;  ///< by driver: under which zone her lease lives
  tsl::hopscotch_map<ride_id, std::uint32_t, std::hash<ride_id>> draws_;  ///< so far, by ride
  /// By driver, once it has replaced another leader: the newest token that it had heard of then,
  /// or in doubt since.
  std::vector<token_id> newest_known_;
  /// The newest word about a driver that one manager told the other.
  struct words {
    std::uint32_t of_lease = 0;
    std::uint32_t of_trip = 0;
  };
  [[nodiscard]] words& words_about(const context& x, driver_id d);
  std::vector<words> words_;  ///< by driver, once there was one
  std::uint32_t term_ = 1;
  std::uint32_t heard_ = 0;  ///< heartbeats of the leader
  bool leads_ = true;
  bool behind_ = false;  ///< its table misses what another leader did
};

}  // namespace dibs::actors
