#include "world/demand.hpp"

#include "catch.hpp"
#include "world/arrivals.hpp"
#include "world/city.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <set>
#include <vector>

namespace {

using namespace dibs;
using namespace dibs::world;
using world::test::city;

/// A day with a ride every `gap`, each at a place of its own and with a trip of its own.
std::shared_ptr<const trace> day_of_rides(sim_duration gap, bool has_trips = true) {
  trace day;
  stream random(1);
  for (sim_duration t{}; t < 24h; t += gap) {
    trace_row row;
    row.time_of_day = t;
    row.origin = city.anywhere(random);
    row.destination = city.anywhere(random);
    row.trip = 1min + t / 1000;
    row.number = static_cast<std::uint32_t>(day.rows.size());
    day.rows.push_back(row);
  }
  day.has_trips = has_trips;
  return std::make_shared<const trace>(day);
}

std::vector<ride_plan> all_rides(const demand_options& options,
                                 std::uint64_t seed = 7,
                                 const geography& map = city) {
  demand rides(options, map, seed);
  std::vector<ride_plan> all;
  while (const auto ride = rides.next()) {
    REQUIRE(ride->at >= at(0s));
    REQUIRE(ride->at < options.until);
    REQUIRE((all.empty() || all.back().at <= ride->at));
    all.push_back(*ride);
  }
  CHECK(static_cast<double>(all.size()) <= rides_at_most(options));
  return all;
}

bool are_equal(const ride_plan& a, const ride_plan& b) {
  return a.at == b.at && a.origin == b.origin && a.destination == b.destination &&
         a.trip == b.trip && a.key == b.key;
}

std::set<std::uint64_t> keys_of(const std::vector<ride_plan>& rides) {
  std::set<std::uint64_t> keys;
  for (const ride_plan& ride : rides) {
    keys.insert(ride.key);
  }
  CHECK(keys.size() == rides.size());
  return keys;
}

bool contains_all(const std::set<std::uint64_t>& larger, const std::set<std::uint64_t>& smaller) {
  return std::includes(larger.begin(), larger.end(), smaller.begin(), smaller.end());
}

demand_options of_trace(const trace_demand& source, sim_duration start, sim_duration length) {
  return {{source}, start, at(length), std::nullopt};
}

// -- trace ---------------------------------------------------------------------------------------

TEST_CASE("demand: a trace without jitter is replayed as it stands", "[demand]") {
  const auto day = day_of_rides(10min);
  const auto rides = all_rides(of_trace({day}, 17h, 1h));
  REQUIRE(rides.size() == 6);
  for (std::size_t i = 0; i < rides.size(); ++i) {
    const trace_row& row = day->rows[17 * 6 + i];
    CHECK(rides[i].at == at(static_cast<int>(i) * 10min));
    CHECK(rides[i].origin == row.origin);
    CHECK(rides[i].destination == row.destination);
    CHECK(rides[i].trip == row.trip);
  }
}

TEST_CASE("demand: a trace starts anew at midnight", "[demand]") {
  const auto day = day_of_rides(1h);
  const auto rides = all_rides(of_trace({day}, 23h, 50h));
  REQUIRE(rides.size() == 50);
  for (std::size_t i = 0; i < rides.size(); ++i) {
    CHECK(rides[i].at == at(static_cast<int>(i) * 1h));
    CHECK(rides[i].trip == day->rows[(23 + i) % 24].trip);
  }
  keys_of(rides);  // the same row on another day is another ride
}

TEST_CASE("demand: a scale below 1 thins, and a lower one leaves out more of the same",
          "[demand]") {
  const auto day = day_of_rides(10s);  // 8,640 rows
  const auto at_scale = [&](double scale) { return all_rides(of_trace({day, scale}, 0h, 24h)); };
  const auto half = at_scale(0.5);
  CHECK(half.size() == Approx(4320).margin(4 * std::sqrt(8640 * 0.25)));
  const auto quarter = at_scale(0.25);
  CHECK(quarter.size() == Approx(2160).margin(4 * std::sqrt(8640 * 0.1875)));
  CHECK(contains_all(keys_of(half), keys_of(quarter)));
  CHECK(at_scale(0).empty());
  CHECK(at_scale(1).size() == 8640);
}

TEST_CASE("demand: a scale above 1 repeats rows, moved, and keeps what was there", "[demand]") {
  const auto day = day_of_rides(10s);
  const auto at_scale = [&](double scale) {
    return all_rides(of_trace({day, scale, 30s, 400}, 0h, 24h));
  };
  const auto once = at_scale(1);
  const auto more = at_scale(2.5);
  CHECK(more.size() == Approx(21'600).margin(4 * std::sqrt(8640 * 0.25) + 30));
  CHECK(contains_all(keys_of(more), keys_of(once)));
  // The copies do not coincide.
  std::set<std::int64_t> times;
  for (const ride_plan& ride : more) {
    times.insert(ride.at.time_since_epoch().count());
  }
  CHECK(times.size() > more.size() - 5);
}

TEST_CASE("demand: time jitter is uniform, place jitter keeps within its disc", "[demand]") {
  const auto day = day_of_rides(2min);
  const auto rides = all_rides(of_trace({day, 1, 30s, 400}, 0h, 24h));
  double sum = 0;
  double squares = 0;
  for (const ride_plan& ride : rides) {
    const auto nearest = static_cast<std::size_t>((ride.at.time_since_epoch() + 1min) / 2min);
    const trace_row& row = day->rows[nearest % day->rows.size()];
    const double moved = in_seconds(ride.at) - static_cast<double>(nearest) * 120;
    REQUIRE(std::fabs(moved) <= 30);
    sum += moved;
    squares += moved * moved;
    REQUIRE(city.distance_m(ride.origin, row.origin) <= 400.001);
    REQUIRE(city.distance_m(ride.destination, row.destination) <= 400.001);
    REQUIRE(city.distance_m(ride.origin, row.origin) > 0);
    REQUIRE(ride.trip == row.trip);
  }
  const auto n = static_cast<double>(rides.size());
  CHECK(sum / n == Approx(0).margin(4 * 17.3 / std::sqrt(n)));
  CHECK(std::sqrt(squares / n) == Approx(30 / std::sqrt(3)).epsilon(0.05));
}

TEST_CASE("demand: a run sees the same rides as a longer run around it", "[demand]") {
  // Goal: where a run starts and ends changes no ride, also not those that jitter across its edge.
  // Method: the rides of a long run, cut to the window of a short one, are the short one's.
  const auto day = day_of_rides(7s);
  const trace_demand source{day, 1.7, 10min, 400};
  const auto wide = all_rides(of_trace(source, 22h, 5h));
  const auto narrow = all_rides(of_trace(source, 23h, 2h));
  std::vector<ride_plan> cut;
  for (ride_plan ride : wide) {
    ride.at -= 1h;
    if (ride.at >= at(0h) && ride.at < at(2h)) {
      cut.push_back(ride);
    }
  }
  REQUIRE(cut.size() == narrow.size());
  for (std::size_t i = 0; i < cut.size(); ++i) {
    REQUIRE(are_equal(cut[i], narrow[i]));
  }
}

TEST_CASE("demand: rows outside the run may jitter into it", "[demand]") {
  trace one_row;
  one_row.rows.push_back({1h, city.project({40.7, -73.9}), city.project({40.8, -73.8}), 1min, 0});
  one_row.has_trips = true;
  const auto rows = std::make_shared<const trace>(one_row);
  int before = 0;
  int after = 0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    before += static_cast<int>(all_rides(of_trace({rows, 1, 30s}, 1h + 15s, 1h), seed).size());
    after += static_cast<int>(all_rides(of_trace({rows, 1, 30s}, 0h, 1h - 15s), seed).size());
  }
  CHECK(before == Approx(250).margin(55));
  CHECK(after == Approx(250).margin(55));
}

// -- Poisson -------------------------------------------------------------------------------------

TEST_CASE("demand: Poisson rides come at their rate, between from and until", "[demand]") {
  const demand_options options{{poisson_demand{0.5, at(1h), at(11h)}}, 0h, at(24h), std::nullopt};
  const auto rides = all_rides(options);
  CHECK(rides.size() == Approx(18'000).margin(4 * std::sqrt(18'000)));
  CHECK(rides.front().at >= at(1h));
  CHECK(rides.back().at < at(11h));
  // Exponential gaps: the share of gaps beyond t is exp(-t / mean).
  int beyond = 0;
  for (std::size_t i = 1; i < rides.size(); ++i) {
    beyond += rides[i].at - rides[i - 1].at > 2s ? 1 : 0;
  }
  CHECK(beyond / static_cast<double>(rides.size()) == Approx(std::exp(-1)).margin(0.015));
}

TEST_CASE("demand: Poisson rides end with the run, and a rate of 0 gives none", "[demand]") {
  const auto until_of = [](std::optional<sim_time> until) {
    return all_rides({{poisson_demand{1, {}, until}}, 0h, at(1h), std::nullopt});
  };
  CHECK(until_of(std::nullopt).back().at > at(59min));
  CHECK(until_of(at(2h)).back().at > at(59min));
  CHECK(until_of(at(30min)).back().at < at(30min));
  CHECK(all_rides({{poisson_demand{0}}, 0h, at(1h), std::nullopt}).empty());
  CHECK(all_rides({{poisson_demand{1, at(2h)}}, 0h, at(1h), std::nullopt}).empty());
}

TEST_CASE("demand: Poisson rides copy rows of the trace, jittered", "[demand]") {
  const auto day = day_of_rides(1h);
  const demand_options options{
      {trace_demand{day, 0, 0s, 100}, poisson_demand{1}}, 0h, at(1h), std::nullopt};
  std::set<std::int64_t> trips;
  for (const ride_plan& ride : all_rides(options)) {
    trips.insert(ride.trip.count());
    const auto row = std::find_if(day->rows.begin(), day->rows.end(), [&](const trace_row& r) {
      return r.trip == ride.trip;
    });
    REQUIRE(row != day->rows.end());
    REQUIRE(city.distance_m(ride.origin, row->origin) <= 100.001);
    REQUIRE(city.distance_m(ride.destination, row->destination) <= 100.001);
  }
  CHECK(trips.size() == 24);
}

// -- bursts --------------------------------------------------------------------------------------

TEST_CASE("demand: a burst is spread over its time, around its centre", "[demand]") {
  const place_in_degrees station{40.7505, -73.9934};
  const burst_demand burst{at(45min), 4min, 400, circle{station, 300}, std::nullopt};
  const auto rides = all_rides({{burst}, 0h, at(2h), std::nullopt});
  REQUIRE(rides.size() == 400);
  CHECK(rides.front().at >= at(45min));
  CHECK(rides.back().at <= at(49min));
  CHECK(in_seconds(rides[200].at) == Approx(47 * 60).margin(25));
  for (const ride_plan& ride : rides) {
    REQUIRE(city.distance_m(ride.origin, city.project(station)) <= 300.001);
    REQUIRE(ride.trip == city.travel_time(ride.origin, ride.destination));
  }
}

TEST_CASE("demand: a burst without duration happens at one instant", "[demand]") {
  const auto rides = all_rides({{burst_demand{at(5s), 0s, 50}}, 0h, at(1h), std::nullopt});
  REQUIRE(rides.size() == 50);
  CHECK(rides.front().at == at(5s));
  CHECK(rides.back().at == at(5s));
  keys_of(rides);
}

TEST_CASE("demand: a burst repeats until the end, even into its own successor", "[demand]") {
  const burst_demand burst{at(0s), 25min, 100, std::nullopt, 10min};
  const auto rides = all_rides({{burst}, 0h, at(1h), std::nullopt});
  // Six bursts; the fifth loses the last fifth of its time to the end, the sixth three fifths.
  CHECK(rides.size() == Approx(520).margin(30));
  keys_of(rides);
  CHECK(all_rides({{burst_demand{at(1h)}}, 0h, at(1h), std::nullopt}).empty());
}

// -- all -----------------------------------------------------------------------------------------

TEST_CASE("demand: rides of several sources come in order, ties by source", "[demand]") {
  const burst_demand first{at(10s), 0s, 3};
  const burst_demand second{at(10s), 0s, 2};
  const demand_options both{{first, second}, 0h, at(1h), std::nullopt};
  const auto together = all_rides(both);
  const auto alone = all_rides({{first}, 0h, at(1h), std::nullopt});
  REQUIRE(together.size() == 5);
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(are_equal(together[i], alone[i]));
  }
}

