// Goal: the map shows where everything holds, and where the closed form says otherwise.
// Method: drivers who answer after exactly 5 s over links of exactly 500 ms, so that a lease is
// long enough from a known instant on.

#include "sweep/region.hpp"

#include "has.hpp"
#include "report/region_json.hpp"
#include "report/region_text.hpp"
#include "sweep/small.hpp"
#include "tune/tune.hpp"

#include <nlohmann/json.hpp>

#include <cmath>

using namespace dibs;
using namespace dibs::sweep;
using namespace dibs::sweep::test;
using dibs::test::has;

namespace {

constexpr const char* exact_text = R"(version: 1
name: exact
seed: 42
clock: {warmup: 0s, duration: 5min, drain: 2min}
world: {geography: none, trip: {dist: constant, value: 10s}}
demand:
  - {kind: poisson, rate: 0.5/s, until: 4min}
riders: {ask_again: never}
drivers:
  count: 60
  classes:
    - {name: all, share: 1, response: {dist: constant, value: 5s}, accept: 1, ignore: 0}
matchers: {count: 1, policy: {kind: random}, look_again: none, offers: {max: 1, total_wait: 1h}}
lease: {protocol: fenced, ttl: 15s, cleanup: {kind: timer}}
network:
  - {link: matcher->driver, latency: {dist: constant, value: 500ms}}
  - {link: driver->matcher, latency: {dist: constant, value: 500ms}}
clocks:
  - {id: phones, node: driver/*, offset: 0s}
thresholds: {accepts.missed_rate: "<= 0%"}
)";

region map(const std::vector<std::string>& axes,
           const std::string& text = exact_text,
           space_request r = {}) {
  const results::scratch scratch;
  r.leave_invalid = true;
  r.file = small_file(scratch, "exact.yaml", text);
  r.search = axes;
  r.seeds = 2;
  auto where = search_space::make(r);
  INFO((where ? "" : where.error().why.text));
  REQUIRE(where);
  metric_index index;
  auto required = requirements_of(where->plan().base.thresholds, {}, index);
  REQUIRE(required);
  scenario_cache kept;
  experiment runs(42, {}, tune::experiment_in(*where, kept, index.names(), [](std::size_t) {
                    return runner_options{};
                  }));
  auto found = map_region(*where, std::move(*required), runs, 2, 0.95);
  REQUIRE(found);
  return std::move(*found);
}

cell_status at(const region& r, std::size_t ix, std::size_t iy) { return r.at(ix, iy).found; }

}  // namespace

TEST_CASE("regions: the bound adds decision, both ways, skew and clean-up") {
  const results::scratch scratch;
  const auto read = scenario::read_file(small_file(scratch, "exact.yaml", exact_text),
                                        {{"clocks.phones.offset", "-700ms"},
                                         {"clocks.phones.drift", "100ppm"},
                                         {"lease.cleanup", "{kind: periodic, every: 2s}"}});
  REQUIRE(read.ok());
  const ttl_bound b = bound_of(read.value, 0.95);
  CHECK(b.decision == 5s);
  CHECK(b.latency == 1s);
  CHECK(b.skew == 700ms + 1500us);
  CHECK(b.cleanup == 2s);
  CHECK(b.ttl() == 8s + 700ms + 1500us);
}

TEST_CASE("regions: drawn times count with their quantile, by how often they lead to an accept") {
  const results::scratch scratch;
  const auto read = scenario::read_file(
      small_file(scratch),
      {{"drivers.classes",
        "[{name: a, share: 0.5, response: {dist: exponential, mean: 6s}, accept: 0.8, ignore: 0},"
        " {name: b, share: 0.5, response: {dist: never}, accept: 0, ignore: 1}]"}});
  INFO((read.ok() ? "" : scenario::format(read.diagnostics.front())));
  REQUIRE(read.ok());
  CHECK(in_seconds(bound_of(read.value, 0.95).decision) ==
        Approx(6 * std::log(20.0)).epsilon(0.05));
}

TEST_CASE("regions: clocks that are drawn count with the quantile of their difference") {
  const results::scratch scratch;
  const auto read = scenario::read_file(
      small_file(scratch, "exact.yaml", exact_text),
      {{"clocks", "[{id: a, node: lease_manager, offset: {dist: normal, mean: 0s, sd: 3s}}]"}});
  INFO((read.ok() ? "" : scenario::format(read.diagnostics.front())));
  REQUIRE(read.ok());
  CHECK(in_seconds(bound_of(read.value, 0.95).skew) == Approx(1.95996 * 3).epsilon(0.025));
}

TEST_CASE("regions: a lease is long enough from the instant after decision and both ways on") {
  // By durations a clock that is wrong costs nothing: there the bound asks for too much.
  const region r = map({"lease.ttl=4s,5999ms,6001ms,8s", "clocks.phones.offset=0s,1s"});
  REQUIRE(r.cells.size() == 8);
  for (const std::size_t iy : {0U, 1U}) {
    CHECK(at(r, 0, iy) == cell_status::misses);
    CHECK(at(r, 1, iy) == cell_status::misses);
    CHECK(at(r, 2, iy) == cell_status::holds);
    CHECK(at(r, 3, iy) == cell_status::holds);
  }
  CHECK_FALSE(r.at(1, 0).differs());
  CHECK_FALSE(r.at(2, 0).differs());
  CHECK(r.at(2, 1).differs());
  CHECK_FALSE(r.at(3, 1).differs());
  const std::string text = report::text_of(r, {});
  CHECK(has(text, "lease.ttl across, clocks.phones.offset down"));
  CHECK(has(text, "It says otherwise than the runs in 1 of 8 cells, those of which"));
  const nlohmann::json cells = report::json_of(r)["cells"];
  const auto said = [&](std::size_t i) {
    const nlohmann::json& c = cells.at(i);
    return nlohmann::json{c["x"], c["y"], c["verdict"], c["bound"]["ttl_s"], c["long_enough"]};
  };
  CHECK(said(6) == nlohmann::json{"6001ms", "1s", "holds", 7.0, false});
  CHECK(said(3) == nlohmann::json{"8s", "0s", "holds", 6.0, true});
}

TEST_CASE("regions: what intervals reach across is left open, and says nothing against the bound") {
  // Half of the offers are accepted: 2 seeds cannot tell what is asked from what comes out.
  std::string text = exact_text;
  const std::string bound = "accepts.missed_rate: \"<= 0%\"";
  text.replace(text.find(bound), bound.size(), "rides.match_rate: \">= 0.5\"");
  const std::string sure = "accept: 1,";
  text.replace(text.find(sure), sure.size(), "accept: 0.5,");
  const region r = map({"lease.ttl=8s,9s", "clocks.phones.offset=0s,1s"}, text);
  for (const region_cell& c : r.cells) {
    REQUIRE(c.room.front());
    REQUIRE(c.room.front()->margin);
    CHECK(std::abs(c.room.front()->value) < c.room.front()->half_width());
    CHECK_FALSE(c.sure);
    CHECK_FALSE(c.differs());
  }
  CHECK(has(report::text_of(r, {}), "  ?    4  too near to what has to hold"));
  CHECK(verdict_of(r.at(0, 0)) == "unsure");
  CHECK(has(report::json_of(r).dump(), "\"verdict\":\"unsure\""));
}

TEST_CASE("regions: that none was seen shows no share, and does not refute that there is none") {
  std::string text = exact_text;
  const std::string bound = "accepts.missed_rate: \"<= 0%\"";
  text.replace(text.find(bound), bound.size(), "leases.expired: \"<= 1\"");
  const region some = map({"lease.ttl=8s,9s", "clocks.phones.offset=0s,1s"}, text);
  for (const region_cell& c : some.cells) {
    CHECK(c.found == cell_status::holds);
    CHECK(c.room.front()->half_width() == Approx(-std::log(0.025) / 2));
    CHECK_FALSE(c.sure);
  }
  text.replace(text.find("<= 1"), 4, "<= 0");
  const region none = map({"lease.ttl=8s,9s", "clocks.phones.offset=0s,1s"}, text);
  for (const region_cell& c : none.cells) {
    CHECK(c.found == cell_status::holds);
    CHECK(c.sure);
  }
  // One that was seen refutes it, however rare it is.
  text.replace(text.find("leases.expired"), 14, "accepts.late");
  text.replace(text.find("accept: 1,"), 10, "accept: 0.05,");
  const region rare = map({"lease.ttl=4s,5s", "clocks.phones.offset=0s,1s"}, text);
  for (const region_cell& c : rare.cells) {
    CHECK(c.found == cell_status::misses);
    CHECK(-c.room.front()->value < c.room.front()->half_width());
    CHECK(c.sure);
  }
  CHECK(has(report::text_of(none, {}),
            "leases.expired <= 0 is missed in 0 of 4, with none seen elsewhere: at most 1.8"));
}

TEST_CASE("regions: a broken promise is told with its seed") {
  // A pause past the deadline and a confirm that never looks at the expiry.
  std::string text = exact_text;
  text += "faults:\n  - {id: stop, kind: pause, node: matcher/*, at: 60s, for: 30s}\n";
  const region r = map({"lease.ttl=8s,20s", "lease.protocol=fenced,hold"}, text);
  for (const region_cell& c : r.cells) {
    CHECK(c.found != cell_status::invalid);
    CHECK((c.found == cell_status::breaks) == c.broken.has_value());
  }
}

TEST_CASE("regions: an axis without values lies around the scenario's own") {
  const results::scratch scratch;
  const auto read = scenario::read_file(small_file(scratch));
  const scenario::field_values fields(read.value);
  CHECK(axis_with_default("lease.ttl", fields, 9).value() == "lease.ttl=3.75s..60s:log:9");
  CHECK(axis_with_default("lease.ttl=1s,2s", fields, 9).value() == "lease.ttl=1s,2s");
  CHECK(axis_with_default("lease.ttl=1s..9s", fields, 9).value() == "lease.ttl=1s..9s:lin:9");
  CHECK(has(axis_with_default("lease.tll", fields, 9).error().text, "did you mean `lease.ttl`"));
  CHECK(has(axis_with_default("clocks.drifting.offset", fields, 9).error().text, "name one"));
  CHECK_FALSE(axis_with_default("lease.protocol", fields, 9));
}

TEST_CASE("regions: without thresholds and conditions nobody may be assigned twice") {
  metric_index index;
  const auto safe = requirements_of({}, {}, index);
  REQUIRE(safe);
  REQUIRE(safe->size() == 3);
  CHECK(safe->front().text == "double.commits <= 0");
  CHECK_FALSE(requirements_of({}, {"ttm.p95 <= 4"}, index));
  CHECK(requirements_of({}, {"ttm.p95 <= 4s"}, index)->size() == 1);
}

TEST_CASE("regions: of clocks it is the difference of two that counts, with steps and strobes") {
  const results::scratch scratch;
  const auto skew = [&](const std::string& clocks) {
    const auto read =
        scenario::read_file(small_file(scratch, "exact.yaml", exact_text), {{"clocks", clocks}});
    INFO((read.ok() ? "" : scenario::format(read.diagnostics.front())));
    REQUIRE(read.ok());
    return bound_of(read.value, 0.95).skew;
  };
  CHECK(skew("[{id: a, node: driver/*, offset: 2s}]") == 2s);
  // All wrong alike is not wrong.
  CHECK(skew("[{id: a, node: driver/*, offset: 2s}, {id: b, node: matcher/*, offset: 2s},"
             " {id: c, node: lease_manager, offset: 2s}, {id: d, node: ledger, offset: 2s}]") ==
        0s);
  CHECK(skew("[{id: a, node: driver/*, offset: 2s}, {id: b, node: matcher/*, offset: -1s}]") == 3s);
  CHECK(skew("[{id: a, node: matcher/*, steps: [{at: 60s, by: 4s}, {at: 90s, by: -1s}]}]") == 4s);
  CHECK(skew("[{id: a, node: matcher/*, offset: 1s,"
             " strobe: {every: 10s, by: 500ms, from: 30s}}]") == 1500ms);
}

TEST_CASE("bounds: where deadlines are instants, what clocks gain until the end is skew") {
  const results::scratch scratch;
  const auto skew = [&](const std::string& deadline, const std::string& clocks) {
    const auto read = scenario::read_file(small_file(scratch, "exact.yaml", exact_text),
                                          {{"clocks", clocks}, {"lease.deadline", deadline}});
    INFO((read.ok() ? "" : scenario::format(read.diagnostics.front())));
    REQUIRE(read.ok());
    return bound_of(read.value, 0.95).skew;
  };
  const std::string slow = "[{id: a, node: matcher/1, drift: -20000ppm}]";
  // 2 % of a TTL of 15 s, and of the 7 minutes of the run.
  CHECK(skew("duration", slow) == 300ms);
  CHECK(skew("absolute", slow) == 8400ms + 300ms);
  // What is set right in the end was wrong before.
  CHECK(skew("absolute",
             "[{id: a, node: matcher/1, drift: -20000ppm, steps: [{at: 400s, by: 8s}]}]") >=
        8000ms + 300ms - 1ms);
}

TEST_CASE("regions: a cell that is no scenario is left out, and the others are judged") {
  space_request within;
  within.where = {"lease.offer_window <= lease.ttl"};
  const region r =
      map({"lease.ttl=4s,8s", "lease.offer_window=2s,6s"}, exact_text, std::move(within));
  REQUIRE(r.cells.size() == 4);
  CHECK(at(r, 0, 1) == cell_status::invalid);
  CHECK(at(r, 1, 0) != cell_status::invalid);
  CHECK(has(report::text_of(r, {}), "-    1  no scenario"));
  const region without = map({"lease.ttl=4s,8s", "matchers.count=1,0"});
  CHECK(at(without, 0, 1) == cell_status::invalid);
  CHECK(at(without, 1, 0) == cell_status::holds);
}

TEST_CASE("regions: what has to be equal may be neither more nor less") {
  metric_index index;
  const auto required = requirements_of({}, {"double.commits == 0"}, index);
  REQUIRE(required);
  CHECK(required->size() == 2);
  CHECK((*required)[0].text == "double.commits <= 0");
}
