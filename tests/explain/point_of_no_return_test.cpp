#include "explain/point_of_no_return.hpp"

#include "catch.hpp"
#include "explain/harms_of_ride.hpp"
#include "explain/told.hpp"

#include <variant>

using namespace dibs;
using namespace dibs::explain;

namespace {

/// One driver, whom everyone sees at once, who says yes after 5 s; rides at these instants.
scenario::scenario one_driver(lease::protocol protocol, const std::vector<sim_duration>& rides) {
  scenario::scenario s;
  s.name = "one-driver";
  s.clock = {.start = {}, .warmup = 0s, .duration = 3min, .drain = 1min};
  s.world.geography = scenario::geography::none;
  s.world.trip = constant_duration{100s};
  for (const sim_duration t : rides) {
    s.demand.emplace_back(scenario::burst_demand{.at = t, .around = {}, .every = {}});
  }
  s.drivers.count = 1;
  s.drivers.classes = {
      {.name = "steady", .share = 1, .response = constant_duration{5s}, .accept = 1, .ignore = 0}};
  s.matchers.count = static_cast<std::uint32_t>(rides.size());
  s.matchers.view_lag = 0s;
  s.lease.protocol = protocol;
  return s;
}

turning turn_of(const scenario::scenario& s, metrics::harm kind) {
  const history::recorded_run h = run_of(s);
  const history::chronicle c(h);
  const breach b = first_of(c, kind);
  const auto branches = retrial::of(c, b);
  REQUIRE(branches);
  const auto turn = branches->find_turning();
  REQUIRE(turn);
  return *turn;
}

sim_time ms(std::int64_t n) { return at(std::chrono::milliseconds(n)); }

}  // namespace

