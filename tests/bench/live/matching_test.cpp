#include "bench/live/matching.hpp"

#include "bench/live/ride_times.hpp"
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

events::event told(sim_duration t, std::uint32_t ride, events::try_ending cause) {
  return {at(t),
          {},
          events::try_closed{token_id{1}, driver_id{0}, ride_id{ride}, matcher_id{0}, cause}};
}

events::event over(sim_duration t, std::uint32_t ride) {
  return {at(t), {}, events::trip_ended{token_id{1}, driver_id{0}, ride_id{ride}, {}}};
}

/// Rides that should appear once a second.
std::function<sim_time()> every_second() {
  return [next = at(0s)]() mutable { return next += 1s; };
}

matching_options tiny_market() {
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
  ride_times times(at(0s), every_second());
  times.observe(std::vector{asked(5s, 0), asked(5s, 1), committed(6s, 1), committed(7s, 0)});
  CHECK(times.matches() == 2);
  CHECK(times.to_match().min() == 4s);  // ride 1 should have appeared at 2 s
  CHECK(times.to_match().max() == 6s);  // and ride 0 at 1 s
}

TEST_CASE("time to match: rides of an open loop that still wait count for as long as they have") {
  ride_times times(at(0s), every_second());
  times.observe(std::vector{asked(1s, 0), committed(1s, 0), asked(2s, 1)});
  times.finish(at(10s));
  CHECK(times.matches() == 1);
  CHECK(times.unmatched() == 8);  // those of 2 s to 9 s, of which one has appeared
  CHECK(times.to_match().max() == 8s);
}

TEST_CASE("time to match: a closed loop counts after the warm-up") {
  ride_times times(at(3s), 1U);
  times.observe(
      std::vector{asked(1s, 0), committed(2s, 0), over(2s, 0), asked(2s, 1), committed(4s, 1)});
  times.finish(at(10s));
  CHECK(times.matches() == 1);
  CHECK(times.to_match().max() == 2s);
  CHECK(times.unmatched() == 0);
}

TEST_CASE("time to match: rides of a closed loop are owed from the start on") {
  ride_times times(at(3s), 3U);
  times.observe(std::vector{asked(1s, 0), committed(4s, 0), asked(4s, 1)});
  times.finish(at(10s));
  CHECK(times.matches() == 1);
  CHECK(times.to_match().min() == 4s);
  CHECK(times.unmatched() == 2);  // one has not even appeared
  CHECK(times.to_match().max() == 10s);
}

// So those in flight are the rate times the time to match, wherever they wait.
TEST_CASE("time to match: each later ride of a closed loop is owed when one is over") {
  ride_times times(at(3s), 2U);
  times.observe(std::vector{asked(1s, 0), committed(2s, 0), over(3s, 0), over(4s, 0)});
  times.observe(std::vector{asked(5s, 1), committed(5s, 1), asked(6s, 2), committed(7s, 2)});
  times.finish(at(9s));
  CHECK(times.matches() == 2);
  CHECK(times.to_match().max() == 5s);
  CHECK(times.to_match().min() == 4s);  // ride 2 is owed from 3 s on, when ride 0 was over
  CHECK(times.unmatched() == 0);        // a ride is over once
}

TEST_CASE("time in the matcher: from the request until it is told of the commit") {
  ride_times times(at(0s), every_second());
  times.observe(std::vector{asked(3s, 0),
                            told(4s, 0, events::try_ending::denied),
                            committed(5s, 0),
                            told(7s, 0, events::try_ending::committed),
                            told(9s, 0, events::try_ending::committed)});
  CHECK(times.in_matcher().count() == 1);
  CHECK(times.in_matcher().max() == 4s);
  CHECK(times.to_match().max() == 4s);  // from 1 s, when it should have appeared, to 5 s
}

TEST_CASE(
    "time in the matcher: a ride that is still there counts for as long, one outside does not") {
  ride_times times(at(0s), every_second());
  times.observe(std::vector{asked(2s, 0)});
  times.finish(at(10s));
  CHECK(times.unmatched() == 9);
  CHECK(times.in_matcher().count() == 1);
  CHECK(times.in_matcher().max() == 8s);
}

