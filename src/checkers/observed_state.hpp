/// The checkers' own record of a run: the life of each token, the holder of each driver, the open
/// trips. It writes down what the events say and never judges. A history that contradicts itself is
/// written down as it is, so that the checkers can say where it does.
///
/// What always holds, whatever the history: a token has at most one record, an open trip is in the
/// lists of its driver and of its ride, once, and a driver's holder is a lease that the manager
/// must still believe in.
#pragma once

#include "base/block_table.hpp"
#include "base/ids.hpp"
#include "base/prefetch.hpp"
#include "base/saturating_add.hpp"
#include "base/time.hpp"
#include "base/token_index.hpp"
#include "checkers/run_checker.hpp"
#include "events/facts.hpp"
#include "events/observer.hpp"

#include <cstdint>
#include <map>
#include <vector>

namespace dibs::checkers {

/// A place in the observed state's table of tokens' records.
using record_index = std::uint32_t;
inline constexpr record_index no_record = token_index::none;

/// What the manager must think of a lease, from what it said.
enum class hold : std::uint8_t {
  never,  ///< it granted no such token: a try without a lease, or an invented one
  leased,
  confirmed,  ///< its expiry is stopped, and it awaits the ledger
  over,
};

/// One token's life but for its trip, at whose end nobody asks for the record; a cache line, since
/// a run has millions.
struct alignas(64) token_record {
  token_id token;
  driver_id driver;
  ride_id ride;
  sim_time since{};  ///< the grant, and from the commit on the commit
  /// The deadline: nothing may end the lease for want of time before `due`, which was set at
  /// `armed`. A leased one is due at its expiry plus grace, a confirmed one when its hold is over.
  sim_time armed{};
  local_time armed_local{};
  local_time due{};
  matcher_id holder{};  ///< who was granted the lease
  hold at_manager = hold::never;
  bool was_confirmed : 1 = false;
  bool declined : 1 = false;    ///< by the driver
  bool given_back : 1 = false;  ///< somebody asked the manager to release it
  bool refused : 1 = false;     ///< by the ledger
  bool committed : 1 = false;
  bool revoked : 1 = false;
  bool hindered : 1 = false;   ///< its trip, when that was over
  bool word_lost : 1 = false;  ///< a copy of the ledger's word to the manager, about this token
  bool mishap : 1 = false;     ///< a copy of some message about it was lost

  /// Held at the manager and not taken by the ledger: the lease takes a driver out of supply.
  [[nodiscard]] bool is_live() const {
    return !committed && (at_manager == hold::leased || at_manager == hold::confirmed);
  }
};
static_assert(sizeof(token_record) == 64);

using token_table = block_table<token_record>;

/// A place among the open trips.
using trip_index = std::uint32_t;
inline constexpr trip_index no_trip = static_cast<trip_index>(-1);

/// A trip that the ledger has taken, until it is over or called off.
struct open_trip {
  record_index record = no_record;  ///< of its token
  driver_id driver;
  ride_id ride;
  trip_index next_of_driver = no_trip;
  trip_index next_of_ride = no_trip;
  /// Its driver or its ride had another trip, open or called off too late, or a fault came between
  /// the two: she may fail to come.
  bool hindered = false;
  /// The manager could not know of this trip, or it shared the driver with another: what it does to
  /// her seconds is not the manager's fault.
  bool stray = false;
  bool was_revoked = false;  ///< before it began
  token_id token;
  sim_time since{};
};

struct alignas(64) driver_record {
  record_index holder = no_record;  ///< the lease, or its trip, that the manager must believe in
  record_index latest = no_record;  ///< the last token written down for this driver
  trip_index trips = no_trip;       ///< the open ones, newest first
  token_id latest_token;            ///< of `latest`: here too, which spares a look at its record
  token_id highest_known;           ///< that is written down for this driver
  token_id highest_granted;
  token_id highest_taken;  ///< by the ledger
  sim_time last_trip_over{sim_duration::min()};
  record_index drives = no_record;  ///< the trip with its rider on board, called off or not
  bool holder_is_trip = false;      ///< the holder was committed
  bool is_out = false;              ///< crashed or paused: she hears of a trip late, or never
  bool is_misled = false;           ///< word about a trip to her was lost: she may drive in vain
  bool has_left = false;            ///< went offline since she last said yes
};
static_assert(sizeof(driver_record) == 64);

struct ride_record {
  trip_index trips = no_trip;  ///< the open ones, newest first
  bool was_taken = false;
};

/// The last time that a node was out of action.
struct outage {
  sim_time down{};
  sim_time back = sim_time::max();  ///< for now
  bool is_crash = false;
};

class observed_state {
 public:
  explicit observed_state(const options& what);

  /// Has memory bring what the observed state knows of the driver: her record, and when that is
  /// there (near) that of her last token.
  void fetch(driver_id d, events::distance how_far) const {
    if (d.value >= drivers_.size()) {
      return;
    }
    const driver_record& of = drivers_[d.value];
    if (how_far == events::distance::far) {
      fetch_line(&of);
    } else if (of.latest != no_record) {
      fetch_line(&records_[of.latest]);
    }
  }

