#include "base/random.hpp"
#include "catch.hpp"
#include "history.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

using namespace dibs;
using namespace dibs::checkers;
using namespace dibs::checkers::test;
using events::lease_ending;

namespace {

/// B6 alone: settled from 20 s on, a ride is tried for within 5 s, drivers within 1 km.
options only_recovery() {
  auto what = fenced();
  what.promises = 1U << static_cast<unsigned>(invariant::service_recovers);
  what.recovery = recovery_bounds{.from = at(20s), .within = 5s, .candidates = 2, .radius = 1000};
  return what;
}

constexpr point near_by{600, 0, 0};
constexpr point nearer{500, 0, 0};
constexpr point nearest{400, 0, 0};
constexpr point far{1001, 0, 0};

/// A driver who came online, and stays.
struct arrival {
  sim_time when{};
  point place;
};

/// Up to 200 drivers around the origin, in order of arrival: most are there from the start, some
/// come while a ride waits.
std::vector<arrival> crowd(stream& random) {
  std::vector<arrival> all(1 + random.below(200));
  const double side = 300.0 * static_cast<double>(1 + random.below(6));
  for (arrival& one : all) {
    one.when = random.below(4) == 0 ? at((31 + static_cast<int>(random.below(60))) * 1s) : at(0s);
    one.place = {side * (random.unit() - 0.5), side * (random.unit() - 0.5), 0};
  }
  std::stable_sort(
      all.begin(), all.end(), [](const arrival& a, const arrival& b) { return a.when < b.when; });
  return all;
}

double square_of(const point& p) { return p.x * p.x + p.y * p.y; }

std::vector<std::uint32_t> by_distance(const std::vector<arrival>& drivers) {
  std::vector<std::uint32_t> order(drivers.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return square_of(drivers[a].place) < square_of(drivers[b].place);
  });
  return order;
}

/// Whether a ride at the origin that waits until 100 s was overlooked by the rule itself, which
/// compares everyone with everyone. Those `tried` are out of the question.
bool is_overlooked(const std::vector<arrival>& drivers,
                   const std::vector<bool>& tried,
                   sim_time since,
                   const recovery_bounds& bounds) {
  for (std::size_t d = 0; d < drivers.size(); ++d) {
    const double distance = square_of(drivers[d].place);
    if (tried[d] || distance > *bounds.radius * *bounds.radius ||
        at(100s) - std::max(drivers[d].when, since) <= bounds.within) {
      continue;
    }
    const auto ahead =
        std::count_if(drivers.begin(), drivers.end(), [distance](const arrival& other) {
          return square_of(other.place) < distance;
        });
    if (std::cmp_less(ahead, bounds.candidates)) {
      return true;
    }
  }
  return false;
}

/// Rides that ask for drivers of a small town at random, and often too late; leases, trips, people
/// who leave, and a matcher that crashes.
class bustle {
 public:
  static constexpr std::uint32_t drivers = 40;
  static constexpr sim_duration length = 300s;

  explicit bustle(std::uint64_t seed) : random_(seed) {
    for (std::uint32_t d = 0; d < drivers; ++d) {
      told_.at(0s).online(d, somewhere());
    }
    told_.request(rides_++, somewhere());
    for (sim_duration t = 0s; t < length; t += random_.below(900) * 1ms) {
      told_.at(t);
      act();
    }
  }

  [[nodiscard]] const history& told() const { return told_; }

 private:
  struct deal {
    std::uint64_t token = 0;
    std::uint32_t driver = 0;
    std::uint32_t ride = 0;
  };

  point somewhere() { return {2500 * random_.unit(), 2500 * random_.unit(), 0}; }
  std::uint32_t some_ride() { return static_cast<std::uint32_t>(random_.below(rides_)); }

  deal taken_from(std::vector<deal>& all) {
    const auto i = all.begin() + static_cast<std::ptrdiff_t>(random_.below(all.size()));
    const deal one = *i;
    all.erase(i);
    return one;
  }