TEST_CASE("time in the matcher: of the warm-up nothing counts") {
  ride_times times(at(3s), every_second());
  times.observe(std::vector{asked(1s, 0),
                            told(2s, 0, events::try_ending::committed),
                            asked(2s, 1),
                            told(3s, 1, events::try_ending::committed)});
  CHECK(times.in_matcher().count() == 1);
}

TEST_CASE("matching: no quantile of too few values") {
  stats::histogram times;
  CHECK_FALSE(quantile_of(times, 0.5));
  for (int n = 1; n <= 1000; ++n) {
    times.add(1s);
    INFO(n << " values");
    REQUIRE(quantile_of(times, 0.5));
    REQUIRE(quantile_of(times, 0.99).has_value() == (n >= 100));
    REQUIRE(quantile_of(times, 0.999).has_value() == (n >= 1000));
  }
}

TEST_CASE("matching: quantiles of several samples are those of all their values") {
  matching_result r;
  r.samples.resize(2);
  r.samples[0].to_match.add(1s);
  for (int i = 0; i < 3; ++i) {
    r.samples[1].to_match.add(3s);
  }
  CHECK(r.pooled(&matching_sample::to_match).count() == 4);
  CHECK(quantile_of(r.pooled(&matching_sample::to_match), 0.5) == Approx(3).epsilon(0.01));
}

TEST_CASE("matching: a ride that is committed twice is matched once") {
  ride_times times(at(0s), 0U);
  times.observe(std::vector{asked(1s, 0), committed(2s, 0), committed(5s, 0)});
  CHECK(times.matches() == 1);
  CHECK(times.to_match().max() == 1s);
}

// Goal: both loops match rides, and what is promised is kept, whatever the machine. Method: tiny
// measurements, few drivers, popular ones among them.
TEST_CASE("matching: a closed loop matches rides under contention and keeps its promises") {
  matching_options o = tiny_market();
  o.zipf = 1.1;
  o.blind = true;
  const auto sample = measure_matching(o);
  REQUIRE(sample);
  CHECK(sample->matches > 0);
  CHECK(sample->lease_operations > sample->matches);
  CHECK(sample->conflicts > 0);  // blind matchers ask for popular drivers who are taken
  // A lease of a match may be from before the measurement, for each ride in flight.
  CHECK(sample->attempts + 16 >= sample->matches + sample->conflicts);
  CHECK(sample->in_matcher.count() >= sample->matches);
  CHECK(sample->double_commits == 0);
  CHECK(sample->double_rides == 0);
  CHECK(sample->violations == 0);
  CHECK_FALSE(sample->interrupted);
}

TEST_CASE("matching: an open loop has as many rides as its rate says, whatever the machine") {
  matching_options o = tiny_market();
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

// Goal: far above what can be matched rides wait outside, and are all counted. Method: a rate that
// no machine reaches, and few rides at once: all but a few of the others have never been with a
// matcher.
TEST_CASE("matching: an open loop above the limit gives matchers no more rides than it may") {
  matching_options o = tiny_market();
  o.seconds = 0.3;
  o.rate = 200'000;
  o.at_once = 8;
  const auto sample = measure_matching(o);
  REQUIRE(sample);
  CHECK(sample->matches > 0);
  // Some were there at either end, and a ride may be over before its matcher is told of it.
  CHECK(sample->in_matcher.count() < sample->matches + 100);
  CHECK(sample->unmatched > 1000);
  const auto rides = static_cast<double>(sample->matches + sample->unmatched);
  CHECK(rides > 60'000 - 6 * 245);
  CHECK(sample->violations == 0);
}

// Goal: where nobody asks for a lease, a refused write is the conflict. Method: blind matchers and
// one driver in each other's way.
TEST_CASE("matching: without leases refused writes are the conflicts") {
  matching_options o = tiny_market();
  o.protocol = lease::protocol::optimistic;
  o.drivers = 2;
  o.candidates = 1;
  o.blind = true;
  const auto sample = measure_matching(o);
  REQUIRE(sample);
  CHECK(sample->matches > 0);
  CHECK(sample->conflicts > 0);
  CHECK(sample->attempts > sample->conflicts);
  CHECK(sample->lease_operations == 0);
}
