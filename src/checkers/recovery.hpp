/// What must have recovered some time after the last fault (B6): no lease stands whose holder is
/// dead, and no ride waits without a try while a driver whom it could have is free.
///
/// A fault that is still to come has changed nothing. So at any time the last fault is the last one
/// so far, and the run is judged from its recovery after one fault to the next fault.
///
/// A driver is free while she has no lease, no trip and no open try. Waiting rides and free drivers
/// are written down as the run goes, and joined now and then. They are forgotten once no waiting
/// ride can meet them. A driver proves nothing if the ride tried her before, or if she is not among
/// the nearest drivers that a matcher looks at.
#pragma once

#include "base/block_table.hpp"
#include "base/point.hpp"
#include "base/prefetch.hpp"
#include "checkers/event_context.hpp"
#include "events/facts.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <vector>

namespace dibs::checkers {

class recovery {
 public:
  void judge(const events::driver_came_online& f, const event_context& s);
  void judge(const events::driver_went_offline& f, const event_context& s);
  void judge(const events::lease_granted& f, const event_context& s);
  void judge(const events::lease_denied& f, const event_context& s);
  void judge(const events::lease_ended& f, const event_context& s);
  void judge(const events::trip_committed& f, const event_context& s);
  void judge(const events::trip_ended& f, const event_context& s);
  void judge(const events::assignment_revoked& f, const event_context& s);
  void judge(const events::ride_requested& f, const event_context& s);
  void judge(const events::ride_abandoned& f, const event_context& s) { ride_ended(f.ride, s); }
  void judge(const events::ride_cancelled& f, const event_context& s) { ride_ended(f.ride, s); }
  void judge(const events::call_made& f, const event_context& s);
  void judge(const events::try_closed& f, const event_context& s);
  void judge(const events::node_crashed& f, const event_context& s);
  void judge(const events::node_restarted& f, const event_context& s) { comes_back(f.node, s); }
  void judge(const events::node_paused& f, const event_context& s) { goes_down(f.node, s); }
  void judge(const events::node_resumed& f, const event_context& s) { comes_back(f.node, s); }
  void judge(const events::message_tampered& f, const event_context& s) { strikes(f.by, s); }
  void judge(const events::work_failed& f, const event_context& s);

  void finish(const event_context& s, std::span<const record_index> live);

  /// Prefetches the record of the driver.
  void fetch(driver_id d) const {
    if (d.value < drivers_.size()) {
      fetch_line(&drivers_[d.value]);
    }
  }

 private:
  static constexpr sim_time never = sim_time::max();

  struct asked_before {
    driver_id driver;
    sim_time last = never;  ///< when she was last let go; `never` while a try is under way
  };

  /// A try that is under way.
  struct asked_for {
    driver_id driver;
    ride_id ride;

    [[nodiscard]] bool operator==(const asked_for&) const = default;
  };

  /// A ride that is neither served nor gone.
  struct waiting_ride {
    point origin;
    sim_time idle_since = never;  ///< not being tried for
    token_id held;                ///< its last lease
    int under_way = 0;            ///< tries of its matchers, of which a broadcast ride has several
    std::vector<asked_before> tried;
  };
  /// Where it lies, from 1.
  using slot = std::uint32_t;
  static constexpr slot closed = static_cast<slot>(-1);

  struct free_driver {
    point place;
    sim_time since = never;  ///< as she is now, without a lease or a trip; `never` with one
    int busy = 0;            ///< leases and trips
    int asked_for = 0;       ///< in tries under way
    bool is_online = false;
  };

  struct idle_spell {
    ride_id ride;
    point origin;
    sim_time from{};
    sim_time until{};
    std::uint64_t index = 0;
    std::vector<asked_before> tried;  ///< as it stood then
  };

  /// Without a lease or a trip; free, unless somebody is trying to get her.
  struct free_spell {
    driver_id driver;
    bool is_asked_for = false;
    point place;
    sim_time from{};
    sim_time until{};
  };

  /// A ride that waited although the driver was free.
  struct unserved_match {
    ride_id ride;
    driver_id driver;
    sim_time from{};
    sim_time until{};
    std::uint64_t index = 0;
  };

  [[nodiscard]] bool is_on(const event_context& s) const;
  /// Since when everything has had time to come right again; `never` while a node is out of action.
  [[nodiscard]] sim_time calm_since(const event_context& s) const;
  void strikes(sim_duration for_so_long, const event_context& s);
  void goes_down(node_id n, const event_context& s);
  void comes_back(node_id n, const event_context& s);
  /// Null once it has ended.
  waiting_ride* of(ride_id r);
  free_driver& of(driver_id d);
  static void idles(waiting_ride& one, const event_context& s);
  void stops_idling(ride_id r, waiting_ride& one, const event_context& s);
  void ride_ended(ride_id r, const event_context& s);
  static void tries(waiting_ride& one, driver_id d);
  /// Since when a driver whom the ride asked for may be asked again; `never` if not.
  [[nodiscard]] static sim_time free_for(const idle_spell& wait,
                                         driver_id d,
                                         const event_context& s);
  void moves(driver_id d, int busy, const event_context& s, int asked = 0);
  void ends_try(matcher_id m, const asked_for& what, const event_context& s);
  static void note_free(driver_id d,
                        const free_driver& one,
                        sim_time until,
                        std::vector<free_spell>& to);
  static bool is_orphan(const token_record& r, const event_context& s);
  void judge_orphan(const token_record& r, const event_context& s) const;
  /// Joins who waited with who was free, and forgets what nobody can meet any more.
  void join_spells(const event_context& s);
  /// Drivers who are free at this instant were so until now, at least.
  [[nodiscard]] std::vector<free_spell> all_free(sim_time now) const;
  /// The earliest instant from which a ride that waits now, or will, may turn out to have waited.
  [[nodiscard]] sim_time longest_wait(const event_context& s) const;
  void judge_spells(const event_context& s);
  [[nodiscard]] static driver_id overlooked_by(const idle_spell& wait,
                                               const std::vector<const free_spell*>& near,
                                               const event_context& s);

  std::set<node_id> out_;      ///< nodes that are down or paused
  sim_time calm_from_{};       ///< what struck so far has come right
  block_table<slot> slot_of_;  ///< by ride; 0 before it is heard of
  std::vector<waiting_ride> rides_;
  std::vector<slot> left_;  ///< slots of rides that have ended
  std::vector<free_driver> drivers_;
  std::map<matcher_id, std::vector<asked_for>> asked_for_;
  std::vector<idle_spell> idle_;
  std::vector<free_spell> free_;
  std::vector<unserved_match> overlooked_;
  std::size_t joined_at_ = 0;  ///< with fewer spells it does not pay to join again
};

}  // namespace dibs::checkers
