#include "base/random.hpp"
#include "catch.hpp"
#include "events/enum_names.hpp"
#include "lease/ledger_machine.hpp"

#include <algorithm>
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

namespace {

/// What a writer sends: who is to drive what, and how often she had been assigned when it looked.
struct attempt {
  token_id token;
  driver_id driver;
  ride_id ride;
  std::uint32_t version = 0;
};

struct answer_to_write {
  std::string what;
  token_id holder_token;
  driver_id holder_driver;
  bool is_remembered = false;  ///< a refusal that was given before; the ledger does not say so
};

answer_to_write told(const write_outcome& o) {
  if (const auto* yes = std::get_if<taken>(&o)) {
    return {yes->repeated ? "taken again" : "taken", {}, {}};
  }
  const auto& no = std::get<turned_down>(o);
  return {std::string(name_of(no.cause)), no.holder_token, no.holder_driver};
}

/// The same, plainly: all trips by their tokens, and those that are open once more.
class plain_ledger {
 public:
  explicit plain_ledger(ledger_rule rule) : rule_(rule) {}

  void raise_fence(driver_id d, token_id token) { newest_[d] = std::max(newest_[d], token); }

  answer_to_write write(const attempt& a) {
    const std::tuple key{a.token, a.driver, a.ride};
    if (rule_ != ledger_rule::compare_and_set) {
      if (was_taken_.contains(key)) {
        return {"taken again", {}, {}};
      }
      if (trips_.contains(a.token) && (rule_ == ledger_rule::fence || is_open(a.token))) {
        return {"stale_token", {}, {}};
      }
      if (const auto before = refused_.find(key); before != refused_.end()) {
        return before->second;
      }
    }
    answer_to_write answer = look_at(a);
    if (answer.what == "taken") {
      trips_[a.token] = open_[a.token] = {a.driver, a.ride};
      was_taken_.insert(key);
      last_written_[a.driver] = a.token;
      ++assigned_[a.driver];
      raise_fence(a.driver, a.token);
    } else {
      refused_[key] = answer;
      refused_[key].is_remembered = true;
    }
    return answer;
  }

  bool close(token_id token) { return open_.erase(token) != 0; }

  [[nodiscard]] bool is_open(token_id token) const { return open_.contains(token); }

  [[nodiscard]] token_id open_trip_of(driver_id d) const {
    const auto last = last_written_.find(d);
    if (last == last_written_.end()) {
      return token_id::none();
    }
    const auto trip = open_.find(last->second);
    return trip != open_.end() && trip->second.first == d ? last->second : token_id::none();
  }

  /// Whose trip this was, if it ever was one.
  [[nodiscard]] std::pair<driver_id, ride_id> trip_at(token_id token) const {
    return trips_.at(token);
  }
  [[nodiscard]] std::uint32_t version_of(driver_id d) { return assigned_[d]; }

  /// An open trip with this token or a later one; else none.
  [[nodiscard]] token_id open_from(token_id token) const {
    const auto found = open_.lower_bound(token);
    return found != open_.end() ? found->first : token_id::none();
  }

 private:
  answer_to_write look_at(const attempt& a) {
    const bool is_fence = rule_ == ledger_rule::fence;
    const bool is_by_version = rule_ == ledger_rule::compare_and_set;
    if (is_by_version && a.version != assigned_[a.driver]) {
      return {"stale_version", {}, {}};
    }
    if (is_fence && a.token < newest_[a.driver]) {
      return {"stale_token", {}, {}};
    }
    if (is_fence || is_by_version) {
      for (const auto& [token, trip] : open_) {
        if (trip.first == a.driver) {
          return {"driver_busy", {}, {}};
        }
      }
    }
    if (is_fence || rule_ == ledger_rule::per_ride) {
      for (const auto& [token, trip] : open_) {
        if (trip.second == a.ride) {
          return {"ride_taken", token, trip.first};
        }
      }
    }
    return {"taken", {}, {}};
  }

  ledger_rule rule_;
  std::map<token_id, std::pair<driver_id, ride_id>> trips_;  ///< the last with each token
  std::map<token_id, std::pair<driver_id, ride_id>> open_;
  std::map<driver_id, token_id> last_written_;
  std::map<driver_id, token_id> newest_;
  std::map<driver_id, std::uint32_t> assigned_;
  std::set<std::tuple<token_id, driver_id, ride_id>> was_taken_;
  std::map<std::tuple<token_id, driver_id, ride_id>, answer_to_write> refused_;
};

/// How often of 100 times a writer looks for a driver, writes, a trip ends; else a fence rises.
struct ledger_mixture {
  std::uint64_t looks = 0;
  std::uint64_t writes = 0;
  std::uint64_t ends = 0;
};

class both_ledgers {
 public:
  both_ledgers(ledger_rule rule, std::uint64_t seed)
      : rule_(rule),
        record_(rule, drivers),
        plain_(rule),
        random_(stream::keyed(seed, purpose::pick)) {
    look();
  }

