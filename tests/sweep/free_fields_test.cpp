#include "sweep/free_fields.hpp"

#include "catch.hpp"

using dibs::sweep::free_fields;

TEST_CASE("free fields: what follows from one or several before it is none") {
  using places = std::vector<std::size_t>;
  CHECK(free_fields({}).empty());
  CHECK(free_fields({{"5s", "4"}}).empty());
  CHECK(free_fields({{"5s", "4s"}, {"10s", "8s"}}) == places{0});
  CHECK(free_fields({{"5s", "4", "x"}, {"5s", "6", "x"}, {"9s", "4", "x"}, {"9s", "6", "x"}}) ==
        places{0, 1});
  // The third is a product of both: of neither alone.
  CHECK(free_fields({{"1", "2", "2"}, {"1", "3", "3"}, {"2", "2", "4"}, {"2", "3", "6"}}) ==
        places{0, 1});
  CHECK(free_fields({{"1", "2", "a"}, {"1", "2", "b"}, {"2", "4", "a"}, {"2", "4", "b"}}) ==
        places{0, 2});
}
