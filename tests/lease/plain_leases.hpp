/// The lease machine written plainly, for tests that hold it against the fast one: maps, and no
/// thought for time or memory.
#pragma once

#include "events/enum_names.hpp"
#include "lease/lease_machine.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

namespace dibs::lease {

using events::lease_ending;

/// Token, driver, ride, holder and cause of a lease that has just ended.
using ending = std::tuple<token_id, driver_id, ride_id, matcher_id, lease_ending>;

/// What either of the two says to any command.
struct answer_to_command {
  std::string what;
  token_id token{};
  matcher_id holder{};
  driver_id driver{};
  local_time until{};
  sim_duration left{};
  std::optional<ending> ended{};

  friend bool operator==(const answer_to_command&, const answer_to_command&) = default;
};

/// Driver, token, holder, when it is due, and whether it is confirmed.
using standing_lease = std::tuple<driver_id, token_id, matcher_id, local_time, bool>;
/// Driver, token, and the ride where it is known.
using open_trip = std::tuple<driver_id, token_id, ride_id>;

inline std::optional<ending> plainly(const std::optional<ended>& e) {
  return e ? std::optional(ending{e->token, e->driver, e->ride, e->holder, e->cause})
           : std::nullopt;
}

inline answer_to_command told(const acquire_outcome& o) {
  if (const auto* no = std::get_if<denied>(&o)) {
    return {.what = std::string(name_of(no->cause)), .ended = plainly(no->previous)};
  }
  const auto& yes = std::get<granted>(o);
  return {.what = yes.repeated ? "granted again" : "granted",
          .token = yes.token,
          .until = yes.expires,
          .left = yes.ttl,
          .ended = plainly(yes.previous)};
}

inline answer_to_command told(const refused& no) {
  return {.what = std::string(name_of(no.cause)),
          .token = no.holder.token,
          .driver = no.holder.driver,
          .ended = plainly(no.previous)};
}

/// Of a repeated answer only that it is one: the lease that it speaks of may be another by then.
inline answer_to_command told(const confirm_outcome& o) {
  if (const auto* no = std::get_if<refused>(&o)) {
    return told(*no);
  }
  const auto& yes = std::get<confirmed>(o);
  if (yes.repeated) {
    return {.what = "confirmed again"};
  }
  return {.what = yes.committed ? "committed" : "confirmed",
          .token = yes.lease,
          .holder = yes.holder,
          .until = yes.hold_until,
          .ended = plainly(yes.other)};
}

inline answer_to_command told(const renew_outcome& o) {
  if (const auto* no = std::get_if<refused>(&o)) {
    return told(*no);
  }
  const auto& yes = std::get<renewed>(o);
  return {.what = "renewed", .token = yes.token, .until = yes.expires, .left = yes.ttl};
}

inline answer_to_command told(const std::optional<ended>& e) {
  return {.what = e ? std::string(name_of(e->cause)) : "nothing", .ended = plainly(e)};
}

inline answer_to_command told(const std::vector<ended>& all) {
  answer_to_command out = told(all.empty() ? std::nullopt : std::optional(all.back()));
  out.left = sim_duration{static_cast<std::int64_t>(all.size())};
  return out;
}

enum class phase { over, leased, confirmed };

/// The last lease of a driver.
struct plain_lease {
  token_id token;
  ride_id ride;
  matcher_id holder;
  std::uint32_t request = 0;
  local_time due{};  ///< from this instant on it may be ended
  phase state = phase::over;
};

/// The same, plainly: a map of leases, one of trips, and whatever was ever heard of trips.
class plain_leases {
 public:
  explicit plain_leases(const machine_options& options) : options_(options) {}

