#include "world/geography.hpp"

#include "catch.hpp"
#include "world/city.hpp"

#include <array>
#include <cmath>

namespace {

using namespace dibs;
using namespace dibs::world;
using world::test::city;
using world::test::new_york;

const geography globe({{-90, -180, 90, 180}, 1, 1});

double haversine_m(place_in_degrees a, place_in_degrees b) {
  const double degree = std::acos(-1.0) / 180;
  const double s = std::sin((b.lat - a.lat) * degree / 2);
  const double t = std::sin((b.lon - a.lon) * degree / 2);
  const double h = s * s + std::cos(a.lat * degree) * std::cos(b.lat * degree) * t * t;
  return 2 * earth_radius_m * std::asin(std::sqrt(h));
}

place_in_degrees random_place(stream& random, const bounds& within) {
  return {within.south + (within.north - within.south) * random.unit(),
          within.west + (within.east - within.west) * random.unit()};
}

TEST_CASE("geography: distances are great-circle distances, as haversine gives them",
          "[geography]") {
  stream random(1);
  for (int i = 0; i < 10'000; ++i) {
    const place_in_degrees a = random_place(random, new_york);
    const place_in_degrees b = random_place(random, new_york);
    const double d = city.distance_m(city.project(a), city.project(b));
    REQUIRE(d == Approx(haversine_m(a, b)).epsilon(1e-9).margin(1e-6));
    const place_in_degrees c = random_place(random, {-90, -180, 90, 180});
    const place_in_degrees e = random_place(random, {-90, -180, 90, 180});
    const double far = globe.distance_m(globe.project(c), globe.project(e));
    REQUIRE(far == Approx(haversine_m(c, e)).epsilon(1e-7));
  }
}

TEST_CASE("geography: a quarter of a meridian is a quarter of the circumference", "[geography]") {
  const double quarter = globe.distance_m(globe.project({0, 0}), globe.project({90, 0}));
  CHECK(quarter == Approx(earth_radius_m * std::acos(-1.0) / 2));
}

TEST_CASE("geography: x is east and y is north of the centre", "[geography]") {
  const point centre = city.project({40.75, -73.9});
  CHECK(centre.x == Approx(0).margin(1e-6));
  CHECK(centre.y == Approx(0).margin(1e-6));
  CHECK(centre.z == Approx(earth_radius_m));
  CHECK(city.project({40.75, -73.89}).x == Approx(842.3).margin(1));
  CHECK(city.project({40.76, -73.9}).y == Approx(1112).margin(1));
}

TEST_CASE("geography: degrees survive the way there and back", "[geography]") {
  stream random(2);
  for (int i = 0; i < 10'000; ++i) {
    const place_in_degrees there = random_place(random, {-89, -179.9, 89, 179.9});
    for (const geography* map : {&city, &globe}) {
      const place_in_degrees back = map->degrees_of(map->project(there));
      REQUIRE(back.lat == Approx(there.lat).margin(1e-9));
      REQUIRE(back.lon == Approx(there.lon).margin(1e-7));
    }
  }
}

TEST_CASE("geography: travel takes detour times distance over speed", "[geography]") {
  const point a = city.project({40.70, -74.00});
  const point b = city.project({40.75, -73.95});
  const double seconds = in_seconds(city.travel_time(a, b));
  CHECK(seconds == Approx(1.35 * city.distance_m(a, b) / 5).epsilon(1e-9));
  CHECK(city.travel_time(a, b) == city.travel_time(b, a));
  CHECK(city.travel_time(a, a) == 0s);
}

TEST_CASE("geography: a chord stands for its distance", "[geography]") {
  stream random(3);
  const point centre = city.project({40.75, -73.9});
  for (const double radius : {1.0, 400.0, 3000.0, 30'000.0}) {
    const double chord = city.chord_of(radius);
    CHECK(chord <= radius);
    for (int i = 0; i < 1000; ++i) {
      const point p = city.near(centre, 2 * radius, random);
      const double dx = p.x - centre.x;
      const double dy = p.y - centre.y;
      const double dz = p.z - centre.z;
      const bool is_near = std::sqrt(dx * dx + dy * dy + dz * dz) <= chord;
      REQUIRE(is_near == (city.distance_m(p, centre) <= radius));
    }
  }
  CHECK(globe.chord_of(1e9) == Approx(2 * earth_radius_m));
}

TEST_CASE("geography: the edges of the bounds are inside", "[geography]") {
  CHECK(city.is_inside({40.60, -74.05}));
  CHECK(city.is_inside({40.90, -73.75}));
  CHECK_FALSE(city.is_inside({40.5999, -73.9}));
  CHECK_FALSE(city.is_inside({40.9001, -73.9}));
  CHECK_FALSE(city.is_inside({40.7, -74.0501}));
  CHECK_FALSE(city.is_inside({40.7, -73.7499}));
}

TEST_CASE("geography: bounds may reach across the 180th meridian", "[geography]") {
  const geography fiji({{-19, 176, -16, -178}, 1.2, 10});
  CHECK(fiji.is_inside({-18, 179}));
  CHECK(fiji.is_inside({-18, -179}));
  CHECK_FALSE(fiji.is_inside({-18, 0}));
  const double d = fiji.distance_m(fiji.project({-18, 179.9}), fiji.project({-18, -179.9}));
  CHECK(d == Approx(haversine_m({-18, 0}, {-18, 0.2})));
  CHECK(fiji.degrees_of(fiji.project({-17, -179})).lon == Approx(-179));
  const geography east_of_it({{-19, 175, -16, -155}, 1.2, 10});  // its centre is at 190 degrees
  CHECK(east_of_it.degrees_of(east_of_it.project({-17, -180})).lon == Approx(180));
  CHECK(east_of_it.degrees_of(east_of_it.project({-17, -160})).lon == Approx(-160));
  stream random(4);
  for (int i = 0; i < 1000; ++i) {
    REQUIRE(fiji.is_inside(fiji.degrees_of(fiji.anywhere(random))));
  }
}

TEST_CASE("geography: anywhere is uniform over the area", "[geography]") {
  // A tall box: each of its quarters by area has a quarter of the places, though the northern ones
  // are much higher in degrees.
  const geography tall({{0, 10, 60, 20}, 1, 1});
  const double half_lat = std::asin(std::sin(std::acos(-1.0) / 3) / 2) * 180 / std::acos(-1.0);
  stream random(5);
  std::array<int, 4> quarter{};
  for (int i = 0; i < 40'000; ++i) {
    const place_in_degrees p = tall.degrees_of(tall.anywhere(random));
    REQUIRE(tall.is_inside(p));
    ++quarter.at((p.lat > half_lat ? 2U : 0U) + (p.lon > 15 ? 1U : 0U));
  }
  for (const int count : quarter) {
    CHECK(count > 9'650);
    CHECK(count < 10'350);
  }
}

TEST_CASE("geography: near is uniform over a disc", "[geography]") {
  stream random(6);
  const point centre = city.project({40.62, -74.04});  // not the frame's own centre
  int within_half = 0;
  int to_east = 0;
  int to_north = 0;
  const place_in_degrees middle = city.degrees_of(centre);
  for (int i = 0; i < 40'000; ++i) {
    const point p = city.near(centre, 400, random);
    const double d = city.distance_m(centre, p);
    REQUIRE(d <= 400.000001);
    REQUIRE(std::sqrt(p.x * p.x + p.y * p.y + p.z * p.z) == Approx(earth_radius_m).epsilon(1e-12));
    within_half += d < 200 ? 1 : 0;
    to_east += city.degrees_of(p).lon > middle.lon ? 1 : 0;
    to_north += city.degrees_of(p).lat > middle.lat ? 1 : 0;
  }
  CHECK(within_half == Approx(10'000).margin(350));
  CHECK(to_east == Approx(20'000).margin(400));
  CHECK(to_north == Approx(20'000).margin(400));
  CHECK(city.near(centre, 0, random) == centre);
}

TEST_CASE("geography: the extent covers the bounds, closely", "[geography]") {
  const extent box = city.extent();
  stream random(7);
  for (int i = 0; i < 10'000; ++i) {
    const point p = city.anywhere(random);
    REQUIRE(p.x >= box.west - 1);
    REQUIRE(p.x <= box.east + 1);
    REQUIRE(p.y >= box.south - 1);
    REQUIRE(p.y <= box.north + 1);
  }
  CHECK(box.east - box.west == Approx(25'330).margin(50));
  CHECK(box.north - box.south == Approx(33'390).margin(50));
}

TEST_CASE("geography: without geography everything is at hand", "[geography]") {
  const geography none;
  stream random(8);
  CHECK_FALSE(none.is_map());
  CHECK(none.is_inside({12, 34}));
  CHECK(none.project({12, 34}) == point{});
  CHECK(none.anywhere(random) == point{});
  CHECK(none.near({}, 400, random) == point{});
  CHECK(none.distance_m({}, {}) == 0);
  CHECK(none.travel_time({}, {}) == 0s);
}

TEST_CASE("geography: every world takes the same numbers from the stream", "[geography]") {
  const geography none;
  stream a(9);
  stream b(9);
  (void)city.anywhere(a);
  (void)city.near({0, 0, earth_radius_m}, 400, a);
  (void)none.anywhere(b);
  (void)none.near({}, 400, b);
  CHECK(a.bits() == b.bits());
}

TEST_CASE("geography: places keep their bits in every build", "[geography][golden]") {
  const point p = city.project({40.7505, -73.9934});
  CHECK(p.x == -0x1.ebbb8439cc00cp+12);
  CHECK(p.y == 0x1.de44a367b2471p+5);
  CHECK(p.z == 0x1.84daefc44b9a5p+22);
  CHECK(city.travel_time(p, city.project({40.6413, -73.7781})) == 5896280952227ns);
}

}  // namespace
