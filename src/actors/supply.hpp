/// Who is available, as the record has it, and as matchers see it some time later.
///
/// Heeds the facts that make a driver available or take her away, in the order in which they become
/// true, and feeds them into the matchers' view through a delay line.
#pragma once

#include "base/ids.hpp"
#include "base/point.hpp"
#include "events/facts.hpp"
#include "match/supply_index.hpp"
#include "match/supply_view.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace dibs::actors {

class supply {
 public:
  /// `is_seen`: false where matchers are blind, and nobody looks at the view.
  supply(const match::supply_index_options& where, sim_duration lag, bool is_seen)
      : drivers_(where.drivers), view_(log_, lag, where), is_seen_(is_seen) {}
  supply(const supply&) = delete;
  supply& operator=(const supply&) = delete;

  /// Most facts say nothing about supply.
  template <class Fact>
  void heed(sim_time, const Fact&) {}

  void heed(sim_time t, const events::driver_came_online& f) {
    change(t, f.driver, [&](record& r) {
      r.online = true;
      r.place = f.place;
    });
  }
  void heed(sim_time t, const events::driver_went_offline& f) {
    change(t, f.driver, [](record& r) { r.online = false; });
  }
  void heed(sim_time t, const events::lease_granted& f) {
    change(t, f.driver, [&](record& r) { r.lease = f.token; });
  }
  void heed(sim_time t, const events::lease_ended& f) {
    change(t, f.driver, [&](record& r) { r.end_lease(f.token); });
  }
  void heed(sim_time t, const events::trip_committed& f) {
    change(t, f.driver, [&](record& r) {
      r.end_lease(f.token);
      r.trips.push_back(f.token);
      ++r.version;
    });
  }
  void heed(sim_time t, const events::trip_ended& f) {
    change(t, f.driver, [&](record& r) {
      std::erase(r.trips, f.token);
      r.place = f.place;
    });
  }
  void heed(sim_time t, const events::assignment_revoked& f) {
    change(t, f.driver, [&](record& r) { std::erase(r.trips, f.token); });
  }

  /// The matcher wants to be told when a driver has become free.
  void await_someone(matcher_id m) {
    if (std::find(waiting_.begin(), waiting_.end(), m) == waiting_.end()) {
      waiting_.push_back(m);
    }
  }

  /// Whom to tell that a driver has become free; empty, unless one has since the last call.
  [[nodiscard]] std::vector<matcher_id> take_waiting() {
    return std::exchange(someone_freed_, false) ? std::exchange(waiting_, {})
                                                : std::vector<matcher_id>();
  }
  [[nodiscard]] bool is_awaited() const { return !waiting_.empty(); }

  /// Where the driver last was when she was free.
  [[nodiscard]] const point& place_of(driver_id d) const { return drivers_[d.value].place; }

  /// How often she was assigned: what a matcher reads in her record.
  [[nodiscard]] std::uint32_t version_of(driver_id d) const { return drivers_[d.value].version; }

  /// What matchers see at true time `now`.
  [[nodiscard]] const match::supply_index& seen_at(sim_time now) {
    view_.advance(now);
    return view_.index();
  }

 private:
  struct record {
    point place;
    token_id lease;
    std::vector<token_id> trips;  ///< open at the ledger; two where an assignment was doubled
    std::uint32_t version = 0;    ///< how often she was assigned
    bool online = false;

    void end_lease(token_id token) { lease = lease == token ? token_id::none() : lease; }
    [[nodiscard]] bool is_available() const { return online && !lease.is_some() && trips.empty(); }
  };

  template <class Change>
  void change(sim_time t, driver_id d, Change apply) {
    record& r = drivers_[d.value];
    const bool before = r.is_available();
    const point place_before = r.place;
    apply(r);
    const bool after = r.is_available();
    someone_freed_ = someone_freed_ || (after && !before);
    if (is_seen_ && (before != after || (after && !(place_before == r.place)))) {
      log_.append({t, d, after, r.place});
    }
  }

  std::vector<record> drivers_;
  match::supply_log log_;
  match::supply_view view_;
  std::vector<matcher_id> waiting_;
  bool someone_freed_ = false;
  bool is_seen_;
};

}  // namespace dibs::actors
