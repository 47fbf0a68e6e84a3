// Goal: a slider stops where one would like to look, at the scenario's own value among others.
// Method: fields of a small scenario, as they are typed; nothing runs.

#include "explore/slider.hpp"

#include "explore/small_start.hpp"
#include "has.hpp"

#include <algorithm>

using namespace dibs;
using namespace dibs::explore;
using namespace dibs::explore::test;
using dibs::test::has;

namespace {

using texts = std::vector<std::string>;

std::vector<std::string> paths_of(const std::vector<slider>& all) {
  std::vector<std::string> paths;
  std::ranges::transform(all, std::back_inserter(paths), &slider::path);
  return paths;
}

}  // namespace

TEST_CASE("sliders: a field alone moves from a quarter of its value to four times it") {
  const small_start s;
  const slider ttl = s.moving("lease.ttl");
  CHECK(ttl.stops.front() == "3.75s");
  CHECK(ttl.stops.back() == "60s");
  CHECK(ttl.stops.at(ttl.own) == "15s");
  for (const std::string round : {"4s", "4.5s", "8s", "12s", "20s", "45s"}) {
    INFO(round);
    CHECK(std::ranges::find(ttl.stops, round) != ttl.stops.end());
  }
  CHECK(ttl.stops.size() > 20);
  CHECK(ttl.stops.size() < 40);
}

TEST_CASE("sliders: what is counted has whole numbers, each once") {
  const small_start s;
  CHECK(s.moving("drivers.count=3..6").stops == texts{"3", "4", "5", "6", "20"});
  CHECK(s.moving("matchers.offers.max=1..8").stops ==
        texts{"1", "2", "3", "4", "5", "6", "7", "8"});
}

TEST_CASE("sliders: ends that make no scenario are left out of a range that nobody typed") {
  // A clock is named after the second matcher.
  const small_start s;
  const slider matchers = s.moving("matchers.count");
  CHECK(matchers.stops.front() == "2");
  CHECK(matchers.own == 0);
  CHECK(s.moving("matchers.count=1..3").stops.front() == "1");
}

TEST_CASE("sliders: the offer window goes with the TTL, so a short one is a stop") {
  const small_start s("lease.offer_window", "12s");
  CHECK(s.moving("lease.ttl").stops.front() == "3.75s");
}

TEST_CASE("sliders: a range is divided by ratio if its ends are far apart, else by difference") {
  const small_start s;
  CHECK(s.moving("lease.grace=0s..5s").stops.at(1) == "0.2s");
  CHECK(s.moving("lease.ttl=10s..20s").stops.at(1) == "10.5s");
  CHECK(s.moving("lease.ttl=5s..60s").stops.at(1) == "5.5s");
  CHECK(s.moving("lease.ttl=1s..1000s").stops.at(1) == "1.2s");
  CHECK(s.moving("lease.ttl=500ms..20s").stops.back() == "20000ms");
}

TEST_CASE("sliders: lists and counted ranges are as in a sweep, with the own value at its place") {
  const small_start s;
  CHECK(s.moving("lease.ttl=10s,20s").stops == texts{"10s", "15s", "20s"});
  CHECK(s.moving("lease.ttl=10s,15000ms,20s").stops == texts{"10s", "15s", "20s"});
  CHECK(s.moving("lease.ttl=10s..30s:lin:3").stops == texts{"10s", "15s", "20s", "30s"});
  CHECK(s.moving("lease.ttl=20s,9s,1min").stops == texts{"9s", "15s", "20s", "1min"});
  const slider protocols = s.moving("lease.protocol=lease,fenced");
  CHECK(protocols.stops == texts{"lease", "fenced"});
  CHECK(protocols.own == 1);
  CHECK(s.moving("lease.protocol=lease").stops == texts{"fenced", "lease"});
}

TEST_CASE("sliders: what cannot be moved is refused with the reason") {
  const small_start s;
  CHECK(has(s.complaint("lease.tll"), "no field of the scenario; did you mean `lease.ttl`?"));
  CHECK(has(s.complaint("seed"), "seed cannot be varied"));
  CHECK(has(s.complaint("output.series=1s,2s"), "no result depends on it"));
  CHECK(has(s.complaint("lease.grace"), "is 0s, so there is no range around it"));
  CHECK(has(s.complaint("lease.protocol"), "is fenced, so there is no range around it"));
  CHECK(has(s.complaint("lease.ttl=20s..10s"), "is no range"));
  CHECK(has(s.complaint("lease.ttl=5s..10m/s"), "is no range"));
  CHECK(has(s.complaint("lease.ttl=15s"), "needs two values"));
  CHECK(has(s.complaint("lease.ttl="), "something is missing"));
  CHECK(has(s.complaint("lease.ttl=1s..100s:lin:2000"), "more than 1000 values"));
}

TEST_CASE("sliders: the usual ones are fields that have an effect in this scenario") {
  const small_start fenced;
  const auto usual = sliders_of({}, fenced.scenario);
  REQUIRE(usual);
  CHECK(usual->front().path == "lease.ttl");
  CHECK(usual->size() <= sliders_max);
  const auto has_path = [](const std::vector<slider>& all, const std::string& path) {
    return std::ranges::find(all, path, &slider::path) != all.end();
  };
  CHECK_FALSE(has_path(*usual, "lease.margin"));  // no holder judges its lease
  const small_start holder("lease.judge", "holder");
  CHECK(has_path(*sliders_of({}, holder.scenario), "lease.margin"));
  const small_start none("lease.protocol", "none");
  const auto without_leases = sliders_of({}, none.scenario);
  REQUIRE(without_leases);
  for (const std::string& path : paths_of(*without_leases)) {
    INFO(path);
    // Without leases the TTL is how long an offer stays open.
    CHECK((path == "lease.ttl" || !path.starts_with("lease.")));
  }
  CHECK_FALSE(has_path(*sliders_of({}, small_start("lease.ttl", "9s").scenario), "lease.ttl"));
}

TEST_CASE("sliders: at most six, each field once") {
  const small_start s;
  CHECK(paths_of(*sliders_of({"drivers.count", "lease.ttl"}, s.scenario)) ==
        texts{"drivers.count", "lease.ttl"});
  CHECK(has(sliders_of({"lease.ttl", "lease.ttl=5s,9s"}, s.scenario).error().text, "named twice"));
  const texts seven{"lease.ttl",
                    "drivers.count",
                    "matchers.view_lag",
                    "matchers.count",
                    "lease.grace=0s..5s",
                    "matchers.offers.max",
                    "clock.duration"};
  CHECK(sliders_of({seven.begin(), seven.begin() + 6}, s.scenario));
  CHECK(has(sliders_of(seven, s.scenario).error().text, "at most 6"));
}
