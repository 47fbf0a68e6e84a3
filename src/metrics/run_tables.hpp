/// The tables of a run: every event is written down here, and the figures are worked out from them.
///
/// Never rejects an event, whatever the order: a lease manager that grants twice, or a ledger that
/// takes everything, makes harms to be measured, not errors. Decides only one thing at once:
/// whether a confirm found its lease live.
#pragma once

#include "base/ensure.hpp"
#include "base/ids.hpp"
#include "base/time_interval.hpp"
#include "events/facts.hpp"
#include "events/observer.hpp"
#include "metrics/driver_time.hpp"
#include "metrics/metrics.hpp"
#include "metrics/outages.hpp"
#include "metrics/rides.hpp"
#include "metrics/tries.hpp"
#include "metrics/waiting_riders.hpp"
#include "metrics/worst_harms.hpp"

#include <cstdint>
#include <vector>

namespace dibs::metrics {

/// Counts of events in the window.
struct event_counts {
  std::uint64_t denied = 0;
  std::uint64_t confirms_taken = 0;
  std::uint64_t confirms_refused = 0;
  std::uint64_t stale_accepted = 0;
  std::uint64_t stale_refused = 0;
  std::uint64_t duplicates = 0;
  std::uint64_t renewed = 0;
  std::uint64_t renewals_refused = 0;
  std::uint64_t stale_writes_taken = 0;
  std::uint64_t stale_writes_refused = 0;
  std::uint64_t peak_requests = 0;  ///< for leases, in one second of the run
  std::uint64_t taken_over = 0;     ///< rides, from matchers whose claim had run out
  std::uint64_t messages = 0;       ///< of matching, as far as facts tell of them
};

class run_tables {
 public:
  /// `found` outlives it, and is told of confirms that should not have been taken. `is_followed`:
  /// somebody joins the spells while they come, and the story need not keep them.
  run_tables(const options& what, worst_harms& found, bool is_followed = false);
  run_tables(const run_tables&) = delete;
  run_tables& operator=(const run_tables&) = delete;

  void write(const events::event& e);

  /// Prefetches the record of the driver.
  void fetch(driver_id d, events::distance how_far) const {
    tries_.fetch(d, how_far);
    if (how_far == events::distance::far) {
      drivers_.fetch(d);
    }
  }

  /// Closes what is open.
  void finish(sim_time end);

  [[nodiscard]] sim_time now() const { return now_; }
  [[nodiscard]] const event_counts& counts() const { return counts_; }
  [[nodiscard]] try_table& tries() { return tries_; }
  [[nodiscard]] const try_table& tries() const { return tries_; }
  [[nodiscard]] const ride_list& rides() const { return rides_; }
  [[nodiscard]] waiting_riders& riders() { return riders_; }
  [[nodiscard]] const waiting_riders& riders() const { return riders_; }
  [[nodiscard]] driver_time& drivers() { return drivers_; }
  [[nodiscard]] const driver_time& drivers() const { return drivers_; }
  [[nodiscard]] const outages& down() const { return down_; }
  [[nodiscard]] const outages& paused() const { return paused_; }
  /// Since the start of the run.
  [[nodiscard]] std::uint64_t requested() const { return requested_; }
  [[nodiscard]] std::uint64_t committed() const { return committed_; }

 private:
  void on(const events::driver_came_online& f);
  void on(const events::driver_went_offline& f);
  void on(const events::ride_requested& f);
  void on(const events::ride_asked_again&) {}
  void on(const events::rider_asked&) {}
  void on(const events::rider_confirmed&) {}
  void on(const events::ride_abandoned& f);
  void on(const events::ride_cancelled& f) { leave(f.ride); }
  void on(const events::lease_granted& f);
  void on(const events::lease_denied& f);
  void on(const events::lease_renewed& f);
  void on(const events::lease_reset& f);
  void on(const events::confirm_accepted& f);
  void on(const events::confirm_refused& f);
  void on(const events::lease_ended& f);
  void on(const events::offer_sent& f);
  void on(const events::offer_shown& f);
  void on(const events::offer_dismissed& f);
  void on(const events::offer_answered& f);
  void on(const events::try_closed& f);
  void on(const events::trip_committed& f);
  void on(const events::write_refused& f);
  void on(const events::ride_promised& f);
  void on(const events::assignment_revoked& f);
  void on(const events::rider_picked_up& f);
  void on(const events::trip_ended& f);
  void on(const events::node_crashed& f);
  void on(const events::node_restarted& f);
  void on(const events::node_paused& f);
  void on(const events::node_resumed& f);
  void on(const events::message_lost& f);
  void on(const events::call_made& f);
  void on(const events::call_answered& f);
  void on(const events::renewal_refused& f);
  void on(const events::ride_claimed& f);
  void on(const events::ride_claim_ended&) {}
  void on(const events::zone_granted&) {}
  void on(const events::zone_ended&) {}
  void on(const events::leader_changed&) {}
  void on(const events::message_tampered&) {}
  void on(const events::work_failed& f);

  void count_messages(std::uint64_t n);
  void count_request();
  void leave(ride_id r);
  void note_shared(ride_id r);
  /// What lies open of the ride's tries is told whether somebody still wants it.
  void want_or_not(ride_id r);
  /// A word about the try has been heard since her yes.
  void come_through(try_record& t);
  [[nodiscard]] bool has_holder_crashed(const try_record& t) const;
  /// The lease manager or the ledger said no to the try.
  void refuse(try_index i);
  /// Whether a confirm at this instant finds its lease current, live and in time by the lease
  /// manager's clock.
  [[nodiscard]] bool is_valid(try_index i);
  /// A repeat of a confirm that holds: of a commit, or of a confirm that still awaits its write.
  [[nodiscard]] bool is_repeat(try_index i, bool was_known);
  void add_stale_confirm(try_index i);
  void end_lease(try_index i);
  void end_unleased(try_index i);
  /// Of that driver.
  void end_trip(try_index i, driver_id d);
  /// Nothing if it has left before.
  void leave_screen(try_record& t);
  /// Her phone forgets what it showed.
  void clear_screen(driver_id d);

  [[nodiscard]] ride_record& ride(ride_id r) {
    ensure(r.is_some(), "a fact about a ride names it");
    return rides_.grown(r.value);
  }
  [[nodiscard]] try_index add(token_id token, driver_id d, ride_id r);
  [[nodiscard]] try_index find_or_add(token_id token, driver_id d, ride_id r);
  [[nodiscard]] try_index& current_of(driver_id d);
  void forget_current(try_index i);
  [[nodiscard]] std::vector<try_index>& open_offers_of(matcher_id m);
  void began(ride_id r);
  void ended(ride_id r);
  void wait_or_not(ride_id r);

  time_interval window_;
  sim_duration grace_;
  sim_duration reply_timeout_;
  worst_harms& found_;
  event_counts counts_;
  try_table tries_;
  ride_list rides_;
  waiting_riders riders_;
  driver_time drivers_;
  outages down_;
  outages paused_;
  std::vector<try_index> current_;  ///< by driver: the lease that the lease manager must honour
  std::vector<std::vector<try_index>> open_offers_;  ///< by matcher: tries without a lease
  sim_time busy_second_{sim_time::min()};            ///< in which leases were last asked for
  std::uint64_t busy_requests_ = 0;                  ///< so far in it
  std::uint64_t requested_ = 0;
  std::uint64_t committed_ = 0;
  sim_time now_{};
  local_time local_{};
};

}  // namespace dibs::metrics
