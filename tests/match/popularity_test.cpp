#include "match/popularity.hpp"

#include "catch.hpp"

#include <cmath>
#include <vector>

using namespace dibs;
using namespace dibs::match;

namespace {

stream draws_of(std::uint64_t seed) { return stream::keyed(seed, purpose::pick); }

}  // namespace

TEST_CASE("popularity: an exponent of 0 wants all drivers alike") {
  const popularity all(7, 0, 1);
  for (std::uint32_t d = 0; d < 7; ++d) {
    CHECK(all.share_of(driver_id{d}) == Approx(1.0 / 7));
  }
}

TEST_CASE("popularity: Zipf's law says how much less each rank is wanted") {
  const popularity zipf(100, 1.5, 1);
  double sum = 0;
  for (std::uint32_t d = 0; d < 100; ++d) {
    sum += zipf.share_of(driver_id{d});
    CHECK(zipf.share_of(driver_id{0}) / zipf.share_of(driver_id{d}) ==
          Approx(std::pow(d + 1.0, 1.5)));
  }
  CHECK(sum == Approx(1));
}

// Goal: draws follow the shares. Method: 100,000 draws on one seed; each of the first drivers is
// drawn within six standard deviations of its expectation.
TEST_CASE("popularity: draws follow the shares") {
  constexpr int draws = 100'000;
  const popularity zipf(1000, 1, 1);
  std::vector<int> counts(1000);
  auto random = draws_of(1);
  for (int i = 0; i < draws; ++i) {
    ++counts[zipf.draw(random).value];
  }
  for (std::uint32_t d : {0U, 1U, 2U, 9U, 99U, 999U}) {
    const double p = zipf.share_of(driver_id{d});
    const double deviation = std::sqrt(draws * p * (1 - p));
    CHECK(std::abs(counts[d] - draws * p) < 6 * deviation);
  }
}

TEST_CASE("popularity: a pick takes the first wanted candidate and looks at no more than so many") {
  const popularity all(10, 0, 3);
  auto random = draws_of(2);
  int looked_at = 0;
  const auto none = all.pick(
      [&](driver_id) {
        ++looked_at;
        return false;
      },
      random);
  CHECK_FALSE(none.has_value());
  CHECK(looked_at == 3);
  CHECK(all.pick([](driver_id) { return true; }, random).has_value());
}

TEST_CASE("popularity: one driver is always drawn") {
  const popularity one(1, 2, 1);
  auto random = draws_of(3);
  CHECK(one.draw(random) == driver_id{0});
  CHECK(one.share_of(driver_id{0}) == 1);
}
