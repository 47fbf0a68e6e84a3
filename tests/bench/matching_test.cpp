#include "bench/matching.hpp"

#include "bench/time_to_match.hpp"
#include "catch.hpp"

#include <vector>

using namespace dibs;
using namespace dibs::bench;

namespace {

events::event asked(sim_duration t, std::uint32_t ride) {
  return {at(t), {}, events::ride_requested{ride_id{ride}, {}}};
}

events::event committed(sim_duration t, std::uint32_t ride) {
  return {at(t), {}, events::trip_committed{token_id{1}, driver_id{0}, ride_id{ride}, {}}};
}

/// Rides that should appear once a second.
std::function<sim_time()> every_second() {
  return [next = at(0s)]() mutable { return next += 1s; };
}

matching_options tiny() {
  matching_options o;
  o.matchers = 2;
  o.drivers = 200;
  o.threads = 2;
  o.seconds = 0.1;
  o.in_flight = 16;
  return o;
}

}  // namespace

TEST_CASE("time to match: counts from the instant at which a ride should have appeared") {
  time_to_match times(at(0s), every_second());
  times.observe(std::vector{asked(5s, 0), asked(5s, 1), committed(6s, 1), committed(7s, 0)});
  CHECK(times.matches() == 2);
  CHECK(times.took().min() == 4s);  // ride 1 should have appeared at 2 s
  CHECK(times.took().max() == 6s);  // and ride 0 at 1 s
}

TEST_CASE("time to match: rides of an open loop that still wait count for as long as they have") {
  time_to_match times(at(0s), every_second());
  times.observe(std::vector{asked(1s, 0), committed(1s, 0), asked(2s, 1)});
  times.finish(at(10s));
  CHECK(times.matches() == 1);
  CHECK(times.unmatched() == 8);  // those of 2 s to 9 s, of which one has appeared
  CHECK(times.took().max() == 8s);
}

TEST_CASE("time to match: a closed loop counts from where its rides appear, after the warm-up") {
  time_to_match times(at(3s), 1U);
  times.observe(std::vector{asked(1s, 0), committed(2s, 0), asked(2s, 1), committed(4s, 1)});
  times.finish(at(10s));
  CHECK(times.matches() == 1);
  CHECK(times.took().max() == 2s);
  CHECK(times.unmatched() == 0);
}

TEST_CASE("time to match: rides of a closed loop are owed from the start on") {
  time_to_match times(at(3s), 3U);
  times.observe(std::vector{asked(1s, 0), committed(4s, 0), asked(4s, 1)});
  times.finish(at(10s));
  CHECK(times.matches() == 1);
  CHECK(times.took().min() == 4s);
  CHECK(times.unmatched() == 2);  // one has not even appeared
  CHECK(times.took().max() == 10s);
}

TEST_CASE("matching: a ride that is committed twice is matched once") {
  time_to_match times(at(0s), 0U);
  times.observe(std::vector{asked(1s, 0), committed(2s, 0), committed(5s, 0)});
  CHECK(times.matches() == 1);
  CHECK(times.took().max() == 1s);
}

// Goal: both loops match rides, and what is promised is kept, whatever the machine. Method: tiny
// measurements, few drivers, popular ones among them.
TEST_CASE("matching: a closed loop matches rides under contention and keeps its promises") {
  matching_options o = tiny();
  o.zipf = 1.1;
  o.blind = true;
  const auto sample = measure_matching(o);
  REQUIRE(sample);
  CHECK(sample->matches > 0);
  CHECK(sample->lease_operations > sample->matches);
  CHECK(sample->denials > 0);  // blind matchers ask for popular drivers who are taken
  CHECK(sample->double_assignments == 0);
  CHECK(sample->violations == 0);
  CHECK_FALSE(sample->interrupted);
}

TEST_CASE("matching: an open loop has as many rides as its rate says, whatever the machine") {
  matching_options o = tiny();
  o.rate = 2000;
  const auto sample = measure_matching(o);
  REQUIRE(sample);
  // 200 expected; a Poisson count within six standard deviations, and rides that waited when the
  // measurement began.
  const auto rides = static_cast<double>(sample->matches + sample->unmatched);
  CHECK(rides > 200 - 6 * 14.2);
  CHECK(rides < 240 + 6 * 15.5);
  CHECK(sample->violations == 0);
}
