#include "sweep/measured_point.hpp"

#include "catch.hpp"

#include <vector>

using namespace dibs;

TEST_CASE("measured point: its figures are over its runs, and broken runs are counted") {
  std::vector<results::run_record> runs(2);
  runs[0].measures = {{"double.offers", 10, {}, {}}};
  runs[1].measures = {{"double.offers", 14, {}, {}}};
  runs[1].violations = 3;
  const sweep::measured_point p = sweep::measured({}, runs);
  CHECK(p.runs == 2);
  CHECK(p.broken == 1);
  REQUIRE(p.estimates.size() == 1);
  CHECK(p.estimates[0].first == "double.offers");
  REQUIRE(p.find("double.offers"));
  CHECK(p.find("double.offers")->value == 12);
  CHECK(p.find("double.offers")->margin);
  CHECK_FALSE(p.find("ttm.p95"));
}
