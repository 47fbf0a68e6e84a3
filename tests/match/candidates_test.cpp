#include "match/candidates.hpp"

#include "catch.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <vector>

namespace {

using namespace dibs;
using namespace dibs::match;

/// Ten drivers in a row, 100 m apart, from number 0 at the origin.
supply_index ten_in_a_row() {
  supply_index index({10, {0, -500, 0}, {1000, 500, 0}});
  for (std::uint32_t i = 0; i < 10; ++i) {
    index.insert(driver_id{i}, {100.0 * i, 0, 0});
  }
  return index;
}

constexpr auto nobody = [](driver_id) { return false; };
constexpr auto everybody = [](driver_id) { return true; };

TEST_CASE("candidates: the nearest driver is picked", "[match]") {
  std::vector<neighbour> scratch;
  const supply_index index = ten_in_a_row();
  CHECK(pick_nearest(index, {420, 0, 0}, {8, 3000}, nobody, scratch) == driver_id{4});
}

TEST_CASE("candidates: the nearest who is not excluded is picked", "[match]") {
  std::vector<neighbour> scratch;
  const supply_index index = ten_in_a_row();
  const auto four_or_five = [](driver_id d) { return d.value == 4 || d.value == 5; };
  CHECK(pick_nearest(index, {420, 0, 0}, {8, 3000}, four_or_five, scratch) == driver_id{3});
}

TEST_CASE("candidates: the excluded count among the nearest", "[match]") {
  std::vector<neighbour> scratch;
  const supply_index index = ten_in_a_row();
  const auto below_three = [](driver_id d) { return d.value < 3; };
  CHECK(pick_nearest(index, {0, 0, 0}, {3, 3000}, below_three, scratch) == std::nullopt);
  CHECK(pick_nearest(index, {0, 0, 0}, {4, 3000}, below_three, scratch) == driver_id{3});
}

TEST_CASE("candidates: who is picked is the first of all the nearest who is not excluded",
          "[match]") {
  std::vector<neighbour> scratch;
  std::vector<neighbour> all;
  int picked = 0;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    stream random(seed);
    supply_index index({60, {0, 0, 0}, {1000, 1000, 0}});
    std::vector<bool> excluded(60);
    const std::uint64_t in_a_hundred = random.below(101);
    for (std::uint32_t d = 0; d < 60; ++d) {
      index.insert(driver_id{d}, {1000 * random.unit(), 1000 * random.unit(), 0});
      excluded[d] = random.below(100) < in_a_hundred;
    }
    const nearest_policy policy{static_cast<std::uint32_t>(1 + random.below(70)),
                                1000 * random.unit()};
    const point place{1000 * random.unit(), 1000 * random.unit(), 0};
    const auto is_excluded = [&](driver_id d) { return excluded[d.value]; };
    index.nearest(place, policy.candidates, policy.chord_m, all);
    const auto first = std::find_if(
        all.begin(), all.end(), [&](const neighbour& n) { return !is_excluded(n.driver); });
    const auto expected = first == all.end() ? std::nullopt : std::optional(first->driver);
    picked += expected ? 1 : 0;
    REQUIRE(pick_nearest(index, place, policy, is_excluded, scratch) == expected);
  }
  CHECK(picked > 200);
  CHECK(picked < 1900);
}

TEST_CASE("candidates: of several who ask at once the nth takes the nth nearest", "[match]") {
  std::vector<neighbour> scratch;
  const supply_index index = ten_in_a_row();
  const auto three = [](driver_id d) { return d.value == 3; };
  const auto nth = [&](std::uint32_t others) {
    return pick_nearest(index, {440, 0, 0}, {8, 3000}, three, scratch, others);
  };
  CHECK(nth(0) == driver_id{4});
  CHECK(nth(1) == driver_id{5});
  CHECK(nth(2) == driver_id{6});
  CHECK(nth(5) == driver_id{1});
  CHECK(nth(6) == driver_id{8});
  CHECK(nth(7) == std::nullopt);
}

/// A fleet of which some are there, and some of all are excluded: nobody, a few or everybody.
struct any_fleet {
  explicit any_fleet(std::uint64_t seed) : random(seed) {
    const std::uint64_t there_of_4 = random.below(5);
    const std::uint64_t excluded_of_8 = random.below(9);
    for (std::uint32_t d = 0; d < drivers; ++d) {
      excluded[d] = random.below(8) < excluded_of_8;
      if (random.below(4) < there_of_4) {
        there.insert(driver_id{d}, {});
      }
    }
  }

  [[nodiscard]] bool would_do(std::uint32_t d, bool blind) const {
    return !excluded[d] && (blind || there.contains(driver_id{d}));
  }
  [[nodiscard]] std::uint32_t count(bool blind) const {
    std::uint32_t n = 0;
    for (std::uint32_t d = 0; d < drivers; ++d) {
      n += would_do(d, blind) ? 1U : 0U;
    }
    return n;
  }

  stream random;
  std::uint32_t drivers = static_cast<std::uint32_t>(1 + random.below(100));
  supply_index there{{drivers, {}, {}}};
  std::vector<bool> excluded = std::vector<bool>(drivers);
};

