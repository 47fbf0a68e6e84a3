#include "shrink/ddmin.hpp"

#include "catch.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

using namespace dibs;

namespace {

using numbers = std::vector<std::size_t>;

numbers found(std::size_t parts, const numbers& needed, std::size_t& asked) {
  return shrink::ddmin(parts, [&](const numbers& kept) {
    ++asked;
    CHECK(std::ranges::is_sorted(kept));
    return std::ranges::includes(kept, needed);
  });
}

}  // namespace

TEST_CASE("ddmin: of many parts those are left that it takes, wherever they are") {
  std::size_t asked = 0;
  CHECK(found(100, {17}, asked) == numbers{17});
  CHECK(found(100, {0, 50, 99}, asked) == numbers{0, 50, 99});
  CHECK(found(8, {0, 1, 2, 3, 4, 5, 6, 7}, asked).size() == 8);
  CHECK(found(1, {0}, asked) == numbers{0});
}

TEST_CASE("ddmin: where it takes nothing, nothing is left, and it asks once") {
  std::size_t asked = 0;
  CHECK(found(100, {}, asked).empty());
  CHECK(asked == 1);
  CHECK(found(0, {}, asked).empty());
}

TEST_CASE("ddmin: one part of a thousand takes some twenty questions, not a thousand") {
  std::size_t asked = 0;
  CHECK(found(1000, {617}, asked) == numbers{617});
  CHECK(asked < 30);
}

TEST_CASE("ddmin: none of what is left can be left out alone, even if fewer need not be enough") {
  // Two of the first three, or all of the last four: what is enough does not add up.
  const auto shows = [](const numbers& kept) {
    const auto of_first = std::ranges::count_if(kept, [](std::size_t i) { return i < 3; });
    const auto of_last = std::ranges::count_if(kept, [](std::size_t i) { return i > 5; });
    return of_first == 2 || of_last == 4 || kept.size() == 10;
  };
  const numbers kept = shrink::ddmin(10, shows);
  REQUIRE(shows(kept));
  for (std::size_t i = 0; i < kept.size(); ++i) {
    numbers fewer = kept;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    CHECK_FALSE(shows(fewer));
  }
}
