// Goal: the beginning that is not yet like the rest is found, and nothing where nothing settles.
// Method: series of known shapes; then a scenario that starts empty.

#include "sweep/warmup.hpp"

#include "base/random.hpp"
#include "sweep/small.hpp"

using namespace dibs;
using namespace dibs::sweep;
using namespace dibs::sweep::test;

namespace {

std::vector<double> series(std::size_t n, const std::function<double(double)>& level) {
  stream random(7);
  std::vector<double> all;
  for (std::size_t i = 0; i < n; ++i) {
    all.push_back(level(static_cast<double>(i)) + random.unit() - 0.5);
  }
  return all;
}

}  // namespace

TEST_CASE("warm-up: a start below the level is left out, and little more") {
  const auto cut = mser_5(series(500, [](double i) { return i < 60 ? i / 6 : 10.0; }));
  REQUIRE(cut);
  CHECK(*cut >= 50);
  CHECK(*cut <= 75);
  CHECK(*cut % 5 == 0);
}

TEST_CASE("warm-up: what is steady from the start keeps almost all") {
  const auto cut = mser_5(series(500, [](double) { return 10.0; }));
  REQUIRE(cut);
  CHECK(*cut <= 50);
  CHECK(mser_5(std::vector<double>(500, 3.0)) == 0U);
}

TEST_CASE("warm-up: what never settles has none") {
  CHECK_FALSE(mser_5(series(500, [](double i) { return i / 10; })));
  CHECK_FALSE(mser_5(std::vector<double>(19, 1.0)));
}

TEST_CASE("warm-up: a marketplace that starts empty fills up first") {
  const results::scratch scratch;
  const auto file = small_file(scratch);
  auto read = scenario::read_file(file,
                                  {{"clock.duration", "2h"},
                                   {"clock.warmup", "0s"},
                                   {"world.trip", "{dist: exponential, mean: 300s}"},
                                   {"drivers.count", "400"}});
  REQUIRE(read.ok());
  const auto found = find_warmup(read.value, 2, nullptr);
  INFO((found ? "" : found.error().text));
  REQUIRE(found);
  // Drivers on trips come up to their level with the length of a trip.
  CHECK(found->length >= 5min);
  CHECK(found->length <= 45min);
  REQUIRE(found->overrides.size() == 2);
  const auto again = scenario::read_file(file, found->overrides);
  REQUIRE(again.ok());
  CHECK(again.value.clock.warmup == found->length);
  CHECK(again.value.clock.warmup + again.value.clock.duration == 2h);
}