  [[nodiscard]] const options& what() const { return what_; }
  [[nodiscard]] const token_record& at(record_index i) const { return records_[i]; }
  /// Of all leases that are live, in the order in which their tokens were written down.
  [[nodiscard]] std::vector<record_index> live_leases() const;
  /// The record of a token, or null. A token belongs to one driver: another driver's is not found.
  [[nodiscard]] const token_record* find(token_id token, driver_id d) const;
  [[nodiscard]] const token_record* holder_of(driver_id d) const;
  /// The open trip of a token, or null.
  [[nodiscard]] const open_trip* find_trip(token_id token, driver_id d) const;
  /// That of a token's record.
  [[nodiscard]] const open_trip* trip_of(record_index i, driver_id d) const;
  /// Calls `visit(trip)` for all open trips, those of a driver one after the other.
  template <class Visit>
  void each_trip(Visit visit) const {
    for (std::uint32_t d = 0; d < drivers_.size(); ++d) {
      each_trip_of(driver_id{d}, visit);
    }
  }
  /// Calls `visit(trip)` for the open trips of the driver.
  template <class Visit>
  void each_trip_of(driver_id d, Visit visit) const {
    for (trip_index i = driver(d).trips; i != no_trip; i = trips_[i].next_of_driver) {
      visit(trips_[i]);
    }
  }
  [[nodiscard]] const driver_record& driver(driver_id d) const;
  [[nodiscard]] const ride_record& ride(ride_id r) const;
  /// Whether the manager has heard by now that the token became a trip: nothing was lost, and the
  /// longest delay is over, counted from the end of the manager's last outage.
  [[nodiscard]] bool manager_knows_of_trip(const token_record& r, sim_time t) const;
  /// Whether the node was out of action at any time from `since` on.
  [[nodiscard]] bool was_down(node_id n, sim_time since) const;
  /// The last time that the node crashed, or null.
  [[nodiscard]] const outage* last_crash_of(node_id n) const;
  /// The record of some open trip of the driver other than that of `token`, or `no_record`.
  [[nodiscard]] record_index other_trip_of(driver_id d, token_id token) const;
  /// That of some open trip of the ride with another driver than `d`, or `no_record`.
  [[nodiscard]] record_index other_driver_of(ride_id r, driver_id d) const;

  void write(const events::lease_granted& f, const events::event& e);
  void write(const events::lease_renewed& f, const events::event& e);
  void write(const events::lease_reset& f, const events::event& e);
  void write(const events::confirm_accepted& f, const events::event& e);
  void write(const events::lease_ended& f, const events::event& e);
  void write(const events::call_made& f, const events::event& e);
  void write(const events::offer_answered& f, const events::event& e);
  void write(const events::driver_went_offline& f, const events::event& e);
  void write(const events::write_refused& f, const events::event& e);
  void write(const events::trip_committed& f, const events::event& e);
  void write(const events::trip_ended& f, const events::event& e);
  void write(const events::rider_picked_up& f, const events::event& e);
  void write(const events::assignment_revoked& f, const events::event& e);
  void write(const events::message_lost& f, const events::event& e);
  void write(const events::node_crashed& f, const events::event& e);
  void write(const events::node_paused& f, const events::event& e);
  void write(const events::node_restarted& f, const events::event& e);
  void write(const events::node_resumed& f, const events::event& e) { comes_back(f.node, e.t); }

 private:
  [[nodiscard]] record_index index_of(token_id token, driver_id d) const;
  /// The driver's lease or open trip of that token, though the token is another driver's by now.
  [[nodiscard]] record_index open_under(token_id token, driver_id d) const;
  [[nodiscard]] record_index index_or_new(token_id token, driver_id d, ride_id r);
  [[nodiscard]] record_index add(token_id token, driver_id d, ride_id r);
  [[nodiscard]] driver_record& slot(driver_id d);
  [[nodiscard]] ride_record& slot(ride_id r);
  void begin_trip(record_index i);
  void end_trip(record_index i, driver_id d, sim_time t);
  /// A place for a trip.
  [[nodiscard]] trip_index room();
  /// Where the open trip of that record is, or `no_trip`.
  [[nodiscard]] trip_index place_of_trip(record_index i, driver_id d) const;
  /// A driver, or who sends her, is out of action from now on, or back: her trips may suffer.
  void hinder(node_id node, bool is_out);
  void hinder_trips_of(driver_id d);
  void goes_down(node_id node, sim_time t, bool is_crash);
  void comes_back(node_id node, sim_time t);

  options what_;
  token_table records_;
  std::vector<driver_record> drivers_;
  block_table<open_trip> trips_;  ///< and places for later ones
  std::vector<trip_index> free_trips_;
  block_table<ride_record> rides_;
  token_index index_;
  bool ledger_is_out_ = false;
  std::map<node_id, outage> outages_;
  std::map<node_id, outage> crashes_;
  /// Since when the manager takes its messages; `sim_time::max()` while it is down.
  sim_time manager_up_since_{};
};

/// `to - from`, or `forever` if that is beyond all time.
[[nodiscard]] sim_duration span(local_time from, local_time to);

}  // namespace dibs::checkers
