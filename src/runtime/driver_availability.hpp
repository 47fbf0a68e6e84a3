/// Who is available, as the record has it, and as matchers see it some time later.
///
/// Heeds the facts that make a driver available or take her away, in the order in which they become
/// true, and feeds them into the matchers' view through a delay line. The picture is kept where the
/// record is: a matcher that a partition keeps from hearing the ledger sees nothing new meanwhile,
/// and all of it when the partition is over. Such a matcher has a view of its own.
///
/// With lazy clean-up a reader compares the expiry in the record with the lease manager's clock:
/// from the instant of expiry on it takes the lease for over, though nobody has written that down
/// yet.
///
/// A live run shares it among threads: then every call takes a lock, and whoever reads a view that
/// was seen holds it meanwhile (`hold`).
#pragma once

#include "base/ids.hpp"
#include "base/point.hpp"
#include "base/prefetch.hpp"
#include "events/facts.hpp"
#include "lease/deadlines.hpp"
#include "match/supply_index.hpp"
#include "match/supply_view.hpp"
#include "sim/faults.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace dibs::runtime {

/// Whether the cut keeps any of the matchers from hearing who is available.
[[nodiscard]] bool hides_supply(const sim::cut& c, std::uint32_t matchers);

/// Readers of the record take a lease for over from `lapses` on.
struct lapse_notice {
  sim_time now{};
  driver_id driver;
  token_id token;
  sim_time lapses{};
};

/// Facts that make a driver available, or take her away.
template <class Fact>
inline constexpr bool changes_supply =
    std::is_same_v<Fact, events::driver_came_online> ||
    std::is_same_v<Fact, events::driver_went_offline> ||
    std::is_same_v<Fact, events::lease_granted> || std::is_same_v<Fact, events::confirm_accepted> ||
    std::is_same_v<Fact, events::lease_ended> || std::is_same_v<Fact, events::trip_committed> ||
    std::is_same_v<Fact, events::trip_ended> || std::is_same_v<Fact, events::assignment_revoked>;

class driver_availability {
 public:
  /// `is_seen`: false where matchers are blind, and nobody looks at the view. `cuts` are those of
  /// the run. From `heals` on the view does not lag.
  driver_availability(const match::supply_index_options& where,
                      sim_duration lag,
                      bool is_seen,
                      std::uint32_t matchers,
                      const std::vector<sim::cut>& cuts,
                      sim_time heals = sim_time::max());
  driver_availability(const driver_availability&) = delete;
  driver_availability& operator=(const driver_availability&) = delete;

  /// From here on several threads use it.
  void share() { guard_ = std::make_unique<std::recursive_mutex>(); }
  using holding = std::unique_lock<std::recursive_mutex>;
  /// Keeps others from changing it, if there are any.
  [[nodiscard]] holding hold() const { return guard_ == nullptr ? holding() : holding(*guard_); }

  template <class Fact>
  void apply_fact(sim_time, const Fact&) {
    static_assert(!changes_supply<Fact>);
  }

  void apply_fact(sim_time t, const events::driver_came_online& f) {
    change(t, f.driver, [&](record& r) {
      r.online = true;
      r.place = f.place;
    });
  }
  void apply_fact(sim_time t, const events::driver_went_offline& f) {
    change(t, f.driver, [](record& r) { r.online = false; });
  }
  void apply_fact(sim_time t, const events::lease_granted& f) {
    change(t, f.driver, [&](record& r) { r.begin_lease(f.token); });
  }
  void apply_fact(sim_time t, const events::confirm_accepted& f) {
    // It no longer runs out.
    change(t, f.driver, [](record& r) { r.lapses = sim_time::max(); });
  }
  void apply_fact(sim_time t, const events::lease_ended& f) {
    change(t, f.driver, [&](record& r) { r.end_lease(f.token); });
  }
  void apply_fact(sim_time t, const events::trip_committed& f) {
    change(t, f.driver, [&](record& r) {
      r.end_lease(f.token);
      r.trips.begin(f.token);
      ++r.version;
    });
  }
  void apply_fact(sim_time t, const events::trip_ended& f) {
    change(t, f.driver, [&](record& r) {
      r.trips.end(f.token);
      r.place = f.place;
    });
  }
  void apply_fact(sim_time t, const events::assignment_revoked& f) {
    change(t, f.driver, [&](record& r) { r.trips.end(f.token); });
  }

  /// Readers take the lease for over from then on, unless it is confirmed, ended or prolonged
  /// first.
  void set_lapse(const lapse_notice& l) {
    const auto held = hold();
    change(l.now, l.driver, [&](record& r) {
      if (r.lease == l.token) {
        r.begin_lease(l.token, l.lapses);
      }
    });
    lapsing_.push({l.lapses, l.driver, l.token});
  }

  /// The matcher wants to be told when a driver has become free.
  void await_free_driver(matcher_id m) {
    const auto held = hold();
    if (std::ranges::find(waiting_, m) == waiting_.end()) {
      waiting_.push_back(m);
      is_awaited_.store(true, std::memory_order_relaxed);
    }
  }