  answer_to_command acquire(
      driver_id d, ride_id ride, matcher_id holder, local_time now, std::uint32_t request) {
    const auto previous = see(d, now);
    plain_lease& l = leases_[d];
    if (l.state == phase::leased && request != 0 &&
        std::tuple(l.request, l.ride, l.holder) == std::tuple(request, ride, holder) &&
        now < l.due) {
      const local_time expires = l.due - options_.grace;
      return {.what = "granted again", .token = l.token, .until = expires, .left = expires - now};
    }
    if (!trips_[d].empty()) {
      return {.what = "on_trip", .ended = previous};
    }
    if (l.state != phase::over) {
      return {.what = "leased", .ended = previous};
    }
    const local_time expires = now + options_.ttl;
    l = {{++last_token_}, ride, holder, request, expires + options_.grace, phase::leased};
    return {.what = "granted",
            .token = l.token,
            .until = expires,
            .left = options_.ttl,
            .ended = previous};
  }

  answer_to_command confirm(driver_id d, token_id token, local_time now) {
    plain_lease& l = leases_[d];
    if (became_trip(d, token) || (l.token == token && l.state == phase::confirmed)) {
      return {.what = "confirmed again"};
    }
    const bool was_leased = l.state == phase::leased;
    const auto previous = see(d, now);
    // Whoever ends a lease by looking at it is told so, whatever token it came with.
    if (previous || (was_leased && l.token == token && now >= l.due)) {
      return {.what = "expired", .ended = previous};
    }
    if (was_leased && l.token != token) {
      return {.what = "other_token"};
    }
    if (!trips_[d].empty()) {
      return {.what = "on_trip"};
    }
    if (!was_leased) {
      return {.what = "no_lease"};
    }
    if (!options_.commit_on_confirm) {
      l.state = phase::confirmed;
      l.due = now + options_.confirm_hold;
      return {.what = "confirmed", .token = token, .holder = l.holder, .until = l.due};
    }
    if (const auto other = trip_of_ride_.find(l.ride);
        is_fenced() && other != trip_of_ride_.end()) {
      return {.what = "ride_taken",
              .token = other->second.first,
              .driver = other->second.second,
              .ended = end(d, lease_ending::cancelled)};
    }
    l.state = phase::over;
    heard_[d].insert(token);
    trips_[d] = {token};
    trip_of_ride_[l.ride] = {token, d};
    return {.what = "committed", .token = token, .holder = l.holder};
  }

  answer_to_command renew(driver_id d, token_id token, local_time now) {
    plain_lease& l = leases_[d];
    const bool was_leased = l.state == phase::leased;
    const auto previous = see(d, now);
    if (!was_leased || l.token != token) {
      return {.what = was_leased ? "other_token" : "no_lease", .ended = previous};
    }
    if (now >= l.due) {
      return {.what = "expired", .ended = previous};
    }
    l.due = now + options_.ttl + options_.grace;
    return {.what = "renewed", .token = token, .until = now + options_.ttl, .left = options_.ttl};
  }

  answer_to_command release(driver_id d, token_id token, lease_ending cause) {
    return is_standing(d, token) ? ended_by(d, cause) : nothing();
  }

  answer_to_command expire(driver_id d, token_id token, local_time now) {
    return is_standing(d, token) && now >= leases_[d].due ? ended_by(d, ran_out(d)) : nothing();
  }

  /// The last that it ends, and how many.
  answer_to_command sweep(local_time now, std::size_t at_most) {
    answer_to_command out = nothing();
    std::size_t n = 0;
    for (auto& [d, l] : leases_) {
      if (l.state != phase::over && now >= l.due && n < at_most) {
        const bool is_leased = l.state == phase::leased;
        out = ended_by(d, is_leased ? lease_ending::swept : lease_ending::unwritten);
        ++n;
      }
    }
    out.left = sim_duration{static_cast<std::int64_t>(n)};
    return out;
  }

  answer_to_command trip_began(driver_id d, token_id token) {
    if (is_old_word(d, token)) {
      return nothing();
    }
    heard_[d].insert(token);
    if (is_fenced()) {
      trips_[d].clear();  // that the older one is over is a word which is on its way
    }
    trips_[d].push_back(token);
    plain_lease& l = leases_[d];
    if (l.token == token) {
      l.state = phase::over;
    }
    const bool goes_elsewhere = l.state == phase::leased;
    return goes_elsewhere ? ended_by(d, lease_ending::cancelled) : nothing();
  }