TEST_CASE("demand: another source changes no ride", "[demand]") {
  const auto day = day_of_rides(1min);
  const demand_source replay = trace_demand{day, 1.5, 30s, 400};
  const demand_source poisson = poisson_demand{0.1};
  const auto alone = all_rides({{replay}, 5h, at(3h), std::nullopt});
  const auto together = all_rides({{replay, poisson}, 5h, at(3h), std::nullopt});
  REQUIRE(together.size() > alone.size() + 100);
  std::size_t found = 0;
  for (const ride_plan& ride : together) {
    found += found < alone.size() && are_equal(ride, alone[found]) ? 1U : 0U;
  }
  CHECK(found == alone.size());
}

TEST_CASE("demand: the same seed gives the same rides, another seed others", "[demand]") {
  const auto day = day_of_rides(1min);
  const demand_options options{
      {trace_demand{day, 0.5, 30s, 400}, poisson_demand{0.1}}, 5h, at(3h), std::nullopt};
  const auto one = all_rides(options, 1);
  const auto again = all_rides(options, 1);
  const auto other = all_rides(options, 2);
  REQUIRE(one.size() == again.size());
  bool is_same_as_other = one.size() == other.size();
  for (std::size_t i = 0; i < one.size(); ++i) {
    REQUIRE(are_equal(one[i], again[i]));
    is_same_as_other = is_same_as_other && are_equal(one[i], other[i]);
  }
  CHECK_FALSE(is_same_as_other);
}

