#include "match/least_total.hpp"

#include "base/random.hpp"
#include "catch.hpp"

#include <algorithm>
#include <cstdint>
#include <set>
#include <tuple>

namespace dibs::match {

namespace {

using batch = std::vector<std::vector<possible_pickup>>;

/// What an assignment comes to: fewer without a driver first, then less time in all.
struct total {
  std::size_t unserved = 0;
  sim_duration takes{};

  [[nodiscard]] bool operator<(const total& o) const {
    return std::tie(unserved, takes) < std::tie(o.unserved, o.takes);
  }
  [[nodiscard]] bool operator==(const total& o) const = default;
};

total total_of(const batch& rides, const std::vector<std::optional<driver_id>>& given) {
  total all;
  std::set<driver_id> taken;
  for (std::size_t r = 0; r < rides.size(); ++r) {
    if (!given[r]) {
      ++all.unserved;
      continue;
    }
    REQUIRE(taken.insert(*given[r]).second);
    const auto it = std::find_if(rides[r].begin(), rides[r].end(), [&](const possible_pickup& p) {
      return p.driver == *given[r];
    });
    REQUIRE(it != rides[r].end());
    all.takes += it->takes;
  }
  return all;
}

/// The best of all ways, each of which is tried.
total best_of(const batch& rides, std::size_t from, std::set<driver_id>& taken) {
  if (from == rides.size()) {
    return {};
  }
  total best = best_of(rides, from + 1, taken);
  ++best.unserved;
  for (const possible_pickup& p : rides[from]) {
    if (!taken.insert(p.driver).second) {
      continue;
    }
    total one = best_of(rides, from + 1, taken);
    one.takes += p.takes;
    best = std::min(best, one);
    taken.erase(p.driver);
  }
  return best;
}

batch drawn_batch(std::uint64_t seed) {
  stream random(seed);
  batch rides(random.below(6) + 1);
  const std::uint64_t drivers = random.below(7) + 1;
  for (auto& ride : rides) {
    for (std::uint32_t d = 0; d < drivers; ++d) {
      if (random.happens(0.6)) {
        ride.push_back({driver_id{d}, 1s * static_cast<int>(random.below(12))});
      }
    }
  }
  return rides;
}

}  // namespace

TEST_CASE("least total: the nearest driver goes to another where both rides gain by it") {
  // By the nearest first the two take 1 + 9 minutes, together 2 + 3.
  const batch rides{{{driver_id{0}, 1min}, {driver_id{1}, 2min}},
                    {{driver_id{0}, 3min}, {driver_id{1}, 9min}}};
  const auto given = assign_at_least_total(rides);
  CHECK(given == std::vector<std::optional<driver_id>>{driver_id{1}, driver_id{0}});
}

TEST_CASE("least total: a ride more comes before any time less") {
  const batch rides{{{driver_id{0}, 1s}}, {{driver_id{0}, 0s}, {driver_id{1}, 1h}}};
  const auto given = assign_at_least_total(rides);
  CHECK(given == std::vector<std::optional<driver_id>>{driver_id{0}, driver_id{1}});
}

TEST_CASE("least total: nobody near, and nobody at all") {
  CHECK(assign_at_least_total({}).empty());
  CHECK(assign_at_least_total({{}, {}}) == std::vector<std::optional<driver_id>>(2));
  const auto given = assign_at_least_total({{{driver_id{4}, 5s}}, {{driver_id{4}, 3s}}});
  CHECK(given == std::vector<std::optional<driver_id>>{std::nullopt, driver_id{4}});
}

TEST_CASE("least total: no way is better, of all that there are") {
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    const batch rides = drawn_batch(seed);
    std::set<driver_id> taken;
    INFO("seed " << seed);
    REQUIRE(total_of(rides, assign_at_least_total(rides)) == best_of(rides, 0, taken));
  }
}

TEST_CASE("least total: a large batch is given its drivers, each one ride") {
  stream random(7);
  batch rides(500);
  for (auto& ride : rides) {
    const auto first = static_cast<std::uint32_t>(random.below(600));
    for (std::uint32_t d = 0; d < 8; ++d) {
      ride.push_back(
          {driver_id{(first + d * 37) % 600}, 1us * static_cast<int>(random.below(2'000'000'000))});
    }
  }
  CHECK(total_of(rides, assign_at_least_total(rides)).unserved < 20);
}

}  // namespace dibs::match
