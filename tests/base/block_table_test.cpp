#include "base/block_table.hpp"

#include "catch.hpp"

#include <algorithm>
#include <memory>
#include <vector>

using dibs::block_table;

TEST_CASE("block table: what is in it never moves, and comes in the order in which it was added") {
  block_table<int> table;
  REQUIRE(table.empty());
  const int* const first = &table.push_back(0);
  for (int i = 1; i < 5'000; ++i) {
    const int& added = table.push_back(int{i});
    REQUIRE(&added == &table[static_cast<std::size_t>(i)]);
  }
  REQUIRE(&table[0] == first);
  REQUIRE(table.size() == 5'000);
  int expected = 0;
  for (const int i : std::as_const(table)) {
    REQUIRE(i == expected++);
  }
  REQUIRE(expected == 5'000);
}

TEST_CASE("block table: it grows up to the entry that is asked for") {
  block_table<int> table;
  table.grown(700) = 7;
  REQUIRE(table.size() == 701);
  REQUIRE(std::count(table.begin(), table.end(), 0) == 700);
  table.grown(700) += 1;
  table.grown(3) = 3;
  REQUIRE(table.size() == 701);
  REQUIRE(table[700] == 8);
  REQUIRE(table[3] == 3);
}

TEST_CASE("block table: entries are written through its iterators") {
  block_table<std::unique_ptr<int>> table;
  for (int i = 0; i < 600; ++i) {
    table.push_back(std::make_unique<int>(i));
  }
  for (auto& entry : table) {
    *entry += 1;
  }
  REQUIRE(*table[599] == 600);
  REQUIRE(std::find_if(table.begin(), table.end(), [](const auto& e) { return *e == 300; }) !=
          table.end());
}