TEST_CASE("candidates: of several who ask at once each draws another, while there are as many",
          "[match]") {
  int several = 0;
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    const any_fleet fleet(seed);
    const auto is_excluded = [&](driver_id d) {
      return static_cast<bool>(fleet.excluded[d.value]);
    };
    for (const bool blind : {false, true}) {
      const std::uint32_t left = fleet.count(blind);
      several += left > 1 ? 1 : 0;
      std::set<driver_id> taken;
      for (std::uint32_t others = 0; others <= left; ++others) {
        stream same = fleet.random;
        const auto d = blind ? pick_blind(fleet.drivers, is_excluded, same, others)
                             : pick_random(fleet.there, is_excluded, same, others);
        REQUIRE(d.has_value() == (others < left));
        REQUIRE((!d || (fleet.would_do(d->value, blind) && taken.insert(*d).second)));
      }
    }
  }
  CHECK(several > 3000);
}

TEST_CASE("candidates: to look at few before drawing changes no choice", "[match]") {
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    any_fleet fleet(seed);
    const auto is_excluded = [&](driver_id d) {
      return static_cast<bool>(fleet.excluded[d.value]);
    };
    const auto others = static_cast<std::uint32_t>(fleet.random.below(3));
    stream one = fleet.random;
    stream two = fleet.random;
    choice found(is_excluded, others);
    const auto any = [](std::uint32_t n) { return driver_id{n}; };
    REQUIRE(pick_blind(fleet.drivers, is_excluded, one, others) ==
            draw_among(fleet.drivers, any, found, two));
  }
}

TEST_CASE("candidates: nobody beyond the radius is picked", "[match]") {
  std::vector<neighbour> scratch;
  const supply_index index = ten_in_a_row();
  CHECK(pick_nearest(index, {-100, 0, 0}, {8, 99}, nobody, scratch) == std::nullopt);
  CHECK(pick_nearest(index, {-100, 0, 0}, {8, 100}, nobody, scratch) == driver_id{0});
}

TEST_CASE("candidates: a random pick is uniform over the available", "[match]") {
  supply_index index = ten_in_a_row();
  index.erase(driver_id{3});
  stream random(1);
  std::array<int, 10> picked{};
  for (int i = 0; i < 90'000; ++i) {
    ++picked.at(pick_random(index, nobody, random).value().value);
  }
  CHECK(picked[3] == 0);
  for (std::uint32_t i = 0; i < 10; ++i) {
    if (i != 3) {
      CHECK(picked.at(i) > 9'600);  // 10,000 +- 4 standard deviations
      CHECK(picked.at(i) < 10'400);
    }
  }
}

TEST_CASE("candidates: a random pick stays the same when others come and go", "[match]") {
  supply_index all({100, {}, {}});
  for (std::uint32_t i = 0; i < 100; ++i) {
    all.insert(driver_id{i}, {});
  }
  supply_index some = all;
  for (std::uint32_t i = 0; i < 100; i += 10) {
    some.erase(driver_id{i});
  }
  int same = 0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    stream one(seed);
    stream two(seed);
    same += pick_random(all, nobody, one) == pick_random(some, nobody, two) ? 1 : 0;
  }
  CHECK(same > 850);  // all but the tenth that is gone
}

TEST_CASE("candidates: a random pick finds the only driver who is left", "[match]") {
  const supply_index index = ten_in_a_row();
  stream random(2);
  const auto but_seven = [](driver_id d) { return d.value != 7; };
  for (int i = 0; i < 1000; ++i) {
    REQUIRE(pick_random(index, but_seven, random) == driver_id{7});
  }
}

TEST_CASE("candidates: nobody is picked when all are excluded or none are there", "[match]") {
  const supply_index index = ten_in_a_row();
  const supply_index empty({10, {}, {}});
  stream random(3);
  std::vector<neighbour> scratch;
  CHECK(pick_random(index, everybody, random) == std::nullopt);
  CHECK(pick_random(empty, nobody, random) == std::nullopt);
  CHECK(pick_blind(10, everybody, random) == std::nullopt);
  CHECK(pick_blind(0, nobody, random) == std::nullopt);
  CHECK(pick_nearest(index, {}, {8, 3000}, everybody, scratch) == std::nullopt);
  CHECK(pick_nearest(empty, {}, {8, 3000}, nobody, scratch) == std::nullopt);
}

TEST_CASE("candidates: a blind pick takes anyone of the fleet, but not the excluded", "[match]") {
  stream random(4);
  std::array<int, 5> picked{};
  const auto two = [](driver_id d) { return d.value == 2; };
  for (int i = 0; i < 40'000; ++i) {
    ++picked.at(pick_blind(5, two, random).value().value);
  }
  CHECK(picked[2] == 0);
  for (const int other : {0, 1, 3, 4}) {
    CHECK(picked.at(static_cast<std::size_t>(other)) > 9'600);
    CHECK(picked.at(static_cast<std::size_t>(other)) < 10'400);
  }
}

TEST_CASE("candidates: the same stream gives the same pick", "[match]") {
  const supply_index index = ten_in_a_row();
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    stream one(seed);
    stream two(seed);
    REQUIRE(pick_random(index, nobody, one) == pick_random(index, nobody, two));
  }
}

}  // namespace
