#include "match/supply_index.hpp"

#include "base/random.hpp"
#include "catch.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <vector>

namespace {

using namespace dibs;
using namespace dibs::match;

using model = std::map<driver_id, point>;

double square_of_chord(const point& a, const point& b) {
  const double dx = b.x - a.x;
  const double dy = b.y - a.y;
  const double dz = b.z - a.z;
  return dx * dx + dy * dy + dz * dz;
}

template <class Filter>
std::vector<neighbour> brute_force(
    const model& drivers, const point& place, std::size_t k, double chord_m, const Filter& filter) {
  std::vector<neighbour> all;
  for (const auto& [driver, at] : drivers) {
    const double d = square_of_chord(at, place);
    if (d <= chord_m * chord_m && filter(driver)) {
      all.push_back({d, driver});
    }
  }
  std::sort(all.begin(), all.end());
  all.resize(std::min(all.size(), k));
  return all;
}

std::vector<std::uint32_t> ids_of(const std::vector<neighbour>& found) {
  std::vector<std::uint32_t> ids;
  for (const neighbour& n : found) {
    ids.push_back(n.driver.value);
  }
  return ids;
}

/// Goal: the index answers as a list that is searched from end to end would.
/// Method: random insertions, erasures and queries over some kind of country, both ways.
template <class RandomPlace>
void compare_with_brute_force(const supply_index_options& options,
                              std::uint64_t seed,
                              double chord_m,
                              const RandomPlace& random_place) {
  supply_index index(options);
  model drivers;
  stream random(seed);
  std::vector<neighbour> found;
  for (int step = 0; step < 6000; ++step) {
    const driver_id driver{static_cast<std::uint32_t>(random.below(options.drivers))};
    REQUIRE(index.contains(driver) == (drivers.count(driver) == 1));
    if (index.contains(driver)) {
      REQUIRE(index.place_of(driver) == drivers.at(driver));
      if (random.happens(0.7)) {
        index.erase(driver);
        drivers.erase(driver);
      }
    } else {
      drivers[driver] = random_place(random);
      index.insert(driver, drivers.at(driver));
    }
    REQUIRE(index.size() == drivers.size());

    const point place = random_place(random);
    const std::size_t k = random.below(12);
    const auto all = anyone();
    index.nearest(place, k, chord_m, found);
    REQUIRE(found == brute_force(drivers, place, k, chord_m, all));
    const auto odd = [](driver_id d) { return d.value % 2 == 1; };
    index.nearest(place, k, chord_m, found, odd);
    REQUIRE(found == brute_force(drivers, place, k, chord_m, odd));
  }
}

constexpr supply_index_options city{300, {-10'000, -12'000, 0}, {10'000, 12'000, 0}};

TEST_CASE("supply index: the nearest are those of a search through all", "[match]") {
  compare_with_brute_force(city, 1, 3000, [](stream& random) {
    return point{20'000 * random.unit() - 10'000, 24'000 * random.unit() - 12'000, 0};
  });
}

TEST_CASE("supply index: the nearest are found without a limit to the distance", "[match]") {
  const double no_limit = std::numeric_limits<double>::infinity();
  compare_with_brute_force(city, 2, no_limit, [](stream& random) {
    return point{20'000 * random.unit() - 10'000, 24'000 * random.unit() - 12'000, 0};
  });
}

TEST_CASE("supply index: ties in distance go to the lower driver", "[match]") {
  // A coarse lattice, on which most distances occur several times, also across cells.
  compare_with_brute_force(city, 3, 5000, [](stream& random) {
    return point{1000.0 * static_cast<double>(random.below(8)) - 4000,
                 1000.0 * static_cast<double>(random.below(8)) - 4000,
                 0};
  });
}

TEST_CASE("supply index: places outside the box are found as well", "[match]") {
  compare_with_brute_force(city, 4, 9000, [](stream& random) {
    return point{60'000 * random.unit() - 30'000, 60'000 * random.unit() - 30'000, 0};
  });
}

TEST_CASE("supply index: distances count through space, not in the plane", "[match]") {
  constexpr double radius = 6'000'000;
  const supply_index_options globe{200, {-radius, -radius, 0}, {radius, radius, 0}};
  compare_with_brute_force(globe, 5, 2 * radius, [](stream& random) {
    const double z = 2 * random.unit() - 1;
    const double turn = 6.283185307179586 * random.unit();
    const double across = std::sqrt(1 - z * z);
    return point{radius * across * std::cos(turn), radius * across * std::sin(turn), radius * z};
  });
}

TEST_CASE("supply index: without geography the nearest are the lowest", "[match]") {
  supply_index index({10, {}, {}});
  for (const std::uint32_t driver : {7U, 2U, 9U, 4U}) {
    index.insert(driver_id{driver}, {});
  }
  std::vector<neighbour> found;
  index.nearest({}, 3, 0, found);
  CHECK(ids_of(found) == std::vector<std::uint32_t>{2, 4, 7});

  supply_index crowd({100, {}, {}});
  for (std::uint32_t i = 0; i < 100; i += 2) {
    crowd.insert(driver_id{98 - i}, {});
  }
  crowd.nearest({}, 3, 0, found);
  CHECK(ids_of(found) == std::vector<std::uint32_t>{0, 2, 4});
}

TEST_CASE("supply index: the limit itself is within reach", "[match]") {
  for (const std::uint32_t others : {0U, 100U}) {
    supply_index index(city);
    index.insert(driver_id{0}, {3000, 0, 0});
    for (std::uint32_t i = 1; i <= others; ++i) {
      index.insert(driver_id{i}, {0, 3100, 0});
    }
    std::vector<neighbour> found;
    index.nearest({0, 0, 0}, 8, 3000, found);
    CHECK(found.size() == 1);
    index.nearest({0, 0, 0}, 8, std::nextafter(3000.0, 0.0), found);
    CHECK(found.empty());
  }
}

TEST_CASE("supply index: nobody is near in an empty index", "[match]") {
  const supply_index index(city);
  std::vector<neighbour> found{{1, driver_id{1}}};
  index.nearest({0, 0, 0}, 8, 3000, found);
  CHECK(found.empty());
}

TEST_CASE("supply index: every driver can be picked, and each once", "[match]") {
  supply_index index(city);
  for (std::uint32_t i = 0; i < 100; ++i) {
    index.insert(driver_id{i}, {});
  }
  for (std::uint32_t i = 0; i < 100; i += 3) {
    index.erase(driver_id{i});
  }
  std::set<driver_id> picked;
  for (std::uint32_t n = 0; n < index.size(); ++n) {
    picked.insert(index.pick(n));
    CHECK(index.contains(index.pick(n)));
  }
  CHECK(picked.size() == 66);
}

TEST_CASE("supply index: the same history gives the same picks", "[match]") {
  const auto picks = [] {
    supply_index index(city);
    stream random(9);
    for (int step = 0; step < 1000; ++step) {
      const driver_id driver{static_cast<std::uint32_t>(random.below(city.drivers))};
      if (index.contains(driver)) {
        index.erase(driver);
      } else {
        index.insert(driver, {random.unit(), random.unit(), 0});
      }
    }
    std::vector<driver_id> order;
    for (std::uint32_t n = 0; n < index.size(); ++n) {
      order.push_back(index.pick(n));
    }
    return order;
  };
  CHECK(picks() == picks());
}

}  // namespace
