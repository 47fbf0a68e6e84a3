#include "base/sparse_table.hpp"

#include "base/random.hpp"
#include "catch.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <utility>

using namespace dibs;

TEST_CASE("sparse table: holds what was put last, and nothing that was erased") {
  sparse_table<int> table;
  CHECK(table.empty());
  CHECK(table.find(7) == nullptr);
  table.put(7, 70);
  table.put(2, 20);
  table.put(7, 71);
  CHECK(table.size() == 2);
  REQUIRE(table.find(7) != nullptr);
  CHECK(*table.find(7) == 71);
  CHECK(table.find(0) == nullptr);  // whose place was never written
  table.erase(7);
  table.erase(7);
  table.erase(1000);
  CHECK(table.find(7) == nullptr);
  REQUIRE(table.find(2) != nullptr);
  CHECK(*table.find(2) == 20);
}

// From a table that nearly all leave at once to one that nearly all stay in; values that cannot be
// copied, so that each is moved to where its number finds it.
TEST_CASE("sparse table: holds what a map holds, over random puts and erasures") {
  const std::uint64_t puts_of_100 = GENERATE(20U, 50U, 80U);
  sparse_table<std::unique_ptr<std::uint64_t>> table;
  std::map<std::uint32_t, std::uint64_t> plain;
  auto random = stream::keyed(puts_of_100, purpose::pick);
  for (std::uint64_t i = 0; i < 20'000; ++i) {
    const auto number = static_cast<std::uint32_t>(random.below(300));
    if (random.below(100) < puts_of_100) {
      table.put(number, std::make_unique<std::uint64_t>(i));
      plain[number] = i;
    } else {
      table.erase(number);
      plain.erase(number);
    }
    REQUIRE(table.size() == plain.size());
    const auto other = static_cast<std::uint32_t>(random.below(400));
    const auto expected = plain.find(other);
    const auto* const found = std::as_const(table).find(other);
    REQUIRE((found != nullptr) == (expected != plain.end()));
    REQUIRE((found == nullptr || **found == expected->second));
  }
  std::map<std::uint32_t, std::uint64_t> walked;
  for (const auto& [number, value] : table) {
    walked[number] = *value;
  }
  CHECK(walked == plain);
}
