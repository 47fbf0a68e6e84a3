// Goal: `1.550` is read as what it is in its column, and what may be either is said.
// Method: columns of which it is known how they are written, and matrices that hold such.

#include "world/digit_groups.hpp"

#include "catch.hpp"
#include "has.hpp"
#include "world/city.hpp"
#include "world/od_matrix.hpp"
#include "world/temporary_file.hpp"

#include <initializer_list>
#include <string>
#include <string_view>

namespace dibs::world::test_of_digit_groups {

namespace {

using dibs::test::has;
using world::test::city;

digit_groups column(char mark,
                    std::initializer_list<std::string_view> fields,
                    std::initializer_list<std::string_view> others = {}) {
  digit_groups groups(mark);
  for (const std::string_view field : fields) {
    groups.look_at(field);
  }
  for (const std::string_view field : others) {
    groups.look_at_other(field);
  }
  return groups;
}

result<od_matrix> read_matrix_of(const std::string& content, matrix_format format = {}) {
  const dibs::test::temporary_file file(content);
  const dibs::test::temporary_file zones("id,lat,lon\nA,40.70,-74.00\nB,40.75,-73.95\n");
  return read_matrix(
      file.path(),
      {.format = std::move(format), .zones = zone_file{zones.path(), "id", "lat", "lon"}},
      city);
}

TEST_CASE("digit groups: three digits after each mark part thousands where semicolons part fields",
          "[matrix]") {
  CHECK(column('.', {"1.550", "2.680"}).are_thousands(';'));
  CHECK(column('.', {"1.550", "909", "0"}).are_thousands('\t'));
  CHECK(column(',', {"1,550", "909"}).are_thousands(';'));
  CHECK_FALSE(column('.', {"1.550", "2.680"}).are_thousands('|'));
  CHECK_FALSE(column('.', {"1.550", "2.680"}).are_thousands(','));
  CHECK_FALSE(column('.', {"909", "12"}).are_thousands(';'));
  // All with three decimals, as some programs write them: a comma is a decimal one as a rule.
  CHECK_FALSE(column(',', {"1,550", "2,680"}).are_thousands(';'));
  CHECK_FALSE(column(',', {"1,550", "2,680", "0"}).are_thousands(';'));
  CHECK(column(',', {"1,550", "2,680"}).may_be_thousands());
}

TEST_CASE("digit groups: one number that says otherwise makes them decimals", "[matrix]") {
  for (const std::string_view other : {"1.55", "0.550", "1550", "1.5504", "1.550.12"}) {
    INFO(other);
    CHECK_FALSE(column('.', {"1.550", "2.680", other}).are_thousands(';'));
  }
  CHECK_FALSE(column('.', {"1.550"}, {"42.8344"}).are_thousands(';'));
  CHECK(column('.', {"1.550"}, {"42,8344"}).are_thousands('|'));
  CHECK(column(',', {"1,550"}, {"42.8344"}).are_thousands(';'));
  CHECK_FALSE(column('.', {"1.550", "2.68"}).may_be_thousands());
}

TEST_CASE("digit groups: two marks, or decimals behind the other mark, need no more", "[matrix]") {
  CHECK(column('.', {"1.550", "1.234.567"}).are_thousands(','));
  CHECK(column('.', {"1.550,25", "1550"}).are_thousands(';'));
  CHECK(column('.', {"1.550", "12,5"}).are_thousands(';'));
  CHECK_FALSE(column('.', {"1.234.567", "1.5"}).are_thousands(';'));
  CHECK(grouped_number(" 1.234.567,5 ", '.') == 1234567.5);
  CHECK(grouped_number("1,234.5", ',') == 1234.5);
  CHECK_FALSE(grouped_number("x", '.'));
}

TEST_CASE("matrices: thousands are read as these by the whole column, and said", "[matrix]") {
  const auto dots = read_matrix_of("origin;destination;rides\nA;B;1.550\nB;A;2.000\n");
  REQUIRE(dots);
  CHECK(dots->rides_a_day() == Approx(3550));
  REQUIRE(dots->doubts.size() == 1);
  CHECK(dots->doubts[0] == "the dots in `rides` are read as those between thousands");
  const auto commas = read_matrix_of("origin;destination;rides\nA;B;\"1,550\"\nB;A;909\n");
  REQUIRE(commas);
  CHECK(commas->rides_a_day() == Approx(2459));
  CHECK(has(commas->doubts[0], "the commas in `rides` are read as those between thousands"));
  matrix_format square;
  square.form = matrix_form::square;
  const auto millions = read_matrix_of("zone,A,B\nA,0,1.234.567\nB,1.000,\n", square);
  REQUIRE(millions);
  CHECK(millions->rides_a_day() == Approx(1235567));
  CHECK(has(millions->doubts[0], "the dots in the square"));
  const auto decimals = read_matrix_of("origin;destination;rides\nA;B;1.550\nB;A;0.25\n");
  REQUIRE(decimals);
  CHECK(decimals->rides_a_day() == Approx(1.8));
  CHECK(decimals->doubts.empty());
}

TEST_CASE("matrices: commas that may part thousands are said where they are read as decimal ones",
          "[matrix]") {
  const auto read = read_matrix_of("origin;destination;rides\nA;B;1,550\nB;A;2,000\n");
  REQUIRE(read);
  CHECK(read->rides_a_day() == Approx(3.55));
  REQUIRE(read->doubts.size() == 1);
  CHECK(has(read->doubts[0], "as those before decimals, as in 1,550, though three digits follow"));
  CHECK(read_matrix_of("origin;destination;rides\nA;B;1,5\nB;A;2,000\n")->doubts.empty());
}

}  // namespace

}  // namespace dibs::world::test_of_digit_groups
