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

point_of_no_return turn_of(const scenario::scenario& s, metrics::harm_kind kind) {
  const history::recorded_run h = run_of(s);
  const history::indexed_run c(h);
  const harm b = first_of(c, kind);
  const auto branches = branch_runs::of(c, b);
  REQUIRE(branches);
  const auto turn = branches->find_point_of_no_return();
  REQUIRE(turn);
  return *turn;
}

sim_time ms(std::int64_t n) { return at(std::chrono::milliseconds(n)); }

}  // namespace

TEST_CASE("point of no return: a yes is lost once its lease ends before its matcher wakes up") {
  auto s = one_driver(lease::protocol::fenced, {10s});
  s.lease.ttl = 15s;
  s.faults = {
      {"sleep",
       scenario::pause_fault{{node_kind::matcher, 0}, 12s, constant_duration{60s}, 0, {}, {}}}};
  const point_of_no_return t = turn_of(s, metrics::harm_kind::lost_accept);
  // Granted at 10 s. At the very instant of its end the lease belongs to nobody.
  CHECK(t.last_avoidable == ms(24'999));
  CHECK(t.first_unavoidable == ms(25'000));
}

TEST_CASE("point of no return: a harm of the warm-up has its turn too") {
  auto s = one_driver(lease::protocol::fenced, {10s});
  s.clock.warmup = 2min;
  s.lease.ttl = 15s;
  s.faults = {
      {"sleep",
       scenario::pause_fault{{node_kind::matcher, 0}, 12s, constant_duration{60s}, 0, {}, {}}}};
  const history::recorded_run h = run_of(s);
  const history::indexed_run c(h);
  REQUIRE(harms_of(c).empty());
  const auto all = harms_of_ride(c, ride_id{0});
  REQUIRE(all.size() == 1);
  const auto turn = branch_runs::of(c, all[0])->find_point_of_no_return();
  REQUIRE(turn);
  CHECK(turn->first_unavoidable == ms(25'000));
}

TEST_CASE("point of no return: what an old picture brings about is settled when it is looked at") {
  auto s = one_driver(lease::protocol::none, {10s, 20s});
  s.matchers.view_lag = 10s;
  const point_of_no_return t = turn_of(s, metrics::harm_kind::double_commit);
  // Written down at 15 s, picked again at 20 s.
  CHECK(t.last_avoidable == ms(20'000));
  CHECK(t.first_unavoidable == ms(20'001));
}

TEST_CASE("point of no return: no world is whole enough for a protocol that looks away") {
  const auto s = one_driver(lease::protocol::none, {10s, 12s});
  const point_of_no_return t = turn_of(s, metrics::harm_kind::double_commit);
  CHECK_FALSE(t.last_avoidable);
  CHECK(t.first_unavoidable == sim_time{});
}

TEST_CASE("point of no return: a wrong clock harms until it is set right") {
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
  const point_of_no_return t = turn_of(s, metrics::harm_kind::lost_accept);
  // Granted at 10 s until 25 s: by its clock the matcher finds 3 s left, and she needs 5 s.
  CHECK(t.last_avoidable == ms(10'000));
  CHECK(t.first_unavoidable == ms(10'001));
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
  const point_of_no_return t = turn_of(s, metrics::harm_kind::lost_accept);
  // Her screen shows 15 s in 22.5 s, until 32.5 s, and she answers at 31 s; set right at t it has
  // 15 s - 2/3 (t - 10 s) left, which ends before 31 s up to t = 28 s.
  REQUIRE(t.first_unavoidable);
  CHECK(*t.first_unavoidable > ms(27'990));
  CHECK(*t.first_unavoidable < ms(28'010));
  CHECK(t.by == inconclusive_reason::none);
}

TEST_CASE("point of no return: the search is exact to the millisecond, and short") {
  for (const std::int64_t turn : {1, 999, 1'000, 1'001, 12'345, 3'599'999, 3'600'000}) {
    const auto t = find_point_of_no_return(
        ms(3'600'000) + 300ns, [&](sim_time healed) -> result<bool> { return healed >= ms(turn); });
    REQUIRE(t);
    CHECK(t->first_unavoidable == ms(turn));
    CHECK(t->last_avoidable == ms(turn - 1));
    CHECK(t->runs <= 40);
  }
}

TEST_CASE("point of no return: the search does not go back beyond the beginning of the story") {
  const auto from = [](std::int64_t turn) {
    return find_point_of_no_return(
        ms(90'000), [=](sim_time t) -> result<bool> { return t >= ms(turn); }, ms(60'000));
  };
  const auto before = from(30'000);
  REQUIRE(before);
  CHECK(before->by == inconclusive_reason::before);
  CHECK_FALSE(before->last_avoidable);
  CHECK(before->first_unavoidable == ms(60'000));
  CHECK(from(60'001)->last_avoidable == ms(60'000));
  CHECK(from(60'001)->by == inconclusive_reason::none);
  // Whatever is mended, even from the beginning of the run on.
  CHECK(from(0)->by == inconclusive_reason::none);
  CHECK(from(0)->first_unavoidable == sim_time{});
}

TEST_CASE("point of no return: of two ways to mend the later chance counts, where it is sure") {
  const auto until = [](std::int64_t turn) {
    return [=](sim_time t) -> result<bool> { return t >= ms(turn); };
  };
  const auto late = latest_point_of_no_return(ms(90'000), until(80'000), until(80'070));
  REQUIRE(late);
  CHECK(late->last_avoidable == ms(80'069));
  CHECK(late->by_healing == healing_scope::faults);
  const auto early = latest_point_of_no_return(ms(90'000), until(80'000), until(70'000));
  REQUIRE(early);
  CHECK(early->first_unavoidable == ms(80'000));
  CHECK(early->by_healing == healing_scope::everything);
  CHECK(early->runs == find_point_of_no_return(ms(90'000), until(80'000))->runs + 1);
  const auto erratic = [](sim_time t) -> result<bool> {
    return t >= ms(85'000) && !(t >= ms(86'500) && t < ms(87'500));
  };
  CHECK(latest_point_of_no_return(ms(90'000), until(80'000), erratic)->first_unavoidable ==
        ms(80'000));
  CHECK(latest_point_of_no_return(ms(90'000), erratic, until(80'000))->first_unavoidable ==
        ms(80'000));
  const auto always = [](sim_time) -> result<bool> { return true; };
  CHECK(latest_point_of_no_return(ms(90'000), always, until(5'000))->first_unavoidable ==
        ms(5'000));
  CHECK_FALSE(latest_point_of_no_return(ms(90'000), always, always)->last_avoidable);
}

TEST_CASE("point of no return: a harm that comes and goes after the turn has none") {
  const auto t = find_point_of_no_return(ms(100'000), [](sim_time healed) -> result<bool> {
    return healed >= ms(50'000) && !(healed >= ms(55'000) && healed < ms(65'000));
  });
  REQUIRE(t);
  CHECK(t->by == inconclusive_reason::mixed);
  REQUIRE(t->otherwise);
  CHECK((*t->otherwise >= ms(55'000) && *t->otherwise < ms(65'000)));
}

TEST_CASE("point of no return: chance is a harm that comes and goes before the turn") {
  const auto looked = [](const branch_test& happens) {
    point_of_no_return found{ms(50'000), ms(50'001), 10};
    look_before(happens, ms(30'000), found);
    return found;
  };
  const point_of_no_return sure =
      looked([](sim_time healed) -> result<bool> { return healed > ms(50'000); });
  CHECK(sure.by == inconclusive_reason::none);
  CHECK(sure.runs == 15);
  const point_of_no_return by_chance = looked([](sim_time healed) -> result<bool> {
    return healed > ms(50'000) || (healed >= ms(35'000) && healed < ms(40'000));
  });
  CHECK(by_chance.by == inconclusive_reason::mixed);
  REQUIRE(by_chance.otherwise);
  CHECK((*by_chance.otherwise >= ms(35'000) && *by_chance.otherwise < ms(40'000)));
  // Right at the beginning, too.
  CHECK(looked([](sim_time healed) -> result<bool> { return healed == ms(30'000); }).by ==
        inconclusive_reason::mixed);
}

TEST_CASE("point of no return: to wait a moment is not the harm of a ride that starved for long") {
  harm b;
  b.harm = metrics::harm_kind::starved_ride;
  CHECK(metrics::size_of({metrics::harm_kind::starved_ride, 2 + 86.9 / 1e10, {}, 1, ""}) > 86s);
  CHECK(metrics::size_of({metrics::harm_kind::starved_ride, 2 + 86.9 / 1e10, {}, 1, ""}) < 87s);
}

TEST_CASE(
    "point of no return: a harm that could be avoided until it happened, and one that never "
    "could") {
  const auto unavoided =
      find_point_of_no_return(ms(5'000), [](sim_time) -> result<bool> { return true; });
  REQUIRE(unavoided);
  CHECK_FALSE(unavoided->last_avoidable);
  CHECK(unavoided->runs <= 6);
  const auto always =
      find_point_of_no_return(ms(5'000), [](sim_time) -> result<bool> { return false; });
  REQUIRE(always);
  CHECK_FALSE(always->first_unavoidable);
  CHECK(always->last_avoidable == ms(5'001));
}