  answer_to_command write_refused(driver_id d, token_id token) {
    return is_standing(d, token) ? ended_by(d, lease_ending::denied_by_ledger) : nothing();
  }

  bool trip_ended(driver_id d, token_id token, ride_id ride) {
    if (const auto of = trip_of_ride_.find(ride);
        of != trip_of_ride_.end() && of->second.first == token) {
      trip_of_ride_.erase(of);
    }
    if (std::erase(trips_[d], token) > 0) {
      return true;
    }
    // The end may come before the beginning.
    if (!is_old_word(d, token)) {
      heard_[d].insert(token);
      if (leases_[d].token == token) {
        leases_[d].state = phase::over;
      }
    }
    return false;
  }

  [[nodiscard]] std::vector<standing_lease> standing() const {
    std::vector<standing_lease> all;
    for (const auto& [d, l] : leases_) {
      if (l.state != phase::over) {
        all.emplace_back(d, l.token, l.holder, l.due, l.state == phase::confirmed);
      }
    }
    return all;
  }

  /// The ride is known of a driver's last lease alone.
  [[nodiscard]] std::vector<open_trip> trips() const {
    std::vector<open_trip> all;
    for (const auto& [d, open] : trips_) {
      const plain_lease& last = leases_.at(d);
      std::for_each(open.rbegin(), open.rend(), [&, d = d](token_id token) {
        all.emplace_back(d, token, last.token == token ? last.ride : ride_id::none());
      });
    }
    return all;
  }

  [[nodiscard]] local_time last_due(driver_id d) { return leases_[d].due; }
  [[nodiscard]] token_id trip_of(driver_id d) const {
    const auto trips = trips_.find(d);
    const bool is_on_one = trips != trips_.end() && !trips->second.empty();
    return is_on_one ? trips->second.back() : token_id::none();
  }

 private:
  [[nodiscard]] bool is_fenced() const { return options_.protocol.ledger == ledger_rule::fence; }

  /// Under a fence trips begin in the order of their tokens, and only the newest counts.
  bool became_trip(driver_id d, token_id token) {
    const std::set<token_id>& all = heard_[d];
    return is_fenced() ? !all.empty() && token == *all.rbegin() : all.contains(token);
  }
  bool is_old_word(driver_id d, token_id token) {
    const std::set<token_id>& all = heard_[d];
    return is_fenced() ? !all.empty() && token <= *all.rbegin() : all.contains(token);
  }

  bool is_standing(driver_id d, token_id token) {
    return leases_[d].token == token && leases_[d].state != phase::over;
  }

  /// A lease that is over ends when a command sees it, unless that is left to the sweep.
  std::optional<ending> see(driver_id d, local_time now) {
    const plain_lease& l = leases_[d];
    const bool is_seen = options_.ends_on_sight && l.state == phase::leased && now >= l.due;
    return is_seen ? std::optional(end(d, lease_ending::expired)) : std::nullopt;
  }

  lease_ending ran_out(driver_id d) {
    return leases_[d].state == phase::leased ? lease_ending::expired : lease_ending::unwritten;
  }

  ending end(driver_id d, lease_ending cause) {
    plain_lease& l = leases_[d];
    l.state = phase::over;
    return {l.token, d, l.ride, l.holder, cause};
  }

  answer_to_command ended_by(driver_id d, lease_ending cause) {
    return {.what = std::string(name_of(cause)), .ended = end(d, cause)};
  }

  static answer_to_command nothing() { return {.what = "nothing"}; }

  machine_options options_;
  std::map<driver_id, plain_lease> leases_;
  std::map<driver_id, std::vector<token_id>> trips_;  ///< that she is on, as they were heard of
  std::map<driver_id, std::set<token_id>> heard_;     ///< of which trips there was a word
  std::map<ride_id, std::pair<token_id, driver_id>> trip_of_ride_;
  std::uint64_t last_token_ = 0;
};

}  // namespace dibs::lease