  void act() {
    switch (random_.below(12)) {
      case 0:
        told_.request(rides_++, somewhere());
        break;
      case 1:
        told_.add(events::ride_abandoned{ride_id{some_ride()}, events::abandonment::patience});
        break;
      case 2:
        if (is_down_ || random_.below(8) == 0) {
          is_down_ ? told_.holder_restart() : told_.holder_crash();
          is_down_ = !is_down_;
          asked_.clear();
        }
        break;
      case 3:
        if (!trips_.empty()) {
          told_.trip_end(taken_from(trips_).token);
        }
        break;
      case 4:
        if (const auto d = static_cast<std::uint32_t>(random_.below(drivers));
            random_.below(3) == 0) {
          random_.below(2) == 0 ? told_.offline(d) : told_.online(d, somewhere());
        }
        break;
      default:
        asked_.empty() || random_.below(3) == 0 ? ask() : settle(taken_from(asked_));
    }
  }

  void ask() {
    const auto d = static_cast<std::uint32_t>(random_.below(drivers));
    asked_.push_back({++tokens_, d, some_ride()});
    told_.asks(static_cast<std::uint32_t>(tokens_), d, asked_.back().ride);
  }

  void settle(const deal& one) {
    const bool is_free = std::none_of(
        trips_.begin(), trips_.end(), [&](const deal& t) { return t.driver == one.driver; });
    told_.grant(one.token, one.driver, one.ride);
    if (is_free && random_.below(3) == 0) {
      told_.confirm(one.token).commit(one.token);
      trips_.push_back(one);
    } else {
      told_.end(one.token);
    }
    told_.close_try(one.token);
  }

  stream random_;
  history told_;
  std::uint32_t rides_ = 0;
  std::uint64_t tokens_ = 0;
  std::vector<deal> asked_;
  std::vector<deal> trips_;
  bool is_down_ = false;
};

}  // namespace

TEST_CASE("recovery: a ride that nobody tries for near a free driver is overlooked", "[checkers]") {
  history h;
  h.at(0s).online(3, near_by).at(30s).request(10);
  CHECK(broken_in(h, only_recovery()) == codes{"B6"});
  CHECK(words_of(h, only_recovery()) ==
        "ride 11 waited for 70.000 s without a try although driver 4 was free");
}

TEST_CASE("recovery: a try in time is enough", "[checkers]") {
  const auto tried = [](sim_duration when) {
    return history{}
        .at(0s)
        .online(3, near_by)
        .at(30s)
        .request(10)
        .at(when)
        .asks(1, 3, 10)
        .grant(1, 3, 10);
  };
  CHECK(broken_in(tried(35s).confirm(1).commit(1), only_recovery()) == nothing);
  CHECK(broken_in(tried(35s + 1ns).confirm(1).commit(1), only_recovery()) == codes{"B6"});
}

TEST_CASE("recovery: before things have settled nothing is asked", "[checkers]") {
  history h;
  h.at(0s).online(3, near_by).at(1s).request(10);
  CHECK(broken_in(history(h).at(25s).asks(1, 3, 10).grant(1, 3, 10).confirm(1).commit(1),
                  only_recovery()) == nothing);
  CHECK(broken_in(h.at(26s).asks(1, 3, 10).grant(1, 3, 10).confirm(1).commit(1), only_recovery()) ==
        codes{"B6"});
}

TEST_CASE("recovery: a driver who was tried may be asked again when she has rested", "[checkers]") {
  auto what = only_recovery();
  const auto waits_until = [&what](sim_duration t) {
    history h;
    h.at(0s).online(3, near_by).at(30s).request(10).asks(1, 3, 10).grant(1, 3, 10);
    h.at(40s).end(1, lease_ending::swept).close_try(1);
    return broken_in(h.at(t).asks(2, 3, 10).grant(2, 3, 10).confirm(2).commit(2), what);
  };
  CHECK(waits_until(100s) == nothing);
  what.recovery->rest = 20s;
  CHECK(waits_until(65s) == nothing);
  CHECK(waits_until(65s + 1ns) == codes{"B6"});
}

