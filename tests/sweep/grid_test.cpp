#include "sweep/grid.hpp"

#include "has.hpp"
#include "sweep/small.hpp"

using namespace dibs;
using namespace dibs::sweep;
using dibs::test::has;
using sweep::test::axis_from;
using sweep::test::grid_of;

namespace {

scenario::field_values fields_of_small() {
  const auto reading = scenario::read_text(sweep::test::small_text, "small.yaml", ".");
  REQUIRE(reading.ok());
  return scenario::field_values(reading.value);
}

std::vector<std::string> labels_of(const grid_spec& d) {
  REQUIRE(check(d));
  const auto points = expand(d, fields_of_small());
  INFO((points ? "" : points.error().text));
  REQUIRE(points);
  std::vector<std::string> labels;
  for (const sweep::point& p : *points) {
    labels.push_back(label_of(p));
  }
  return labels;
}

using texts = std::vector<std::string>;

}  // namespace

TEST_CASE("grid: every value of each axis meets every value of the others") {
  CHECK(labels_of(grid_of({"lease.ttl=5s,10s", "matchers.count=1,2"})) ==
        texts{"lease.ttl=5s, matchers.count=1",
              "lease.ttl=5s, matchers.count=2",
              "lease.ttl=10s, matchers.count=1",
              "lease.ttl=10s, matchers.count=2"});
}

TEST_CASE("grid: zipped axes change together, at each point of the others") {
  grid_spec d = grid_of({"lease.ttl=5s,10s"});
  d.zip = {axis_from("matchers.count=1,2"), axis_from("drivers.count=10,20")};
  CHECK(labels_of(d) == texts{"lease.ttl=5s, matchers.count=1, drivers.count=10",
                              "lease.ttl=5s, matchers.count=2, drivers.count=20",
                              "lease.ttl=10s, matchers.count=1, drivers.count=10",
                              "lease.ttl=10s, matchers.count=2, drivers.count=20"});
}

TEST_CASE("grid: derived values follow the point, then the scenario, then each other") {
  grid_spec d = grid_of({"lease.ttl=5s,10s"});
  d.derive = {{"lease.offer_window", "lease.ttl-3s"},
              {"clock.drain", "lease.offer_window + clock.warmup"}};
  CHECK(labels_of(d) == texts{"lease.ttl=5s, lease.offer_window=2s, clock.drain=12s",
                              "lease.ttl=10s, lease.offer_window=7s, clock.drain=17s"});
}

TEST_CASE("grid: what follows from itself, at once or in a circle, is refused") {
  grid_spec d = grid_of({"matchers.count=1,2"});
  for (const std::vector<derivation>& circle :
       {std::vector<derivation>{{"lease.ttl", "lease.ttl + 1s"}},
        {{"lease.ttl", "lease.offer_window + 3s"}, {"lease.offer_window", "lease.ttl - 3s"}},
        {{"clock.drain", "lease.offer_window + 1s"}, {"lease.offer_window", "5s"}}}) {
    d.derive = circle;
    const auto points = expand(d, fields_of_small());
    REQUIRE_FALSE(points);
    CHECK(points.error().code == exit_code::usage);
    CHECK(has(points.error().text, "follow"));
  }
}

TEST_CASE("grid: a word that stands for the field beside it has that field's value") {
  grid_spec d = grid_of({"matchers.count=1,2"});
  d.derive = {{"lease.margin", "lease.offer_window - 14s"}};
  CHECK(labels_of(d) ==
        texts{"matchers.count=1, lease.margin=1s", "matchers.count=2, lease.margin=1s"});
}

TEST_CASE("grid: conditions drop points, and must leave one") {
  grid_spec d = grid_of({"lease.ttl=5s,10s,20s", "lease.offer_window=5s,10s"});
  d.where = {"lease.offer_window<=lease.ttl", "lease.ttl < 20s"};
  CHECK(labels_of(d) == texts{"lease.ttl=5s, lease.offer_window=5s",
                              "lease.ttl=10s, lease.offer_window=5s",
                              "lease.ttl=10s, lease.offer_window=10s"});
  d.where = {"lease.ttl > 1h"};
  const auto none = expand(d, fields_of_small());
  REQUIRE_FALSE(none);
  CHECK(has(none.error().text, "none of 6 points"));
}

TEST_CASE("grid: entries of lists are found by name, number and link") {
  const auto fields = fields_of_small();
  CHECK(fields.find("clocks.drifting.offset") == "0s");
  CHECK(fields.find("clocks.1.offset") == "0s");
  CHECK(fields.find("drivers.classes.all.ignore").has_value());
  CHECK(fields.find("network.matcher->driver.latency").has_value());
  CHECK(fields.find("lease.ttl") == "15s");
  CHECK_FALSE(fields.find("lease.tll").has_value());
  CHECK(fields.nearest("lease.tll") == "lease.ttl");
}

TEST_CASE("grid: contradictions are refused") {
  const auto why = [](const grid_spec& d) {
    const auto sound = check(d);
    REQUIRE_FALSE(sound);
    CHECK(sound.error().code == exit_code::usage);
    return sound.error().text;
  };
  CHECK(has(why({}), "nothing to vary"));
  grid_spec d = grid_of({"lease.ttl=5s,10s", "lease.ttl=20s"});
  CHECK(has(why(d), "twice"));
  d = grid_of({"lease.ttl=5s"});
  d.derive = {{"lease.ttl", "3s"}};
  CHECK(has(why(d), "twice"));
  d = grid_of({});
  d.zip = {axis_from("lease.ttl=5s,10s"), axis_from("matchers.count=1,2,3")};
  CHECK(has(why(d), "has 2 values, matchers.count has 3"));
  CHECK(has(why(grid_of({"seed=1,2"})), "--seeds"));
  CHECK_FALSE(parse_derivation("lease.ttl"));
  CHECK_FALSE(parse_derivation("lease.ttl="));
}

TEST_CASE("grid: the size is known before anything is expanded") {
  grid_spec d = grid_of({"a=1..1000000:lin:1000000"});
  CHECK(size_of(d) == 1'000'000);
  d.grid.resize(5, d.grid[0]);
  CHECK(size_of(d) == UINT64_MAX);
  const auto points = expand(d, fields_of_small());
  REQUIRE_FALSE(points);
  CHECK(has(points.error().text, "too many points"));
}
