#include "runtime/ride_message_count.hpp"

#include "base/random.hpp"
#include "catch.hpp"

#include <map>

using namespace dibs;

TEST_CASE("ride message count: counts as a table of all rides and kinds would, few kinds or many") {
  runtime::ride_message_count counts;
  std::map<std::pair<std::uint32_t, std::uint16_t>, std::uint16_t> model;
  auto random = stream::keyed(7, purpose::pick);
  for (int i = 0; i < 300'000; ++i) {
    const auto ride = static_cast<std::uint32_t>(random.below(300));
    // A few rides meet every kind there is, and kinds beyond are one.
    const auto kind =
        static_cast<std::uint16_t>(random.below(ride % 50 == 0 ? 0x9000 : 1 + ride % 20));
    const auto all = static_cast<std::uint16_t>(messages::all_messages::size);
    std::uint16_t& expected = model[{ride, std::min(kind, all)}];
    REQUIRE(counts.count(ride_id{ride}, kind) == expected);
    ++expected;
  }
}

TEST_CASE("ride message count: starts again after 65,536") {
  runtime::ride_message_count counts;
  for (std::uint32_t i = 0; i < 65'536; ++i) {
    REQUIRE(counts.count(ride_id{3}, 5) == i);
  }
  REQUIRE(counts.count(ride_id{3}, 5) == 0);
}
