#include "base/saturating_add.hpp"

#include "catch.hpp"

using namespace dibs;

TEST_CASE("saturating add: what is beyond all time is its end") {
  constexpr sim_time end = sim_time::max();
  CHECK(saturating_add(at(3s), 15s) == at(18s));
  CHECK(saturating_add(at(3s), -2s) == at(1s));
  CHECK(saturating_add(at(3s), forever) == end);
  CHECK(saturating_add(at(0s), forever - 1ns) == end - 1ns);
  CHECK(saturating_add(at(1ns), forever - 1ns) == end);
  CHECK(saturating_add(at(2ns), forever - 1ns) == end);
  CHECK(saturating_add(end, -2s) == end);
}

TEST_CASE("saturating add: a clock that was set back adds what it is asked to, and no more") {
  CHECK(saturating_add(at_local(-8s), 15s) == at_local(7s));
  CHECK(saturating_add(at_local(-8s), forever) == local_time::max());
  CHECK(saturating_add(at_local(-8s), forever - 1ns) == local_time::max() - 8s - 1ns);
}