TEST_CASE("demand: a trip is the row's, else drawn, else the travel time", "[demand]") {
  const auto with = day_of_rides(10min);
  const auto without = day_of_rides(10min, false);
  const auto first = [](const demand_options& o) { return all_rides(o).at(0); };
  CHECK(first({{trace_demand{with}}, 0h, at(1h), constant_duration{99s}}).trip == 1min);
  CHECK(first({{trace_demand{without}}, 0h, at(1h), constant_duration{99s}}).trip == 99s);
  const ride_plan travelled = first({{trace_demand{without}}, 0h, at(1h), std::nullopt});
  CHECK(travelled.trip == city.travel_time(travelled.origin, travelled.destination));
  CHECK(travelled.trip > 1min);
  CHECK(first({{poisson_demand{1}}, 0h, at(1h), constant_duration{99s}}).trip == 99s);
  CHECK(first({{poisson_demand{1}}, 0h, at(1h), constant_duration{-1s}}).trip == 0s);
}

TEST_CASE("demand: without geography only time and trips are left", "[demand]") {
  const demand_options options{{poisson_demand{1}, burst_demand{at(1s), 0s, 10, circle{}}},
                               0h,
                               at(1h),
                               exponential_duration{10min}};
  double sum = 0;
  const auto rides = all_rides(options, 7, geography());
  for (const ride_plan& ride : rides) {
    CHECK(ride.origin == point{});
    CHECK(ride.destination == point{});
    sum += in_seconds(ride.trip);
  }
  CHECK(sum / static_cast<double>(rides.size()) == Approx(600).epsilon(0.08));
}

