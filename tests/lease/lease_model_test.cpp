#include "base/random.hpp"
#include "catch.hpp"
#include "events/names.hpp"
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

using namespace dibs;
using namespace dibs::lease;
using events::lease_ending;

namespace {

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

std::optional<ending> plainly(const std::optional<ended>& e) {
  return e ? std::optional(ending{e->token, e->driver, e->ride, e->holder, e->cause})
           : std::nullopt;
}

answer_to_command told(const acquire_outcome& o) {
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

answer_to_command told(const refused& no) {
  return {.what = std::string(name_of(no.cause)),
          .token = no.holder.token,
          .driver = no.holder.driver,
          .ended = plainly(no.previous)};
}

/// Of a repeated answer only that it is one: the lease that it speaks of may be another by then.
answer_to_command told(const confirm_outcome& o) {
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

answer_to_command told(const renew_outcome& o) {
  if (const auto* no = std::get_if<refused>(&o)) {
    return told(*no);
  }
  const auto& yes = std::get<renewed>(o);
  return {.what = "renewed", .token = yes.token, .until = yes.expires, .left = yes.ttl};
}

answer_to_command told(const std::optional<ended>& e) {
  return {.what = e ? std::string(name_of(e->cause)) : "nothing", .ended = plainly(e)};
}

answer_to_command told(const std::vector<ended>& all) {
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
    if (trips_.contains(d)) {
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
    if (trips_.contains(d)) {
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
    trips_[d] = token;
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
    trips_[d] = token;
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
    if (const auto trip = trips_.find(d); trip != trips_.end() && trip->second == token) {
      trips_.erase(trip);
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
    for (const auto& [d, token] : trips_) {
      const plain_lease& last = leases_.at(d);
      all.emplace_back(d, token, last.token == token ? last.ride : ride_id::none());
    }
    return all;
  }

  [[nodiscard]] local_time last_due(driver_id d) { return leases_[d].due; }
  [[nodiscard]] token_id trip_of(driver_id d) const {
    const auto trip = trips_.find(d);
    return trip == trips_.end() ? token_id::none() : trip->second;
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
  std::map<driver_id, token_id> trips_;
  std::map<driver_id, std::set<token_id>> heard_;  ///< of which trips there was a word
  std::map<ride_id, std::pair<token_id, driver_id>> trip_of_ride_;
  std::uint64_t last_token_ = 0;
};

/// How often of 100 times each command comes, else a clean-up, and how far apart.
struct command_mixture {
  std::uint64_t acquires = 0;
  std::uint64_t confirms = 0;
  std::uint64_t renewals = 0;
  std::uint64_t releases = 0;
  std::uint64_t words = 0;  ///< of the ledger; none where the confirm commits
  std::uint64_t ends = 0;
  sim_duration apart_max{};
};

class both_machines {
 public:
  both_machines(const machine_options& options, std::uint64_t seed)
      : options_(options),
        leases_(options, drivers),
        plain_(options),
        random_(stream::keyed(seed, purpose::pick)) {}

  void step(const command_mixture& of) {
    let_time_pass(of.apart_max);
    const std::uint64_t what = random_.below(100);
    auto is_next = [&, sum = std::uint64_t{0}](std::uint64_t often) mutable {
      return what < (sum += often);
    };
    const driver_id d = some_driver();
    const token_id token = some_token(d);
    CAPTURE(now_.time_since_epoch().count(), d.value, token.value);
    if (is_next(of.acquires)) {
      acquire(d);
    } else if (is_next(of.confirms)) {
      note("confirm", told(leases_.confirm(d, token, now_)), plain_.confirm(d, token, now_));
    } else if (is_next(of.renewals)) {
      note("renew", told(leases_.renew(d, token, now_)), plain_.renew(d, token, now_));
    } else if (is_next(of.releases)) {
      const auto why = random_.below(2) == 0 ? lease_ending::released : lease_ending::declined;
      note("release", told(leases_.release(d, token, why)), plain_.release(d, token, why));
    } else if (is_next(of.words)) {
      hear_ledger(d);
    } else if (is_next(of.ends)) {
      end_trip(d);
    } else {
      clean_up(d, token);
    }
    require_same_state();
  }

  [[nodiscard]] const std::map<std::string, int>& came() const { return came_; }

 private:
  static constexpr std::uint32_t drivers = 4;

  /// At times to just before, at or just after the instant at which some lease is due.
  void let_time_pass(sim_duration apart_max) {
    const auto most = static_cast<std::uint64_t>(apart_max.count());
    local_time next = now_ + sim_duration{static_cast<std::int64_t>(random_.below(most))};
    if (random_.below(8) == 0) {
      const auto past = sim_duration{static_cast<std::int64_t>(random_.below(3))} - 1ns;
      next = plain_.last_due(some_driver()) + past;
    }
    now_ = std::max(now_, next);
  }

  void acquire(driver_id d) {
    wish& w = last_wish_[d];
    if (random_.below(3) != 0) {
      w = {ride_id{static_cast<std::uint32_t>(random_.below(5))},
           matcher_id{static_cast<std::uint32_t>(random_.below(2))},
           static_cast<std::uint32_t>(random_.below(3))};
    }
    const auto outcome = told(leases_.acquire(d, w.ride, w.holder, now_, w.request));
    note("acquire", outcome, plain_.acquire(d, w.ride, w.holder, now_, w.request));
    if (outcome.what == "granted") {
      given_[d].push_back(outcome.token);
      ride_of_[outcome.token] = w.ride;
    }
  }

  void hear_ledger(driver_id d) {
    const token_id token = some_own_token(d);
    if (options_.commit_on_confirm || !token.is_some()) {
      return;
    }
    if (random_.below(3) == 0) {
      note("refusal", told(leases_.write_refused(d, token)), plain_.write_refused(d, token));
    } else {
      note("trip", told(leases_.trip_began(d, token)), plain_.trip_began(d, token));
    }
  }

  /// Mostly of the trip that she is on; at times of one before it, or of one that is not heard of.
  void end_trip(driver_id d) {
    const token_id token = random_.below(8) == 0 ? some_own_token(d) : plain_.trip_of(d);
    if (!token.is_some()) {
      return;
    }
    const ride_id ride = ride_of_.at(token);
    const bool was_on_it = leases_.trip_ended(d, token, ride);
    REQUIRE(was_on_it == plain_.trip_ended(d, token, ride));
    ++came_[was_on_it ? "end: of her trip" : "end: of another"];
  }

  void clean_up(driver_id d, token_id token) {
    if (random_.below(4) != 0) {
      // A timer comes at the very instant, or late.
      now_ = std::max(now_, random_.below(2) == 0 ? plain_.last_due(d) : now_);
      note("expire", told(leases_.expire(d, token, now_)), plain_.expire(d, token, now_));
      return;
    }
    const std::size_t most = random_.below(2) == 0 ? 1 : SIZE_MAX;
    note("sweep", told(leases_.sweep(now_, most)), plain_.sweep(now_, most));
  }

  void note(const char* command, const answer_to_command& is, const answer_to_command& plain) {
    CAPTURE(command);
    REQUIRE(is.what == plain.what);
    REQUIRE(is == plain);
    ++came_[std::string(command) + ": " + is.what];
  }

  void require_same_state() {
    std::vector<standing_lease> standing;
    for (const machine::due& l : leases_.pending()) {
      standing.emplace_back(l.driver, l.token, l.holder, l.when, l.confirmed);
    }
    REQUIRE(standing == plain_.standing());
    std::vector<open_trip> trips;
    for (const machine::open_trip& t : leases_.trips()) {
      trips.emplace_back(t.driver, t.token, t.ride);
    }
    REQUIRE(trips == plain_.trips());
  }

  driver_id some_driver() { return driver_id{static_cast<std::uint32_t>(random_.below(drivers))}; }

  /// Mostly her last lease, else one of the few before it; none if she had none.
  token_id some_own_token(driver_id d) {
    const std::vector<token_id>& all = given_[d];
    if (all.empty()) {
      return token_id::none();
    }
    const std::uint64_t few = std::min<std::uint64_t>(all.size(), 4);
    return all[all.size() - 1 - (random_.below(3) != 0 ? 0 : random_.below(few))];
  }

  /// Her own, and at times another driver's.
  token_id some_token(driver_id d) {
    return some_own_token(random_.below(10) == 0 ? some_driver() : d);
  }

  struct wish {
    ride_id ride{0};
    matcher_id holder{0};
    std::uint32_t request = 0;
  };

  machine_options options_;
  machine leases_;
  plain_leases plain_;
  local_time now_{};
  std::map<driver_id, std::vector<token_id>> given_;
  std::map<token_id, ride_id> ride_of_;
  std::map<driver_id, wish> last_wish_;
  std::map<std::string, int> came_;
  stream random_;
};

/// What each command may come to.
std::vector<std::string> outcomes_under(const machine_options& options) {
  std::vector<std::string> all{
      "acquire: granted",   "acquire: granted again",   "acquire: leased",
      "acquire: on_trip",   "confirm: confirmed again", "confirm: expired",
      "confirm: no_lease",  "confirm: on_trip",         "confirm: other_token",
      "end: of another",    "end: of her trip",         "expire: expired",
      "expire: nothing",    "release: declined",        "release: nothing",
      "release: released",  "renew: expired",           "renew: no_lease",
      "renew: other_token", "renew: renewed",           "sweep: nothing",
      "sweep: swept"};
  if (!options.commit_on_confirm) {
    all.insert(all.end(),
               {"confirm: confirmed",
                "expire: unwritten",
                "sweep: unwritten",
                "refusal: denied_by_ledger",
                "refusal: nothing",
                "trip: cancelled",
                "trip: nothing"});
    return all;
  }
  all.emplace_back("confirm: committed");
  if (options.protocol.ledger == ledger_rule::fence) {
    all.emplace_back("confirm: ride_taken");
  }
  return all;
}

struct plain_setting {
  protocol which{};
  bool commit_on_confirm = false;
  bool ends_on_sight = true;
  sim_duration grace{};
};

}  // namespace

// A day like any other, a crowd within a lease's time, one in which nearly every lease runs out,
// many trips that end at once, and holders that renew and give back.
TEST_CASE("lease machine: answers as plain maps do, over random commands") {
  const plain_setting s = GENERATE(values<plain_setting>({{protocol::lease, false, true, 0s},
                                                          {protocol::fenced, false, true, 2s},
                                                          {protocol::fenced, false, false, 0s},
                                                          {protocol::lease, true, false, 2s},
                                                          {protocol::fenced, true, true, -2s}}));
  const std::vector<command_mixture> mixtures{{30, 22, 8, 4, 12, 12, 3s},
                                              {35, 20, 10, 8, 8, 9, 500ms},
                                              {32, 22, 5, 3, 6, 12, 12s},
                                              {25, 25, 2, 3, 20, 20, 2s},
                                              {30, 5, 30, 15, 3, 7, 4s}};
  machine_options options;
  options.protocol = rules_of(s.which);
  options.commit_on_confirm = s.commit_on_confirm;
  options.ends_on_sight = s.ends_on_sight;
  options.grace = s.grace;
  options.confirm_hold = 10s;
  CAPTURE(options.protocol.name, s.commit_on_confirm, s.ends_on_sight, s.grace.count());
  std::map<std::string, int> came;
  for (const command_mixture& of : mixtures) {
    CAPTURE(of.acquires, of.confirms, of.renewals, of.releases, of.apart_max.count());
    both_machines machines(options, of.acquires + of.confirms);
    for (int i = 0; i < 10'000; ++i) {
      machines.step(of);
    }
    for (const auto& [what, times] : machines.came()) {
      came[what] += times;
    }
  }
  const std::vector<std::string> expected = outcomes_under(options);
  for (const std::string& what : expected) {
    CAPTURE(what);
    CHECK(came[what] > 100);
  }
  CHECK(came.size() == expected.size());
}