  void step(const ledger_mixture& of) {
    const std::uint64_t what = random_.below(100);
    if (what < of.looks) {
      look();
    } else if (what < of.looks + of.writes) {
      write();
    } else if (what < of.looks + of.writes + of.ends) {
      close();
    } else {
      const attempt& a = some_attempt();
      record_.raise_fence(a.driver, a.token);
      plain_.raise_fence(a.driver, a.token);
    }
    const token_id token = some_attempt().token;
    REQUIRE(record_.is_open(token) == plain_.is_open(token));
    for (std::uint32_t i = 0; i < drivers; ++i) {
      REQUIRE(record_.open_trip_of(driver_id{i}) == plain_.open_trip_of(driver_id{i}));
    }
  }

  [[nodiscard]] const std::map<std::string, int>& came() const { return came_; }

 private:
  static constexpr std::uint32_t drivers = 4;
  static constexpr std::uint32_t rides = 6;

  /// What it found is written later, if ever, maybe more than once, and after what was found since.
  void look() {
    const driver_id d = some_driver();
    attempts_.push_back({{attempts_.size() + 1}, d, some_ride(), plain_.version_of(d)});
  }

  void write() {
    attempt a = some_attempt();
    // Now and then some manager has counted twice. No writer that reads versions has a manager.
    if (rule_ != ledger_rule::compare_and_set && random_.below(8) == 0) {
      a.driver = some_driver();
      a.ride = some_ride();
    }
    CAPTURE(a.token.value, a.driver.value, a.ride.value, a.version);
    const answer_to_write answer = told(record_.write(a.token, a.driver, a.ride, a.version));
    const answer_to_write plain = plain_.write(a);
    REQUIRE(answer.what == plain.what);
    REQUIRE(answer.holder_token == plain.holder_token);
    REQUIRE(answer.holder_driver == plain.holder_driver);
    ++came_[plain.is_remembered ? plain.what + " again" : plain.what];
  }

  /// Mostly one that is open, of whatever age.
  void close() {
    const token_id token = random_.below(3) == 0
                               ? some_attempt().token
                               : plain_.open_from({random_.below(attempts_.size()) + 1});
    const auto closed = record_.close(token);
    REQUIRE(closed.has_value() == plain_.close(token));
    if (closed) {
      REQUIRE(std::pair(closed->driver, closed->ride) == plain_.trip_at(token));
      REQUIRE_FALSE(closed->open);
    }
    ++came_[closed ? "closed" : "not open"];
  }

  /// One of the last.
  const attempt& some_attempt() {
    const std::uint64_t back = random_.below(std::min<std::uint64_t>(attempts_.size(), 12));
    return attempts_[attempts_.size() - 1 - back];
  }
  driver_id some_driver() { return driver_id{static_cast<std::uint32_t>(random_.below(drivers))}; }
  ride_id some_ride() { return ride_id{static_cast<std::uint32_t>(random_.below(rides))}; }

  ledger_rule rule_;
  ledger record_;
  plain_ledger plain_;
  std::vector<attempt> attempts_;
  std::map<std::string, int> came_;
  stream random_;
};

/// What may come of a write under each rule; what is refused again was refused in the same words
/// before, whatever has changed since.
std::vector<std::string> outcomes_under(ledger_rule rule) {
  switch (rule) {
    case ledger_rule::take_all:
      return {"taken", "taken again", "stale_token"};
    case ledger_rule::fence:
      return {"taken",
              "taken again",
              "stale_token",
              "stale_token again",
              "driver_busy",
              "driver_busy again",
              "ride_taken",
              "ride_taken again"};
    case ledger_rule::compare_and_set:
      return {"taken", "stale_version", "driver_busy"};
    case ledger_rule::per_ride:
      return {"taken", "taken again", "stale_token", "ride_taken", "ride_taken again"};
  }
  return {};
}

}  // namespace

// As many writes as there are tries, writes that are sent over and over, trips that hardly ever
// end, trips that end at once, and fences that rise all the time.
TEST_CASE("ledger: answers as plain maps do, over random writes, ends and fences") {
  const ledger_rule rule = GENERATE(ledger_rule::take_all,
                                    ledger_rule::fence,
                                    ledger_rule::compare_and_set,
                                    ledger_rule::per_ride);
  const std::vector<ledger_mixture> mixtures{
      {30, 35, 30}, {10, 70, 15}, {40, 50, 5}, {25, 25, 48}, {25, 30, 25}};
  CAPTURE(rule);
  std::map<std::string, int> came;
  for (const ledger_mixture& of : mixtures) {
    CAPTURE(of.looks, of.writes, of.ends);
    both_ledgers ledgers(rule, of.looks + of.writes);
    for (int i = 0; i < 10'000; ++i) {
      ledgers.step(of);
    }
    for (const auto& [what, times] : ledgers.came()) {
      came[what] += times;
    }
  }
  std::vector<std::string> expected = outcomes_under(rule);
  expected.insert(expected.end(), {"closed", "not open"});
  for (const std::string& what : expected) {
    CAPTURE(what);
    CHECK(came[what] > 200);
  }
  CHECK(came.size() == expected.size());
}
