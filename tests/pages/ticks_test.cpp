// Goal: the marks of an axis of values are few, round and within it.
// Method: axes of many lengths, over six powers of ten.

#include "pages/ticks.hpp"

#include "catch.hpp"

using namespace dibs;

TEST_CASE("ticks: of values, a few round ones") {
  CHECK(pages::value_ticks(20.8) == std::vector<double>{5, 10, 15, 20});
  CHECK(pages::value_ticks(2) == std::vector<double>{0.5, 1, 1.5, 2});
  for (double most = 0.001; most < 1000; most *= 1.07) {
    const auto all = pages::value_ticks(most);
    CAPTURE(most);
    CHECK(all.size() >= 2);
    CHECK(all.size() <= 5);
    CHECK(all.front() > 0);
    CHECK(all.back() <= most);
    CHECK(all.back() > 0.6 * most);
  }
}