TEST_CASE("demand: the estimate of the rides is not far above them", "[demand]") {
  const auto day = day_of_rides(10s);
  const demand_options options{{trace_demand{day, 2.5, 30s, 400},
                                poisson_demand{0.5},
                                burst_demand{at(1h), 1min, 500, std::nullopt, 1h}},
                               17h,
                               at(10h),
                               std::nullopt};
  const double most = rides_at_most(options);
  const auto rides = static_cast<double>(all_rides(options).size());
  CHECK(most >= rides);
  CHECK(most <= rides * 1.1);
}

TEST_CASE("demand: the rides of one seed never change", "[demand][golden]") {
  const auto day = day_of_rides(1min);
  const demand_options options{{trace_demand{day, 1.5, 30s, 400},
                                poisson_demand{0.1},
                                burst_demand{at(1h), 4min, 40, circle{{40.75, -73.99}, 300}}},
                               5h,
                               at(3h),
                               std::nullopt};
  std::uint64_t hash = 0;
  const auto add = [&hash](std::int64_t x) {
    hash = scramble(hash ^ static_cast<std::uint64_t>(x)) + 0x9e3779b97f4a7c15ULL;
  };
  for (const ride_plan& ride : all_rides(options, 20181109)) {
    add(ride.at.time_since_epoch().count());
    add(ride.trip.count());
    add(static_cast<std::int64_t>(ride.key));
    for (const point& end : {ride.origin, ride.destination}) {
      add(std::llround(end.x * 1e6));
      add(std::llround(end.y * 1e6));
      add(std::llround(end.z * 1e6));
    }
  }
  CHECK(hash == 6521356480628407657ULL);
}

}  // namespace