TEST_CASE("turning: a yes is lost once its lease ends before its matcher wakes up") {
  auto s = one_driver(lease::protocol::fenced, {10s});
  s.lease.ttl = 15s;
  s.faults = {{"sleep", scenario::pause_fault{{node_kind::matcher, 0}, 12s, 60s, 0, {}, {}}}};
  const turning t = turn_of(s, metrics::harm::lost_accept);
  // Granted at 10 s. At the very instant of its end the lease belongs to nobody.
  CHECK(t.spared == ms(24'999));
  CHECK(t.doomed == ms(25'000));
}

TEST_CASE("turning: a harm of the warm-up has its turn too") {
  auto s = one_driver(lease::protocol::fenced, {10s});
  s.clock.warmup = 2min;
  s.lease.ttl = 15s;
  s.faults = {{"sleep", scenario::pause_fault{{node_kind::matcher, 0}, 12s, 60s, 0, {}, {}}}};
  const history::recorded_run h = run_of(s);
  const history::chronicle c(h);
  REQUIRE(breaches_of(c).empty());
  const auto all = harms_of(c, ride_id{0});
  REQUIRE(all.size() == 1);
  const auto turn = retrial::of(c, all[0])->find_turning();
  REQUIRE(turn);
  CHECK(turn->doomed == ms(25'000));
}

TEST_CASE("turning: what an old picture brings about is settled when it is looked at") {
  auto s = one_driver(lease::protocol::none, {10s, 20s});
  s.matchers.view_lag = 10s;
  const turning t = turn_of(s, metrics::harm::double_commit);
  // Written down at 15 s, picked again at 20 s.
  CHECK(t.spared == ms(20'000));
  CHECK(t.doomed == ms(20'001));
}

TEST_CASE("turning: no world is whole enough for a protocol that looks away") {
  const auto s = one_driver(lease::protocol::none, {10s, 12s});
  const turning t = turn_of(s, metrics::harm::double_commit);
  CHECK_FALSE(t.spared);
  CHECK(t.doomed == sim_time{});
}

TEST_CASE("turning: a wrong clock harms until it is set right") {
  auto s = one_driver(lease::protocol::fenced, {10s});
  s.lease.ttl = 15s;
  s.lease.deadline = scenario::deadline::absolute;
  s.lease.judge = scenario::judge::holder;
  scenario::clock_error fast;
  fast.node = {node_kind::matcher, 0};
  fast.offset = constant_duration{12s};
  s.clocks = {fast};
  const history::recorded_run h = run_of(s);
  REQUIRE(h.metrics.value("accepts.lost") == 1.0);
  const turning t = turn_of(s, metrics::harm::lost_accept);
  // Granted at 10 s until 25 s: by its clock the matcher finds 3 s left, and she needs 5 s.
  CHECK(t.spared == ms(10'000));
  CHECK(t.doomed == ms(10'001));
}

TEST_CASE(
    "turning: a yes that is said after its lease can be avoided for longer than the lease lasts") {
  auto s = one_driver(lease::protocol::fenced, {10s});
  s.lease.ttl = 15s;
  s.drivers.classes[0].response = constant_duration{21s};
  scenario::clock_error slow;
  slow.node = {node_kind::driver, 0};
  slow.drift = constant_duration{sim::ppm(-1e6 / 3)};
  s.clocks = {slow};
  const turning t = turn_of(s, metrics::harm::lost_accept);
  // Her screen shows 15 s in 22.5 s, until 32.5 s, and she answers at 31 s; set right at t it has
  // 15 s - 2/3 (t - 10 s) left, which ends before 31 s up to t = 28 s.
  REQUIRE(t.doomed);
  CHECK(*t.doomed > ms(27'990));
  CHECK(*t.doomed < ms(28'010));
  CHECK(t.by == chance::none);
}

TEST_CASE("turning: the search is exact to the millisecond, and short") {
  for (const std::int64_t turn : {1, 999, 1'000, 1'001, 12'345, 3'599'999, 3'600'000}) {
    const auto t = turning_of(ms(3'600'000) + 300ns,
                              [&](sim_time healed) -> result<bool> { return healed >= ms(turn); });
    REQUIRE(t);
    CHECK(t->doomed == ms(turn));
    CHECK(t->spared == ms(turn - 1));
    CHECK(t->runs <= 40);
  }
}

TEST_CASE("turning: the search does not go back beyond the beginning of the story") {
  const auto from = [](std::int64_t turn) {
    return turning_of(
        ms(90'000), [=](sim_time t) -> result<bool> { return t >= ms(turn); }, ms(60'000));
  };
  const auto before = from(30'000);
  REQUIRE(before);
  CHECK(before->by == chance::before);
  CHECK_FALSE(before->spared);
  CHECK(before->doomed == ms(60'000));
  CHECK(from(60'001)->spared == ms(60'000));
  CHECK(from(60'001)->by == chance::none);
  // Whatever is mended, even from the beginning of the run on.
  CHECK(from(0)->by == chance::none);
  CHECK(from(0)->doomed == sim_time{});
}

TEST_CASE("turning: of two ways to mend the later chance counts, where it is sure") {
  const auto until = [](std::int64_t turn) {
    return [=](sim_time t) -> result<bool> { return t >= ms(turn); };
  };
  const auto late = latest_turning_of(ms(90'000), until(80'000), until(80'070));
  REQUIRE(late);
  CHECK(late->spared == ms(80'069));
  CHECK(late->by_healing == healing::faults);
  const auto early = latest_turning_of(ms(90'000), until(80'000), until(70'000));
  REQUIRE(early);
  CHECK(early->doomed == ms(80'000));
  CHECK(early->by_healing == healing::everything);
  CHECK(early->runs == turning_of(ms(90'000), until(80'000))->runs + 1);
  const auto erratic = [](sim_time t) -> result<bool> {
    return t >= ms(85'000) && !(t >= ms(86'500) && t < ms(87'500));
  };
  CHECK(latest_turning_of(ms(90'000), until(80'000), erratic)->doomed == ms(80'000));
  CHECK(latest_turning_of(ms(90'000), erratic, until(80'000))->doomed == ms(80'000));
  const auto always = [](sim_time) -> result<bool> { return true; };
  CHECK(latest_turning_of(ms(90'000), always, until(5'000))->doomed == ms(5'000));
  CHECK_FALSE(latest_turning_of(ms(90'000), always, always)->spared);
}

TEST_CASE("turning: a harm that comes and goes after the turn has none") {
  const auto t = turning_of(ms(100'000), [](sim_time healed) -> result<bool> {
    return healed >= ms(50'000) && !(healed >= ms(55'000) && healed < ms(65'000));
  });
  REQUIRE(t);
  CHECK(t->by == chance::mixed);
  REQUIRE(t->otherwise);
  CHECK((*t->otherwise >= ms(55'000) && *t->otherwise < ms(65'000)));
}

TEST_CASE("turning: chance is a harm that comes and goes before the turn") {
  const auto looked = [](const branching& happens) {
    turning found{ms(50'000), ms(50'001), 10};
    look_before(happens, ms(30'000), found);
    return found;
  };
  const turning sure = looked([](sim_time healed) -> result<bool> { return healed > ms(50'000); });
  CHECK(sure.by == chance::none);
  CHECK(sure.runs == 15);
  const turning by_chance = looked([](sim_time healed) -> result<bool> {
    return healed > ms(50'000) || (healed >= ms(35'000) && healed < ms(40'000));
  });
  CHECK(by_chance.by == chance::mixed);
  REQUIRE(by_chance.otherwise);
  CHECK((*by_chance.otherwise >= ms(35'000) && *by_chance.otherwise < ms(40'000)));
  // Right at the beginning, too.
  CHECK(looked([](sim_time healed) -> result<bool> { return healed == ms(30'000); }).by ==
        chance::mixed);
}

TEST_CASE("turning: to wait a moment is not the harm of a ride that starved for long") {
  breach b;
  b.harm = metrics::harm::starved_ride;
  CHECK(metrics::size_of({metrics::harm::starved_ride, 2 + 86.9 / 1e10, {}, 1, ""}) > 86s);
  CHECK(metrics::size_of({metrics::harm::starved_ride, 2 + 86.9 / 1e10, {}, 1, ""}) < 87s);
}

TEST_CASE("turning: a harm that could be avoided until it happened, and one that never could") {
  const auto never = turning_of(ms(5'000), [](sim_time) -> result<bool> { return true; });
  REQUIRE(never);
  CHECK_FALSE(never->spared);
  CHECK(never->runs <= 6);
  const auto always = turning_of(ms(5'000), [](sim_time) -> result<bool> { return false; });
  REQUIRE(always);
  CHECK_FALSE(always->doomed);
  CHECK(always->spared == ms(5'001));
}
