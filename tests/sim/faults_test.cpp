#include "sim/faults.hpp"

#include "catch.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

using namespace dibs;
using namespace dibs::sim;

namespace {

std::array<std::uint32_t, node_kinds> matchers(std::uint32_t n) {
  std::array<std::uint32_t, node_kinds> counts{};
  counts[static_cast<std::size_t>(node_kind::matcher)] = n;
  return counts;
}

const node_pattern all_matchers{node_kind::matcher, {}};

}  // namespace

TEST_CASE("faults: a pause of one node is one outage") {
  const auto plan = plan_faults(
      {{"stop", pause_fault{{node_kind::matcher, 2}, 70min, constant_duration{20s}, 0, {}, {}}}},
      matchers(4),
      at(2h),
      1);
  REQUIRE(plan.outages.size() == 1);
  CHECK(plan.outages[0].node == node_id{node_kind::matcher, 2});
  CHECK(plan.outages[0].from == at(70min));
  CHECK(plan.outages[0].until == at(70min + 20s));
}

TEST_CASE("faults: of a distribution each pause of each node has a length of its own") {
  const pause_fault often{all_matchers, {}, exponential_duration{4s}, 30, {}, {}};
  const auto plan = plan_faults({{"stop", often}}, matchers(50), at(20h), 1);
  double sum = 0;
  double squares = 0;
  std::set<sim_duration> lengths;
  for (const outage& o : plan.outages) {
    const double s = in_seconds(o.until - o.from);
    sum += s;
    squares += s * s;
    lengths.insert(o.until - o.from);
  }
  const auto n = static_cast<double>(plan.outages.size());
  REQUIRE(n > 20'000);
  CHECK(sum / n == Approx(4).epsilon(0.03));
  CHECK(squares / n == Approx(2 * 4 * 4).epsilon(0.06));  // twice the square of the mean
  CHECK(static_cast<double>(lengths.size()) > 0.99 * n);
  const auto fewer = plan_faults({{"stop", often}}, matchers(1), at(20h), 1);
  const auto of_first = std::find_if(plan.outages.begin(), plan.outages.end(), [](const outage& o) {
    return o.node.index() == 0;
  });
  REQUIRE_FALSE(fewer.outages.empty());
  CHECK(fewer.outages[0].until == of_first->until);
}

TEST_CASE("faults: random crashes come at their rate to each node, apart from each other") {
  const auto plan =
      plan_faults({{"die", crash_fault{all_matchers, {}, 6, 10s, {}}}}, matchers(100), at(10h), 1);
  const double expected = 100 * 10 * 6 / (1 + 6 * 10.0 / 3600);
  CHECK(std::abs(static_cast<double>(plan.outages.size()) - expected) < 4 * std::sqrt(expected));
  std::map<node_id, sim_time> until;
  for (const outage& o : plan.outages) {
    CHECK(o.from >= until[o.node]);
    until[o.node] = o.until;
  }
}

TEST_CASE("faults: one node's crashes do not depend on how many nodes there are") {
  const fault die{"die", crash_fault{all_matchers, {}, 6, 10s, {}}};
  const auto of_first = [&](std::uint32_t n) {
    std::vector<sim_time> times;
    for (const outage& o : plan_faults({die}, matchers(n), at(5h), 1).outages) {
      if (o.node.index() == 0) {
        times.push_back(o.from);
      }
    }
    return times;
  };
  CHECK_FALSE(of_first(1).empty());
  CHECK(of_first(1) == of_first(8));
}

TEST_CASE("faults: where outages of one node overlap, crashes win") {
  const auto crash = [](sim_duration when, sim_duration length) {
    return fault{"crash", crash_fault{all_matchers, when, 0, length, {}}};
  };
  const auto pause = [](sim_duration when, sim_duration length) {
    return fault{"pause", pause_fault{all_matchers, when, constant_duration{length}, 0, {}, {}}};
  };
  const auto plan = [](const std::vector<fault>& faults) {
    return plan_faults(faults, matchers(1), at(1h), 1).outages;
  };
  SECTION("a crash cuts a pause short") {
    const auto found = plan({pause(10s, 20s), crash(15s, 60s)});
    REQUIRE(found.size() == 2);
    CHECK(found[0].kind == outage_kind::pause);
    CHECK(found[0].until == at(15s));
    CHECK(found[0].into_crash);
    CHECK(found[1].kind == outage_kind::crash);
    CHECK(found[1].from == at(15s));
    CHECK(found[1].until == at(75s));
  }
  SECTION("a pause begins with the restart, if it lasts that long") {
    const auto found = plan({crash(10s, 20s), pause(15s, 30s), pause(12s, 5s)});
    REQUIRE(found.size() == 2);
    CHECK(found[1].kind == outage_kind::pause);
    CHECK(found[1].from == at(30s));
    CHECK(found[1].until == at(45s));
    CHECK_FALSE(found[1].into_crash);
  }
  SECTION("outages of one kind are joined") {
    const auto found = plan({crash(10s, 20s), crash(25s, 20s), pause(50s, 5s), pause(55s, 5s)});
    REQUIRE(found.size() == 2);
    CHECK(found[0].until == at(45s));
    CHECK(found[1].until == at(60s));
  }
}

TEST_CASE("faults: a cut lies on both directions between its sides and on nothing else") {
  const node_group managers(node_pattern{node_kind::lease_manager, {}});
  const node_group first(node_pattern{node_kind::matcher, 0});
  const cut both{{{first, managers}, at(1s), at(2s), true}, 1};
  const cut forth{{{first, managers}, at(1s), at(2s), false}, 1};
  const node_id m1{node_kind::matcher, 0};
  const node_id m2{node_kind::matcher, 1};
  const node_id manager{node_kind::lease_manager, 0};
  CHECK(both.lies_on(m1, manager));
  CHECK(both.lies_on(manager, m1));
  CHECK_FALSE(both.lies_on(m2, manager));
  CHECK_FALSE(both.lies_on(m1, m2));
  CHECK(forth.lies_on(m1, manager));
  CHECK_FALSE(forth.lies_on(manager, m1));
  CHECK_FALSE(both.is_on(at(1s) - 1ns));
  CHECK(both.is_on(at(1s)));
  CHECK_FALSE(both.is_on(at(2s)));
}

TEST_CASE("faults: a side of a partition may be several nodes") {
  const node_group two({node_pattern{node_kind::matcher, 0}, node_pattern{node_kind::matcher, 2}});
  const node_group both(
      {node_pattern{node_kind::lease_manager, {}}, node_pattern{node_kind::ledger, {}}});
  const cut c{{{two, both}, at(0s), at(2s), true}, 1};
  const auto matcher = [](std::uint32_t i) { return node_id{node_kind::matcher, i}; };
  CHECK(c.lies_on(matcher(2), {node_kind::ledger, 0}));
  CHECK(c.lies_on({node_kind::lease_manager, 0}, matcher(0)));
  CHECK_FALSE(c.lies_on(matcher(1), {node_kind::ledger, 0}));
}

TEST_CASE("faults: pauses come at random too, and riders are struck as they are there") {
  const auto plan =
      plan_faults({{"stall", pause_fault{all_matchers, {}, constant_duration{100ms}, 60, {}, {}}}},
                  matchers(100),
                  at(1h),
                  1);
  CHECK(std::abs(static_cast<double>(plan.outages.size()) - 6000) < 4 * std::sqrt(6000.0));
  const auto of_riders = plan_faults(
      {{"dark", crash_fault{{node_kind::rider, {}}, 5min, 0, 1min, {}}}}, matchers(1), at(1h), 1);
  CHECK(of_riders.outages.empty());
  REQUIRE(of_riders.group_outages.size() == 1);
  CHECK(of_riders.group_outages[0].from == at(5min));
}

TEST_CASE("faults: what waits for something is no part of the plan of instants") {
  trigger third;
  third.message = message_word("confirm");
  third.nth = 3;
  const auto plan =
      plan_faults({{"lose", drop_fault{third}},
                   {"stop", pause_fault{all_matchers, {}, constant_duration{10s}, 0, third, {}}}},
                  matchers(2),
                  at(1h),
                  1);
  CHECK(plan.outages.empty());
  CHECK(plan.triggered.size() == 2);
}
