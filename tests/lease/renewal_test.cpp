#include "lease/renewal.hpp"

#include "catch.hpp"

using namespace dibs;
using lease::renewal;
using lease::renewal_interval;

TEST_CASE("renewal: eager at half the TTL, lazy at nine tenths, or where it is said") {
  CHECK(renewal_interval(renewal::eager, {}, 10s, 0s) == 5s);
  CHECK(renewal_interval(renewal::lazy, {}, 10s, 3s) == 9s);
  CHECK(renewal_interval(renewal::lazy, 0.25, 10s, 3s) == 2500ms);
  CHECK(renewal_interval(renewal::none, {}, 10s, 0s) == forever);
  CHECK(renewal_interval(renewal::eager, {}, forever, 0s) == forever);
}

TEST_CASE("renewal: adaptive leaves room for three round trips, within bounds") {
  CHECK(renewal_interval(renewal::adaptive, {}, 10s, 0s) == 7s);
  CHECK(renewal_interval(renewal::adaptive, {}, 10s, 2s) == 4s);
  CHECK(renewal_interval(renewal::adaptive, {}, 10s, 5s) == 3s);
}

TEST_CASE("renewal: of the round trips each new one counts for an eighth") {
  lease::round_trips seen;
  CHECK(seen.mean() == 0s);
  seen.add(800ms);
  CHECK(seen.mean() == 800ms);
  seen.add(1600ms);
  CHECK(seen.mean() == 900ms);
}
