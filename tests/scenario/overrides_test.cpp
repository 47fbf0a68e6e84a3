#include "scenario/overrides.hpp"

#include "catch.hpp"
#include "scenario/field_paths.hpp"
#include "scenario/texts.hpp"

namespace dibs::scenario::test {

namespace {

const std::string rich = base +
                         "lease: {ttl: 15s, offer_window: 12s}\n"
                         "network: [{link: matcher->driver, latency: 5ms}]\n"
                         "clocks: [{id: drifting, node: matcher/1, offset: 1s}]\n"
                         "thresholds: {rides.match_rate: \">= 0.85\"}\n";

scenario rich_with(const std::vector<override_value>& set) {
  const reading r = read(rich, set);
  INFO(all_of(r));
  REQUIRE(r.ok());
  return r.value;
}

}  // namespace

TEST_CASE("set: a field of the file is replaced, and one that it lacks is added") {
  const scenario s = rich_with({{"lease.ttl", "20s"}, {"matchers.count", "4"}});
  CHECK(s.lease.ttl == 20s);
  CHECK(s.matchers.count == 4);
}

TEST_CASE("set: entries of lists are addressed by name, by id, by link and by number from 1") {
  const scenario s = rich_with({{"drivers.classes.all.accept", "50%"},
                                {"clocks.drifting.offset", "{dist: normal, mean: 0s, sd: 1s}"},
                                {"clocks.1.drift", "200ppm"},
                                {"network.1.loss", "0.25"},
                                {"network.matcher->driver.retry", "{after: 2s}"},
                                {"demand.1.rate", "2/s"}});
  CHECK(s.drivers.classes[0].accept == 0.5);
  CHECK(std::get<normal_duration>(s.clocks[0].offset.shape).sd == 1s);
  CHECK(std::get<constant_duration>(s.clocks[0].drift.shape).value == sim::ppm(200));
  CHECK(s.network[0].loss == 0.25);
  CHECK(s.network[0].retry->after == 2s);
  CHECK(std::get<poisson_demand>(s.demand[0]).rate_per_s == 2);
}

TEST_CASE("set: a part of a distribution or a whole mapping") {
  const scenario s = rich_with({{"drivers.classes.all.response.value", "9s"},
                                {"lease.cleanup", "{kind: periodic, every: 2s}"}});
  CHECK(std::get<constant_duration>(s.drivers.classes[0].response).value == 9s);
  CHECK(s.lease.cleanup.every == 2s);
}

TEST_CASE("set: thresholds take the rest of the path as the metric, and need no quotes") {
  const scenario s = rich_with(
      {{"thresholds.rides.match_rate", ">= 0.5"}, {"expect.supply.hidden_share", "<= 3%"}});
  CHECK(s.thresholds.at(0).value == 0.5);
  CHECK(s.expect.at(0).value == 0.03);
}

TEST_CASE("set: the last of two values for one field counts") {
  CHECK(rich_with({{"seed", "5"}, {"seed", "6"}}).seed == 6);
}

TEST_CASE("set: the same checks apply, and complaints name --set") {
  struct refused_set {
    override_value set;
    const char* code;
    const char* path;
    int column;
  };
  for (const refused_set& h : std::vector<refused_set>{
           {{"lease.tll", "10s"}, "E-UNKNOWN", "lease.tll", 7},
           {{"leese.ttl", "10s"}, "E-UNKNOWN", "leese.ttl", 1},
           {{"thresholds.double.commits", "< 0"}, "E-RANGE", "thresholds.double.commits", 27},
           {{"thresholds.ttm.p95", "< 0s"}, "E-RANGE", "thresholds.ttm.p95", 20},
           {{"thresholds.rides.match_rate", "< 0%"}, "E-RANGE", "thresholds.rides.match_rate", 29},
           {{"thresholds.rides.match_rate", "> 100%"},
            "E-RANGE",
            "thresholds.rides.match_rate",
            29},
           {{"lease.ttl.x", "10s"}, "E-UNKNOWN", "lease.ttl.x", 11},
           {{"lease.ttl", "10"}, "E-UNIT", "lease.ttl", 11},
           {{"lease.ttl", ""}, "E-TYPE", "lease.ttl", 11},
           {{"lease.ttl", "5s"}, "E-CONFLICT", "lease.ttl", 11},
           {{"lease.cleanup", "{kind: periodic, evry: 1s}"}, "E-UNKNOWN", "lease.cleanup.evry", 32},
           {{"matchers.count", "off"}, "E-TYPE", "matchers.count", 16},
           {{"clocks.driftng.offset", "1s"}, "E-REFERENCE", "clocks.driftng.offset", 8},
           {{"network.2.loss", "1%"}, "E-REFERENCE", "network.2.loss", 9},
           {{"network.0.loss", "1%"}, "E-REFERENCE", "network.0.loss", 9},
           {{"seed", "[1"}, "E-SYNTAX", "seed", 0},
           {{"seed", "&a 1"}, "E-LIMIT", "seed", 6},
           {{"thresholds.rides.match_rte", ">= 0.5"},
            "E-REFERENCE",
            "thresholds.rides.match_rte",
            12},
           {{"", "1"}, "E-UNKNOWN", "", 1},
           {{".", "1"}, "E-UNKNOWN", ".", 1},
       }) {
    const reading r = read(rich, {h.set});
    INFO(h.set.path << "=" << h.set.value << "\n" << all_of(r));
    REQUIRE(r.diagnostics.size() == 1);
    CHECK(r.diagnostics[0].code == h.code);
    CHECK(r.diagnostics[0].path == h.path);
    CHECK(r.diagnostics[0].file == "--set");
    CHECK(r.diagnostics[0].line == 1);
    if (h.column > 0) {
      CHECK(r.diagnostics[0].column == h.column);
    }
  }
}

TEST_CASE("set: an entry that is not there is told with those that are") {
  const reading r = read(rich, {{"clocks.phones.offset", "1s"}});
  REQUIRE_FALSE(r.ok());
  CHECK(all_of(r).find("entries count from 1; these are drifting") != std::string::npos);
}

TEST_CASE("lookup: two scenarios differ in the deepest fields that do, entries by their names") {
  const auto told = [](const scenario& a, const scenario& b) {
    std::string all;
    for (const field_difference& d : field_values(a).differences(field_values(b))) {
      all += d.path + "=" + d.a + "|" + d.b + " ";
    }
    return all;
  };
  const scenario plain = rich_with({});
  CHECK(told(plain, plain).empty());
  CHECK(told(plain, rich_with({{"seed", "9"}, {"name", "other"}, {"question", "Why?"}})).empty());
  CHECK(told(plain, rich_with({{"lease.ttl", "20s"}})) == "lease.ttl=15s|20s ");
  CHECK(told(plain, rich_with({{"clocks.drifting.offset", "2s"}})) ==
        "clocks.drifting.offset=1s|2s ");
  CHECK(told(rich_with({{"demand.1.rate", "2/s"}}), plain) == "demand.1.rate=2/s|1/s ");
  CHECK(told(plain, rich_with({{"lease.standby", "{after: 2s}"}})).starts_with("lease.standby"));
}

}  // namespace dibs::scenario::test
