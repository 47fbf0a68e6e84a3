#include "world/drivers.hpp"

#include "base/random.hpp"
#include "catch.hpp"
#include "world/city.hpp"

#include <array>
#include <cmath>
#include <memory>
#include <vector>

namespace {

using namespace dibs;
using namespace dibs::world;
using world::test::city;

driver_key key_of(std::uint32_t driver, std::uint32_t generation = 0, std::uint64_t seed = 1) {
  return {seed, driver_id{driver}, generation};
}

TEST_CASE("drivers: a fleet has its classes in their shares, almost exactly", "[drivers]") {
  const std::array<double, 3> shares{0.70, 0.22, 0.08};
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    for (const std::uint32_t generation : {0U, 1U, 5U}) {
      std::array<double, 3> count{};
      for (std::uint32_t driver = 0; driver < 2400; ++driver) {
        count.at(class_of(key_of(driver, generation, seed), shares)) += 1;
      }
      for (std::size_t c = 0; c < shares.size(); ++c) {
        REQUIRE(std::fabs(count.at(c) - 2400 * shares.at(c)) <= 5);
      }
    }
  }
}

TEST_CASE("drivers: the seed and the generation decide who is of which class", "[drivers]") {
  const std::array<double, 2> shares{0.5, 0.5};
  int other_seed = 0;
  int other_generation = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const std::size_t as = class_of(key_of(3, 0, seed), shares);
    other_seed += as != class_of(key_of(3, 0, seed + 1000), shares) ? 1 : 0;
    other_generation += as != class_of(key_of(3, 1, seed), shares) ? 1 : 0;
  }
  CHECK(other_seed == Approx(100).margin(30));
  CHECK(other_generation == Approx(100).margin(30));
}

TEST_CASE("drivers: a class without share has nobody", "[drivers]") {
  const std::array<double, 3> first_only{1, 0, 0};
  const std::array<double, 3> last_only{0, 0, 1};
  const std::array<double, 4> rounded{0, 0.1 + 0.2, 0.7 - 1e-12, 0};
  for (std::uint32_t driver = 0; driver < 1000; ++driver) {
    REQUIRE(class_of(key_of(driver), first_only) == 0);
    REQUIRE(class_of(key_of(driver), last_only) == 2);
    const std::size_t c = class_of(key_of(driver), rounded);
    REQUIRE((c == 1 || c == 2));
  }
}

TEST_CASE("drivers: placement by demand follows the trace", "[drivers]") {
  trace rows;
  const point station = city.project({40.75, -73.99});
  const point airport = city.project({40.64, -73.78});
  rows.rows = {{0h, station, airport, 0s, 0},
               {1h, station, airport, 0s, 1},
               {2h, airport, station, 0s, 2},
               {3h, station, airport, 0s, 3}};
  const places where(city, std::make_shared<const trace>(rows), 400);
  int at_station = 0;
  for (std::uint32_t driver = 0; driver < 4000; ++driver) {
    const point place = place_of(key_of(driver), placement::demand, where);
    const bool is_at_station = city.distance_m(place, station) <= 400.001;
    REQUIRE((is_at_station || city.distance_m(place, airport) <= 400.001));
    at_station += is_at_station ? 1 : 0;
  }
  CHECK(at_station == Approx(3000).margin(110));
}

TEST_CASE("drivers: uniform placement ignores the trace", "[drivers]") {
  trace rows;
  rows.rows = {{0h, city.project({40.75, -73.99}), city.project({40.64, -73.78}), 0s, 0}};
  const places where(city, std::make_shared<const trace>(rows), 400);
  int near = 0;
  for (std::uint32_t driver = 0; driver < 1000; ++driver) {
    const point place = place_of(key_of(driver), placement::uniform, where);
    REQUIRE(city.is_inside(city.degrees_of(place)));
    near += city.distance_m(place, rows.rows[0].origin) < 1000 ? 1 : 0;
  }
  CHECK(near < 20);
  // Without a trace there is no other way.
  const places anywhere(city, nullptr, 0);
  CHECK(city.is_inside(city.degrees_of(place_of(key_of(1), placement::demand, anywhere))));
}

TEST_CASE("drivers: the first shift is met somewhere along the way, later ones are whole",
          "[drivers]") {
  const distribution shifts = constant_duration{8h};
  double sum = 0;
  for (std::uint32_t driver = 0; driver < 4000; ++driver) {
    const sim_duration left = shift_of(key_of(driver), shifts);
    REQUIRE(left > 0s);
    REQUIRE(left <= 8h);
    sum += in_seconds(left) / 3600;
    REQUIRE(shift_of(key_of(driver, 1), shifts) == 8h);
  }
  CHECK(sum / 4000 == Approx(4).margin(0.15));
}

TEST_CASE("drivers: a shift lasts at least a nanosecond, or for ever", "[drivers]") {
  CHECK(shift_of(key_of(1), constant_duration{0s}) == 1ns);
  CHECK(shift_of(key_of(1, 1), constant_duration{-5s}) == 1ns);
  CHECK(shift_of(key_of(1), never_duration{}) == forever);
  CHECK(shift_of(key_of(1, 1), never_duration{}) == forever);
}

TEST_CASE("drivers: no driver depends on another", "[drivers]") {
  const places where(city, nullptr, 0);
  const distribution shifts = uniform_duration{2h, 9h};
  const point alone = place_of(key_of(17), placement::uniform, where);
  const sim_duration stays = shift_of(key_of(17), shifts);
  for (std::uint32_t driver = 0; driver < 17; ++driver) {
    (void)place_of(key_of(driver), placement::uniform, where);
    (void)shift_of(key_of(driver), shifts);
  }
  CHECK(place_of(key_of(17), placement::uniform, where) == alone);
  CHECK(shift_of(key_of(17), shifts) == stays);
  CHECK_FALSE(place_of(key_of(17, 1), placement::uniform, where) == alone);
}

}  // namespace
