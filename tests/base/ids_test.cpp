#include "base/ids.hpp"

#include "catch.hpp"

#include <algorithm>
#include <vector>

using namespace dibs;

// A matcher among M serves every M-th ride, and a live node counts messages by ride and kind.
TEST_CASE("ids: what comes in steps lies apart by the lowest bits of its hash") {
  constexpr std::size_t places = 1024;
  for (const std::uint64_t step : {1U, 2U, 16U, 64U, 256U, 1000U, 1024U, 65536U}) {
    std::vector<int> at(places);
    for (std::uint64_t i = 0; i < places; ++i) {
      ++at[spread_hash{}(step * i) % places];
    }
    INFO("step " << step);
    CHECK(*std::max_element(at.begin(), at.end()) <= 8);
  }
}
