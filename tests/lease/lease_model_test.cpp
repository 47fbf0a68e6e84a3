#include "base/random.hpp"
#include "catch.hpp"
#include "lease/lease_machine.hpp"
#include "plain_leases.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

using namespace dibs;
using namespace dibs::lease;

namespace {

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
