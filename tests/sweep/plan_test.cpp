#include "sweep/plan.hpp"

#include "has.hpp"
#include "scenario/read.hpp"
#include "sweep/runner.hpp"
#include "sweep/small.hpp"

#include <fstream>
#include <set>

using namespace dibs;
using namespace dibs::sweep;
using dibs::test::has;
using sweep::test::plan_of;
using sweep::test::request_for;
using sweep::test::small_file;

namespace {

planning_error error_of(const sweep_request& r) {
  auto p = make_plan(r);
  REQUIRE_FALSE(p);
  return p.error();
}

std::string complaints_of(const planning_error& e) {
  std::string all;
  for (const scenario::diagnostic& c : e.diagnostics) {
    all += scenario::format(c) + "\n";
  }
  return all;
}

}  // namespace

TEST_CASE("plan: every point is a scenario of its own, on the same root seed") {
  const results::scratch here;
  const plan p = plan_of(request_for(small_file(here), {"lease.ttl=5s,10s"}, 3));
  CHECK(p.runs() == 6);
  CHECK(p.seed == 42);
  REQUIRE(p.points.size() == 2);
  CHECK(p.points[0].hash != p.points[1].hash);
  const auto second = scenario_of(p, p.points[1].what);
  REQUIRE(second.ok());
  CHECK(second.value.lease.ttl == 10s);
  CHECK(second.value.seed == 42);
  CHECK(replay_line(p, "dibs", p.points[1].what, 7) ==
        "dibs run " + p.file.string() + " --seed 7 --set lease.ttl=10s");
}

TEST_CASE("plan: points that have a trace in common share its rows") {
  const results::scratch here;
  for (const char* name : {"one.csv", "two.csv"}) {
    std::ofstream(here.path() / name) << "time,lat,lon,to_lat,to_lon,trip\n"
                                         "5,40.75,-73.98,40.71,-73.95,10\n";
  }
  const auto file = small_file(here,
                               "traced.yaml",
                               "version: 1\n"
                               "demand: [{kind: trace, file: one.csv}]\n"
                               "drivers: {count: 10, classes: [{name: all, response: 3s}]}\n");
  const plan p =
      plan_of(request_for(file, {"demand.1.file=one.csv,two.csv", "lease.ttl=13s,14s"}, 1));
  REQUIRE(p.points.size() == 4);
  std::set<const world::trace*> apart;
  scenario_cache kept;
  for (std::uint32_t i = 0; i < 4; ++i) {
    const auto rows = scenario_of(p, p.points[i].what).value.rows.at(0).rows;
    CHECK(kept.of(p, i + 1).value()->scenario.rows.at(0).rows == rows);
    apart.insert(rows.get());
  }
  CHECK(apart.size() == 2);
  CHECK(apart.contains(p.base.rows.at(0).rows.get()));
}

TEST_CASE("plan: the same asked for twice has the same hashes, another scenario others") {
  const results::scratch here;
  const auto file = small_file(here);
  const plan a = plan_of(request_for(file, {"lease.ttl=5s"}, 2));
  const plan b = plan_of(request_for(file, {"lease.ttl=5000ms"}, 2));
  CHECK(a.points[0].hash == b.points[0].hash);
  sweep_request other = request_for(file, {"lease.ttl=5s"}, 2);
  other.overrides = {{"matchers.count", "3"}};
  CHECK(plan_of(other).points[0].hash != a.points[0].hash);
  other = request_for(file, {"lease.ttl=5s"}, 2);
  other.seed = 43;
  CHECK(plan_of(other).points[0].hash != a.points[0].hash);
}

TEST_CASE("plan: a path that is no field is refused with the nearest") {
  const results::scratch here;
  const auto e = error_of(request_for(small_file(here), {"lease.tll=5s,10s"}, 2));
  CHECK(e.why.code == exit_code::invalid_input);
  CHECK(has(e.why.text, "2 of 2 points are invalid"));
  CHECK(has(complaints_of(e), "did you mean `ttl`?"));
}

TEST_CASE("plan: points that contradict the scenario are refused, and counted") {
  const results::scratch here;
  auto r = request_for(small_file(here), {"lease.ttl=5s,10s,15s"}, 2);
  r.overrides = {{"lease.offer_window", "12s"}};
  const auto e = error_of(r);
  CHECK(e.why.code == exit_code::invalid_input);
  CHECK(has(e.why.text, "2 of 3 points are invalid; above, lease.ttl=5s"));
  CHECK(has(complaints_of(e), "E-CONFLICT"));
}

TEST_CASE("plan: more than 10,000 runs are refused with their number unless asked for") {
  const results::scratch here;
  const auto file = small_file(here);
  auto r = request_for(file, {"lease.ttl=3s..60s:lin:1000000"}, 20);
  auto e = error_of(r);
  CHECK(e.why.code == exit_code::usage);
  CHECK(has(e.why.text, "20,000,000 runs (1,000,000 points on 20 seeds)"));
  CHECK(has(e.why.text, "--yes"));
  r = request_for(file, {"lease.ttl=1s..2s:lin:101"}, 100);
  CHECK(has(error_of(r).why.text, "10,100 runs"));
  r.yes = true;
  CHECK(plan_of(r).runs() == 10'100);
  r = request_for(file, {"lease.ttl=1s..2s:lin:100"}, 100);
  CHECK(plan_of(r).runs() == 10'000);
}

TEST_CASE("plan: a grid beyond counting is refused") {
  const results::scratch here;
  auto r = request_for(small_file(here), {"a=1..1000000:lin:1000000"}, 20);
  r.design.grid.resize(6, r.design.grid[0]);
  for (std::size_t i = 0; i < 6; ++i) {
    r.design.grid[i].path += std::to_string(i);
  }
  CHECK(has(error_of(r).why.text, "more runs than can be counted"));
  r.design.where = {"a0 < 5"};
  CHECK(has(error_of(r).why.text, "more runs than can be counted"));
}

TEST_CASE("plan: conditions make a grid small enough") {
  const results::scratch here;
  auto r = request_for(small_file(here), {"lease.ttl=1s..2s:lin:1001"}, 100);
  r.design.where = {"lease.ttl < 1.05s"};
  CHECK(plan_of(r).points.size() == 50);
}

TEST_CASE("plan: a missing or invalid scenario is told as such") {
  const results::scratch here;
  const auto e = error_of(request_for(here.path() / "missing.yaml", {"lease.ttl=5s"}, 2));
  CHECK(e.why.code == exit_code::invalid_input);
  CHECK(has(complaints_of(e), "missing.yaml"));
}
