#include "text/text_table.hpp"

#include "catch.hpp"

#include <array>

using namespace dibs::text;

TEST_CASE(
    "table: columns are as wide as they must be, names to the left and figures to the right") {
  CHECK(in_columns({{"", "drivers"}, {"fast", "9"}}, {}) ==
        "      drivers\n"
        "fast        9\n");
  CHECK(in_columns({{"", "drivers"}, {"fast", "9"}}, {}, std::array{side::right, side::left}) ==
        "      drivers\n"
        "fast  9\n");
}

TEST_CASE(
    "table: what is wider than the terminal comes in parts, each with the names of its rows") {
  const std::vector<std::vector<std::string>> rows{{"", "one", "two", "three"},
                                                   {"row", "1", "2", "3"}};
  CHECK(in_columns(rows, {.width = 20}) ==
        "     one  two  three\n"
        "row    1    2      3\n");
  CHECK(in_columns(rows, {.width = 19}) ==
        "     one  two\n"
        "row    1    2\n"
        "\n"
        "     three\n"
        "row      3\n");
  // What is too wide alone stands alone.
  CHECK(in_columns({{"a", "unbreakable"}}, {.width = 5}) == "a  unbreakable\n");
}

TEST_CASE("table: what its lines are indented by counts, in each part") {
  const text_cells rows{{"", "one", "two"}, {"row", "1", "2"}};
  CHECK(width_of(rows, {.indent = 2}) == 15);
  CHECK(in_columns(rows, {.width = 15, .indent = 2}) ==
        "       one  two\n"
        "  row    1    2\n");
  CHECK(in_columns(rows, {.width = 14, .indent = 2}) ==
        "       one\n"
        "  row    1\n"
        "\n"
        "       two\n"
        "  row    2\n");
}

TEST_CASE("table: a column without a title stays with the one whose title it shares") {
  CHECK(in_columns({{"", "a", "times", ""}, {"row", "1", "p50", "p99"}}, {.width = 16}) ==
        "     a\n"
        "row  1\n"
        "\n"
        "     times\n"
        "row    p50  p99\n");
}
