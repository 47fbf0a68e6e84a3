#include "processes/clock_offset.hpp"

#include "catch.hpp"

using namespace dibs::processes;

TEST_CASE("clock offset: the quickest answer counts, and bounds what is wrong") {
  clock_offset c;
  c.hear({.asked_at = 1000, .reads = 5600}, 2000);  // took 1000, and came back slowly
  CHECK(c.there(0) == 4100);
  CHECK(c.error_max() == 500);
  c.hear({.asked_at = 3000, .reads = 7050}, 3100);
  CHECK(c.there(3000) == 7000);
  CHECK(c.error_max() == 50);
  c.hear({.asked_at = 4000, .reads = 9000}, 4800);
  CHECK(c.there(3000) == 7000);
  CHECK(c.answers() == 3);
}

TEST_CASE("clock offset: a clock that is behind") {
  clock_offset c;
  c.hear({.asked_at = 9000, .reads = 1020}, 9040);
  CHECK(c.there(9020) == 1020);
  CHECK(c.there(0) == -8000);
}
