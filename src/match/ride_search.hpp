/// One ride's search for a driver, as its matcher remembers it: where its tries stand, and who has
/// been asked before. Pure data with small questions; `search_machine` moves it along.
///
///     idle --pick--> acquiring --granted--> offered --accept--> confirming --> writing --> done
///       ^                |                     |                    |            |
///       +----- denied ---+--- declined, timed out, refused ---------+------------+
///
/// Without a lease a pick leads straight to `offered`; where nobody asks the lease manager at the
/// end, an accept leads straight to `writing`. Where the rider has the last word, an accept leads
/// to `asking` first.
#pragma once

#include "base/ids.hpp"
#include "base/time.hpp"

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace dibs::match {

enum class search_stage : std::uint8_t {
  idle,
  acquiring,
  greeting,  ///< the phone is asked whether it is there
  offered,
  asking,  ///< the rider is asked whether she takes the driver
  confirming,
  claiming,  ///< the claim to the ride is renewed before the write
  writing,
};

/// The pursuit of one driver after another. A search has as many as it may have offers open.
struct ride_try {
  std::uint32_t step = 0;  ///< none like it in the search, nor in a later one of the ride: timers
                           ///< of earlier ones fire into nothing
  match::search_stage stage = match::search_stage::idle;
  std::uint32_t request = 0;  ///< to the lease manager
  node_id manager;            ///< whom it was made to, or the latest question since
  driver_id driver;
  std::uint32_t version = 0;        ///< of her record when she was picked
  token_id token;                   ///< once there is one
  local_time trusted_until{};       ///< the holder's own, careful end of its lease
  local_time asked_at{};            ///< the acquire or renewal whose answer set that
  local_time ends{};                ///< of the wait for an answer, by the holder's clock
  local_time renew_until{};         ///< nobody needs the lease any longer than that
  std::uint32_t renewals = 0;       ///< of its lease, asked for; repeats count
  std::uint32_t renewals_seen = 0;  ///< the latest that was answered
  std::uint32_t renewals_done = 0;  ///< that were granted, as far as the holder knows
  bool outlasted = false;           ///< by its lease: that is not over when the wait ends
  bool is_in_line = false;          ///< for the next driver to be free
  local_time wakes{};               ///< in line: when a driver who rests may be asked again

  /// A driver has accepted, and the assignment is on its way.
  [[nodiscard]] bool has_accept() const {
    return stage == match::search_stage::asking || stage == match::search_stage::confirming ||
           stage == match::search_stage::claiming || stage == match::search_stage::writing;
  }

  /// It is for this request that a lease was asked.
  [[nodiscard]] bool awaits(std::uint32_t r) const {
    return stage == match::search_stage::acquiring && request == r;
  }

  /// A driver has been picked, and the ride was not offered to her yet.
  [[nodiscard]] bool is_before_offer() const {
    return driver.is_some() && stage < match::search_stage::offered;
  }

  /// The driver or the rider has still to answer.
  [[nodiscard]] bool is_open() const {
    return stage == match::search_stage::offered || stage == match::search_stage::asking;
  }
};

/// Has the current try as its own members; `take_up` makes another one current.
// NOLINTNEXTLINE(bugprone-exception-escape): to be moved it needs no memory
struct ride_search : ride_try {
  ride_id ride;
  zone_id zone;             ///< of its origin, where zones are leased
  std::uint64_t key = 0;    ///< of its draws
  std::uint32_t asked = 0;  ///< which of the rider's requests this serves
  std::uint32_t wait = 0;   ///< which of her waits, from 1
  std::uint32_t tries = 0;  ///< towards the scenario's maximum
  std::uint32_t picks = 0;  ///< how often a driver was looked for
  std::int64_t batch = 0;   ///< in which it is looked at with others, if that is still to come
  std::uint32_t steps = 0;  ///< the last step of any of its tries
  bool is_claimed = false;  ///< where rides are claimed

  void enter(match::search_stage s) {
    step = ++steps;
    stage = s;
  }

  /// One more try, which is current.
  void add_try() {
    others_.push_back(*this);
    static_cast<ride_try&>(*this) = {};
    enter(match::search_stage::idle);
  }

  /// The current try is over for good, and another is current. False if it is the only one.
  [[nodiscard]] bool drop_try() {
    if (others_.empty()) {
      return false;
    }
    static_cast<ride_try&>(*this) = others_.back();
    others_.pop_back();
    return true;
  }

  /// Makes the first try of which that is true the current one. False if there is none.
  template <class Predicate>
  [[nodiscard]] bool take_up(Predicate is_it) {
    if (std::invoke(is_it, static_cast<const ride_try&>(*this))) {
      return true;
    }
    const auto found = std::find_if(others_.begin(), others_.end(), is_it);
    if (found == others_.end()) {
      return false;
    }
    std::swap(static_cast<ride_try&>(*this), *found);
    return true;
  }

  /// How many of the others will offer the ride, unless they fail before.
  [[nodiscard]] std::uint32_t count_before_offer() const {
    return static_cast<std::uint32_t>(
        std::count_if(others_.begin(), others_.end(), std::mem_fn(&ride_try::is_before_offer)));
  }

  /// Whether that is true of one of its tries.
  template <class Predicate>
  [[nodiscard]] bool any_try(Predicate is_it) const {
    return std::invoke(is_it, static_cast<const ride_try&>(*this)) || any_other_try(is_it);
  }
  template <class Predicate>
  [[nodiscard]] bool any_other_try(Predicate is_it) const {
    return std::ranges::any_of(others_, is_it);
  }

  /// Back to searching.
  void end_try() {
    enter(match::search_stage::idle);
    driver = driver_id::none();
    token = token_id::none();
    renewals = 0;
    renewals_seen = 0;
    renewals_done = 0;
  }

  /// Not to be asked again before `until`.
  void exclude_until(driver_id d, local_time until) { entry_of(d).until = until; }

  /// When the first of those who rest may be asked again; `max()` if none ever.
  [[nodiscard]] local_time next_exclusion_end(local_time now) const {
    local_time first = local_time::max();
    for (const asked_before& e : asked_) {
      first = e.until > now ? std::min(first, e.until) : first;
    }
    return first;
  }

  [[nodiscard]] bool may_try(driver_id d, local_time now) const {
    const asked_before* e = find(d);
    return (e == nullptr || now >= e->until) &&
           !any_other_try([d](const ride_try& t) { return t.driver == d; });
  }

 private:
  struct asked_before {
    driver_id driver;
    local_time until = local_time::min();
  };

  [[nodiscard]] const asked_before* find(driver_id d) const {
    const auto found = std::find_if(
        asked_.begin(), asked_.end(), [d](const asked_before& e) { return e.driver == d; });
    return found == asked_.end() ? nullptr : &*found;
  }

  asked_before& entry_of(driver_id d) {
    const auto found = std::find_if(
        asked_.begin(), asked_.end(), [d](const asked_before& e) { return e.driver == d; });
    if (found != asked_.end()) {
      return *found;
    }
    asked_.push_back({.driver = d});
    return asked_.back();
  }

  boost::container::small_vector<asked_before, 3> asked_;
  std::vector<ride_try> others_;  ///< tries, besides the current one
};

}  // namespace dibs::match