TEST_CASE("recovery: what struck on its way has time to come right", "[checkers]") {
  auto what = only_recovery();
  what.recovery->settling = 10s;
  const auto after = [&what](const auto& fault, sim_duration asked) {
    history h;
    h.at(0s).online(3, near_by).at(30s).request(10).at(32s).add(fault);
    return broken_in(h.at(asked).asks(1, 3, 10).grant(1, 3, 10).confirm(1).commit(1), what);
  };
  const events::work_failed error{node_of(matcher_id{1}), ride_id{10}, driver_id{3}, {}, false};
  CHECK(after(error, 47s) == nothing);
  CHECK(after(error, 47s + 1ns) == codes{"B6"});
  events::message_tampered late;
  late.by = 3s;
  CHECK(after(late, 50s) == nothing);
  CHECK(after(late, 50s + 1ns) == codes{"B6"});
}

TEST_CASE("recovery: nothing is asked while a node is out of action", "[checkers]") {
  auto what = only_recovery();
  what.recovery->settling = 10s;
  const node_id one = node_of(matcher_id{1});
  const node_id other = node_of(matcher_id{2});
  history h;
  h.at(0s).online(3, near_by).at(30s).request(10);
  h.at(31s).add(events::node_paused{one}).add(events::node_crashed{other});
  h.at(60s).add(events::node_resumed{one});
  CHECK(broken_in(h, what) == nothing);
  h.at(70s).add(events::node_restarted{other});
  CHECK(broken_in(history(h).at(85s).asks(1, 3, 10).grant(1, 3, 10).confirm(1).commit(1), what) ==
        nothing);
  CHECK(broken_in(h.at(85s + 1ns).asks(1, 3, 10).grant(1, 3, 10).confirm(1).commit(1), what) ==
        codes{"B6"});
}

TEST_CASE("recovery: a driver who is far, held or was tried is none to have", "[checkers]") {
  CHECK(broken_in(history{}.at(0s).online(3, far).at(30s).request(10), only_recovery()) == nothing);
  history held;
  held.at(0s).online(3, near_by).at(29s).grant(5, 3, 9, 100s).at(30s).request(10);
  CHECK(broken_in(held, only_recovery()) == nothing);
  history tried;
  tried.at(0s).online(3, near_by).at(30s).request(10).asks(1, 3, 10).grant(1, 3, 10);
  CHECK(broken_in(tried.at(40s).end(1, lease_ending::swept).close_try(1), only_recovery()) ==
        nothing);
}

TEST_CASE("recovery: a driver is free again when her trip is over", "[checkers]") {
  history h;
  h.at(0s).online(3, near_by).at(25s).grant(1, 3, 9).confirm(1).commit(1).at(30s).request(10);
  CHECK(broken_in(history(h), only_recovery()) == nothing);
  h.at(50s).add(events::trip_ended{token_id{1}, driver_id{3}, ride_id{9}, near_by});
  CHECK(broken_in(h, only_recovery()) == codes{"B6"});
}

TEST_CASE("recovery: who stands behind as many nearer ones as a matcher looks at proves nothing",
          "[checkers]") {
  history h;
  h.at(0s).online(3, near_by).online(4, nearer).at(30s).request(10);
  h.asks(1, 4, 10).denied(1, 4, 10).add(events::lease_denied{driver_id{4}, ride_id{10}, {}, {}});
  h.add(
      events::try_closed{{}, driver_id{4}, ride_id{10}, matcher_id{0}, events::try_ending::denied});
  CHECK(broken_in(h, only_recovery()) == codes{"B6"});
  history behind;
  behind.at(0s).online(3, near_by).online(4, nearer).online(5, nearest).at(30s).request(10);
  behind.asks(1, 4, 10).asks(2, 5, 10);
  behind.add(
      events::try_closed{{}, driver_id{5}, ride_id{10}, matcher_id{0}, events::try_ending::denied});
  CHECK(broken_in(behind, only_recovery()) == nothing);
}

