#include "bench/live/lease_load.hpp"

#include "catch.hpp"

#include <atomic>

using namespace dibs;
using namespace dibs::bench;

namespace {

load_options tiny_load() {
  load_options o;
  o.load.drivers = 200;
  o.load.clients = 2;
  o.load.in_flight = 8;
  o.seconds = 0.1;
  o.load.speed = 1000;  // a lease runs out after 15 ms
  o.repeats = 2;
  o.shards = {1, 3};
  return o;
}

}  // namespace

TEST_CASE("lease load: counts answers, denials and leases that ran out") {
  const auto all = lease_load(tiny_load());
  REQUIRE(all);
  REQUIRE(all->size() == 2);
  CHECK(all->front().shards == 1);
  CHECK(all->back().shards == 3);
  for (const load_result& r : *all) {
    CHECK(r.drivers == 200);
    CHECK(r.requests > 100);
    CHECK(r.denied > 0);
    CHECK(r.denied < r.requests);
    CHECK(r.ran_out > 0);
    CHECK(r.ran_out < r.requests);
    CHECK(r.answers_per_s.least > 0);
  }
}

// Of one driver nearly every request is denied: her lease runs out only every 15 ms.
TEST_CASE("lease load: a driver is leased once at a time") {
  load_options o = tiny_load();
  o.load.drivers = 1;
  const auto r = lease_load(o);
  REQUIRE(r);
  for (const load_result& each : *r) {
    CHECK(each.denied > each.requests / 2);
  }
}

TEST_CASE("lease load: a stop before anything was measured is an error") {
  const std::atomic<bool> stop = true;
  load_options o = tiny_load();
  o.stop = &stop;
  const auto r = lease_load(o);
  REQUIRE_FALSE(r);
  CHECK(r.error().code == exit_code::interrupted);
}
