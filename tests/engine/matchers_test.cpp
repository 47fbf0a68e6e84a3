/// Whom matchers ask in whole runs: several at once, and each its own rides.
#include "catch.hpp"
#include "engine/run.hpp"
#include "scenarios.hpp"
#include "whole_runs.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

using namespace dibs;
using test::history;
using test::keeper;
using test::run_of;
using test::small_town;

namespace {

/// The drivers who get the first offers of the only ride, at one instant, each from another
/// matcher.
std::set<driver_id> asked_at_once(const history& seen) {
  const auto offers = seen.facts<events::offer_sent>();
  std::set<driver_id> asked;
  std::set<matcher_id> by;
  for (const auto& [t, f] : offers) {
    if (t == offers.front().first) {
      asked.insert(f.driver);
      by.insert(f.matcher);
    }
  }
  REQUIRE(asked.size() == by.size());
  return asked;
}

std::set<driver_id> nearest_to_ride(const history& seen, std::size_t count) {
  const auto rides = seen.facts<events::ride_requested>();
  REQUIRE(rides.size() == 1);
  const point origin = rides[0].second.origin;
  std::vector<std::pair<double, driver_id>> drivers;
  for (const auto& [t, f] : seen.facts<events::driver_came_online>()) {
    const double x = f.place.x - origin.x;
    const double y = f.place.y - origin.y;
    const double z = f.place.z - origin.z;
    drivers.emplace_back(x * x + y * y + z * z, f.driver);
  }
  std::sort(drivers.begin(), drivers.end());
  std::set<driver_id> nearest;
  for (std::size_t i = 0; i < std::min(count, drivers.size()); ++i) {
    nearest.insert(drivers[i].second);
  }
  return nearest;
}

}  // namespace

TEST_CASE("matchers: a broadcast ride is offered by three at once, and one driver has it") {
  auto s = small_town();
  s.matchers.offers.broadcast = 3;
  s.matchers.policy.kind = scenario::pick::random;
  s.network = {test::link(node_kind::matcher, node_kind::driver)};
  s.network[0].latency = constant_duration{300ms};
  keeper fenced;
  CHECK(test::value_of(run_of(s, {&fenced}), "double.rides") == 0);
  std::map<ride_id, std::set<matcher_id>> asked;
  for (const auto& [t, f] : fenced.facts<events::offer_sent>()) {
    asked[f.ride].insert(f.matcher);
  }
  int by_three = 0;
  for (const auto& [ride, who] : asked) {
    by_three += who.size() == 3 ? 1 : 0;
  }
  CHECK(by_three > 100);
  s.lease.protocol = lease::protocol::none;
  s.network.push_back(test::link(node_kind::matcher, node_kind::rider));
  s.network[1].latency = constant_duration{1s};  // until the others are called off
  for (const auto policy : {scenario::pick::random, scenario::pick::nearest}) {
    s.matchers.policy.kind = policy;
    keeper unleased;
    CHECK(test::value_of(run_of(s, {&unleased}), "double.rides") > 0);
    std::map<ride_id, std::set<driver_id>> drivers;
    std::map<ride_id, std::set<matcher_id>> by;
    for (const auto& [t, f] : unleased.facts<events::offer_sent>()) {
      if (by[f.ride].insert(f.matcher).second) {
        drivers[f.ride].insert(f.driver);
      }
    }
    int apart = 0;
    int together = 0;
    for (const auto& [ride, who] : by) {
      apart += who.size() == 3 && drivers[ride].size() == 3 ? 1 : 0;
      together += who.size() == 3 && drivers[ride].size() < 3 ? 1 : 0;
    }
    CHECK(apart > 50);
    CHECK(together < apart / 4);  // who is engaged with one's own rides, the others do not know
  }
}

TEST_CASE(
    "matchers: each of several asks another driver for a ride, also where one is drawn twice") {
  auto s = small_town();
  s.matchers.policy.radius_m = 100e3;
  s.lease.protocol = lease::protocol::none;
  s.clock.warmup = {};
  s.clock.duration = 40s;
  s.matchers.offers.broadcast = 4;
  for (const std::uint32_t drivers : {2U, 4U, 8U}) {
    s.drivers.count = drivers;
    for (int second = 1; second <= 30; ++second) {
      scenario::burst_demand ride;  // one, while all are free
      ride.at = 1s * second;
      s.demand = {ride};
      s.matchers.policy.kind = scenario::pick::random;
      keeper at_random;
      run_of(s, {&at_random});
      REQUIRE(asked_at_once(at_random).size() == std::min(drivers, 4U));
      s.matchers.policy.kind = scenario::pick::nearest;
      keeper by_distance;
      run_of(s, {&by_distance});
      REQUIRE(asked_at_once(by_distance) == nearest_to_ride(by_distance, 4));
    }
  }
}

TEST_CASE("matchers: rides that are assigned at random spread over all, each always to the same") {
  auto s = small_town();
  s.matchers.assignment = scenario::assignment::random;
  keeper seen;
  run_of(s, {&seen});
  std::map<ride_id, std::set<matcher_id>> of_ride;
  std::map<matcher_id, int> of_matcher;
  for (const auto& [t, f] : seen.facts<events::offer_sent>()) {
    of_ride[f.ride].insert(f.matcher);
    ++of_matcher[f.matcher];
  }
  CHECK(of_matcher.size() == 4);
  bool in_turn = true;
  for (const auto& [ride, who] : of_ride) {
    CHECK(who.size() == 1);
    in_turn = in_turn && who.begin()->value == ride.value % 4;
  }
  CHECK_FALSE(in_turn);
}