TEST_CASE("recovery: the lease of a holder that crashed is gone when things have settled",
          "[checkers]") {
  history h;
  h.at(5s).grant(1, 3, 10, 60s).at(6s).holder_crash().at(7s).holder_restart();
  CHECK(broken_in(history(h).at(20s).end(1, lease_ending::swept), only_recovery()) == nothing);
  CHECK(broken_in(history(h).at(21s).end(1, lease_ending::swept), only_recovery()) == codes{"B6"});
  CHECK(broken_in(h, only_recovery()) == codes{"B6"});
  auto unswept = only_recovery();
  unswept.recovery->orphans_end = false;
  CHECK(broken_in(h, unswept) == nothing);
}

TEST_CASE("recovery: a ride is tried for while one of several matchers is at it", "[checkers]") {
  const auto closed = [](history& h, std::uint32_t m, std::uint32_t d) {
    h.add(events::try_closed{
        {}, driver_id{d}, ride_id{10}, matcher_id{m}, events::try_ending::denied});
  };
  const auto asks = [](history& h, std::uint32_t m, std::uint32_t d) {
    h.add(events::call_made{{node_kind::matcher, m},
                            events::call::acquire,
                            driver_id{d},
                            ride_id{10},
                            token_id::none(),
                            1});
  };
  history h;
  h.at(0s).online(3, near_by).at(30s).request(10);
  asks(h, 0, 4);
  asks(h, 1, 5);
  closed(h.at(31s), 1, 5);
  history both = h;
  closed(both.at(60s), 0, 4);
  both.at(64s).asks(2, 3, 10);
  CHECK(broken_in(both, only_recovery()) == nothing);
  history late = h;
  closed(late.at(60s), 0, 4);
  late.at(66s).asks(2, 3, 10);
  CHECK(broken_in(late, only_recovery()) == codes{"B6"});
}

TEST_CASE("recovery: in a crowd it is overlooked who is so by comparing all with all",
          "[checkers]") {
  auto what = only_recovery();
  int overlooked = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    stream random(seed);
    what.recovery->candidates = static_cast<std::uint32_t>(1 + random.below(4));
    const std::vector<arrival> drivers = crowd(random);
    what.drivers = static_cast<std::uint32_t>(drivers.size());
    std::vector<bool> tried(drivers.size());
    history h;
    bool has_asked = false;
    for (std::uint32_t d = 0; d < drivers.size(); ++d) {
      if (!has_asked && drivers[d].when > at(30s)) {
        h.at(30s).request(10);
        has_asked = true;
      }
      h.at(drivers[d].when.time_since_epoch()).online(d, drivers[d].place);
    }
    if (!has_asked) {
      h.at(30s).request(10);
    }
    const auto ordered = by_distance(drivers);
    const std::size_t refused = std::min<std::size_t>(random.below(6), drivers.size());
    for (std::size_t n = 0; n < refused; ++n) {
      tried[ordered[n]] = true;
      h.at(99s).add(events::lease_denied{driver_id{ordered[n]}, ride_id{10}, {}, {}});
    }
    const bool expected = is_overlooked(drivers, tried, at(30s), *what.recovery);
    overlooked += expected ? 1 : 0;
    CAPTURE(seed);
    REQUIRE(broken_in(h, what) == (expected ? codes{"B6"} : nothing));
  }
  CHECK(overlooked > 40);
  CHECK(overlooked < 360);
}

TEST_CASE("recovery: joined several times, spells give the judgement that they give at the end",
          "[checkers]") {
  auto at_the_end = only_recovery();
  at_the_end.drivers = bustle::drivers;
  at_the_end.recovery->rest = 30s;
  auto often = at_the_end;
  often.recovery->joined_at = 1;
  std::uint64_t overlooked = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const bustle b(seed);
    const check_result one = judged(b.told().events(), at_the_end, bustle::length);
    const check_result other = judged(b.told().events(), often, bustle::length);
    CAPTURE(seed);
    REQUIRE(one.violation_count == other.violation_count);
    REQUIRE(one.violations.size() == other.violations.size());
    for (std::size_t i = 0; i < one.violations.size(); ++i) {
      CHECK(one.violations[i].what == other.violations[i].what);
      CHECK(one.violations[i].event_index == other.violations[i].event_index);
    }
    overlooked += one.violation_count;
  }
  // As many as were found when every spell and every ride was kept until the end.
  CHECK(overlooked == 10'457);
}
