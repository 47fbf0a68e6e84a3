/// One ride's search for a driver, as its matcher remembers it: where it stands, and who has been
/// asked before. Pure data with small questions; `search_machine` moves it along.
///
///     idle --pick--> acquiring --granted--> offered --accept--> confirming --> writing --> done
///       ^                |                     |                    |            |
///       +----- denied ---+--- declined, timed out, refused ---------+------------+
///
/// Without a lease a pick leads straight to `offered`; where nobody asks the lease manager at the
/// end, an accept leads straight to `writing`.
#pragma once

#include "base/ids.hpp"
#include "base/time.hpp"

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <cstdint>

namespace dibs::match {

enum class search_stage : std::uint8_t {
  idle,
  acquiring,
  greeting,  ///< the phone is asked whether it is there
  offered,
  confirming,
  claiming,  ///< the claim to the ride is renewed before the write
  writing,
};

// NOLINTNEXTLINE(bugprone-exception-escape): to be moved it needs no memory
struct ride_search {
  ride_id ride;
  zone_id zone;             ///< of its origin, where zones are leased
  std::uint64_t key = 0;    ///< of its draws
  std::uint32_t asked = 0;  ///< which of the rider's requests this serves
  std::uint32_t wait = 0;   ///< which of her waits, from 1
  std::uint32_t tries = 0;  ///< towards the scenario's maximum
  std::uint32_t picks = 0;  ///< how often a driver was looked for
  std::int64_t batch = 0;   ///< in which it is looked at with others, if that is still to come
  std::uint32_t step = 0;   ///< one more with each stage, and in a later search of the ride beyond
                            ///< all of this one: timers of earlier ones fire into nothing
  match::search_stage stage = match::search_stage::idle;
  std::uint32_t request = 0;        ///< to the lease manager, of the try under way
  node_id manager;                  ///< whom it was made to, or the latest question since
  driver_id driver;                 ///< of the try under way
  std::uint32_t version = 0;        ///< of her record when she was picked
  token_id token;                   ///< of the try under way, once there is one
  local_time trusted_until{};       ///< the holder's own, careful end of its lease
  local_time asked_at{};            ///< the acquire or renewal whose answer set that
  local_time ends{};                ///< of the wait for an answer, by the holder's clock
  local_time renew_until{};         ///< the offer has left the screen by then
  std::uint32_t renewals = 0;       ///< of the lease of this try, asked for; repeats count
  std::uint32_t renewals_seen = 0;  ///< the latest that was answered
  std::uint32_t renewals_done = 0;  ///< that were granted, as far as the holder knows
  bool outlasted = false;           ///< by its lease: that is not over when the wait ends
  bool is_claimed = false;          ///< where rides are claimed
  bool is_in_line = false;          ///< for the next driver to be free
  local_time wakes{};               ///< in line: when a driver who rests may be asked again

  void enter(match::search_stage s) {
    ++step;
    stage = s;
  }

  /// A driver has accepted, and the assignment is on its way.
  [[nodiscard]] bool has_accept() const {
    return stage == match::search_stage::confirming || stage == match::search_stage::claiming ||
           stage == match::search_stage::writing;
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
    return e == nullptr || now >= e->until;
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
};

}  // namespace dibs::match