  /// Whom to tell that a driver has become free; empty, unless one has since somebody was told.
  [[nodiscard]] std::vector<matcher_id> take_matchers_to_wake() {
    if (!is_awaited_.load(std::memory_order_relaxed)) [[likely]] {  // asked at every fact
      return {};
    }
    const auto held = hold();
    if (!std::exchange(someone_freed_, false)) {
      return {};
    }
    is_awaited_.store(false, std::memory_order_relaxed);
    return std::exchange(waiting_, {});
  }

  /// Prefetches the record of the driver.
  void fetch(driver_id d) const {
    if (d.value < drivers_.size()) {
      fetch_whole(drivers_[d.value]);
    }
  }

  /// Where the driver last was when she was free.
  [[nodiscard]] point place_of(driver_id d) const {
    const auto held = hold();
    return drivers_[d.value].place;
  }

  /// How often she was assigned: what a matcher reads in her record.
  [[nodiscard]] std::uint32_t version_of(driver_id d) const {
    const auto held = hold();
    return drivers_[d.value].version;
  }

  /// When the matcher will see something that has become true and is still on its way to it.
  [[nodiscard]] std::optional<sim_time> next_seen(sim_time now, matcher_id m) const {
    const auto held = hold();
    const window& w = window_of(m);
    std::optional<sim_time> next = w.view.next();
    for (const sim::cut& c : w.deaf) {
      if (next && c.is_on(now)) {
        next = std::max(*next, c.until);
      }
    }
    return next && *next > now ? next : std::nullopt;
  }

  /// What the matcher sees at true time `now`. Where it is shared, the caller holds it.
  [[nodiscard]] const match::supply_index& seen_at(sim_time now, matcher_id m) {
    window& w = window_of(m);
    note_lapsed(in_order(now));
    const sim_time heard = w.deaf.empty() ? now : heard_until(w, now);
    w.view.advance(now < heals_ ? heard : now + w.view.lag());
    return w.view.index();
  }

 private:
  /// Open at the ledger: one at most, but where an assignment was doubled.
  class open_trips {
   public:
    void begin(token_id t) {
      if (!one_.is_some()) {
        one_ = t;
        return;
      }
      if (others_ == nullptr) {
        others_ = std::make_unique<std::vector<token_id>>();
      }
      others_->push_back(t);
    }
    void end(token_id t) {
      one_ = one_ == t ? token_id::none() : one_;
      if (others_ != nullptr) [[unlikely]] {
        std::erase(*others_, t);
      }
    }
    [[nodiscard]] bool empty() const {
      return !one_.is_some() && (others_ == nullptr || others_->empty());
    }

   private:
    token_id one_;
    std::unique_ptr<std::vector<token_id>> others_;
  };

  struct alignas(64) record {
    point place;
    token_id lease;
    open_trips trips;
    sim_time lapses = sim_time::max();  ///< from when on readers take the lease for over
    std::uint32_t version = 0;          ///< how often she was assigned
    bool online = false;
    bool has_lapsed = false;

    void begin_lease(token_id token, sim_time until = sim_time::max()) {
      lease = token;
      lapses = until;
      has_lapsed = false;
    }
    void end_lease(token_id token) { lease = lease == token ? token_id::none() : lease; }
    [[nodiscard]] bool is_available() const {
      return online && (!lease.is_some() || has_lapsed) && trips.empty();
    }
  };
  static_assert(sizeof(record) == 64);

  /// A view, shared by the matchers that the same cuts make deaf.
  struct window {
    match::supply_view view;
    std::vector<sim::cut> deaf;
  };

  [[nodiscard]] window& window_of(matcher_id m) const {
    return *windows_[view_of_.empty() ? 0 : view_of_[m.value]];
  }

  /// Facts that were under way when a cut began still arrive.
  [[nodiscard]] static sim_time heard_until(const window& w, sim_time now);

  /// Where it is shared another thread may have been faster.
  [[nodiscard]] sim_time in_order(sim_time t) {
    if (guard_ != nullptr) [[unlikely]] {
      t = latest_ = std::max(t, latest_);
    }
    return t;
  }

  /// What has run out by `t` did so when its time was over.
  void note_lapsed(sim_time t) {
    while (!lapsing_.empty() && lapsing_.top().at <= t) {
      const lease::due_lease<sim_time> l = lapsing_.top();
      lapsing_.pop();
      const record& r = drivers_[l.driver.value];
      if (r.lease == l.token && r.lapses == l.at) {
        alter(guard_ == nullptr ? l.at : t, l.driver, [](record& one) { one.has_lapsed = true; });
      }
    }
  }

  template <class Change>
  void change(sim_time t, driver_id d, Change apply) {
    const auto held = hold();
    t = in_order(t);
    note_lapsed(t);
    alter(t, d, apply);
  }

  template <class Change>
  void alter(sim_time t, driver_id d, Change apply) {
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
  lease::deadlines<sim_time> lapsing_;
  match::supply_log log_;
  std::vector<std::unique_ptr<window>> windows_;  ///< the first is that of undisturbed matchers
  std::vector<std::uint32_t> view_of_;            ///< by matcher; empty if all share the first
  std::vector<matcher_id> waiting_;
  std::atomic<bool> is_awaited_{false};  ///< whether there are any
  bool someone_freed_ = false;
  bool is_seen_;
  sim_time heals_;
  sim_time latest_{};  ///< heeded, where it is shared
  std::unique_ptr<std::recursive_mutex> guard_;
};

}  // namespace dibs::runtime
