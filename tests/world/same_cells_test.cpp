// Goal: rows of one pair and period are added up where they count different people, and refused
// where one of them is there twice.
// Method: small files of which everything is known, each rule on both sides.

#include "world/same_cells.hpp"

#include "catch.hpp"
#include "has.hpp"
#include "world/city.hpp"
#include "world/od_matrix.hpp"
#include "world/temporary_file.hpp"

#include <fmt/format.h>

#include <string>

namespace dibs::world::test_of_same_cells {

namespace {

using dibs::test::has;
using world::test::city;

result<od_matrix> read_rows(const std::string& content) {
  const dibs::test::temporary_file file(content);
  const dibs::test::temporary_file zones("id,lat,lon\nA,40.70,-74.00\nB,40.75,-73.95\n");
  matrix_format format;
  format.columns.time = "hour";
  return read_matrix(
      file.path(),
      {.format = std::move(format), .zones = zone_file{zones.path(), "id", "lat", "lon"}},
      city);
}

std::string refusal(const std::string& content) {
  const auto got = read_rows(content);
  REQUIRE_FALSE(got.has_value());
  return got.error().text;
}

const std::string header = "hour,origin,destination,purpose,age,rides,km\n";

TEST_CASE("same cells: rows that differ in another column are added up, and it is named",
          "[matrix]") {
  const auto m = read_rows(header +
                           "7,A,B,work,1-24,10,30.5\n"
                           "7,A,B,work,25-44,5,15.2\n"
                           "8,A,B,work,1-24,2,6.1\n"
                           "7,A,B,home,1-24,1,3.1\n"
                           "8,B,A,work,25-44,4,12.2\n");
  INFO((m ? "" : m.error().text));
  REQUIRE(m);
  CHECK(m->rows == 5);
  CHECK(m->pairs.size() == 2);
  CHECK(m->rides_within(7h, 1h) == Approx(16));
  CHECK(m->rides_within(8h, 1h) == Approx(6));
  REQUIRE(m->doubts.size() == 1);
  CHECK(m->doubts[0] ==
        "adds up rows that differ in purpose, age: 3 rows of one pair and period with others, "
        "which make 1 number");
  CHECK(read_rows(header + "7,A,B,work,1-24,10,30.5\n8,A,B,home,1-24,10,30.5\n")->doubts.empty());
}

TEST_CASE("same cells: rows that are alike but for what they count are there twice", "[matrix]") {
  const std::string row = "7,A,B,work,1-24,10,30.5\n";
  const std::string both = "lines 2 and 4 both say how many rides go from 'A' to 'B' in 07:00 to";
  for (const char* again : {"7,A,B,work,1-24,10,30.5\n",
                            "7,A,B,work,1-24,12,30.5\n",
                            "7,A,B,work,1-24,12,36.6\n",
                            "7,A,B,work,1-24,0,0.5\n"}) {
    INFO(again);
    CHECK(has(refusal(header + row + "7,A,B,home,1-24,1,3.1\n" + again), both));
  }
  CHECK(has(refusal(header + "7,A,B,work,1-24,10,27\n7,A,B,work,1-24,10,27.4\n"),
            "lines 2 and 3 are of one pair and period, and differ in numbers only"));
  // The number of a row tells none from another.
  CHECK(has(refusal(",hour,origin,destination,rides\n0,7,A,B,10\n1,7,A,B,10\n"),
            "lines 2 and 3 both say"));
}

TEST_CASE("same cells: days and hours that were not named are not added up", "[matrix]") {
  for (const char* name : {"date", "weekday", "travelMonth", "Fecha", "period"}) {
    INFO(name);
    CHECK(has(refusal(fmt::format(
                  "hour,origin,destination,{},sex,rides\n7,A,B,1.,m,10\n7,A,B,2.,f,20\n", name)),
              "lines 2 and 3 both say"));
  }
  CHECK(has(refusal("hour,origin,destination,of,rides\n7,A,B,2022-03-01,10\n7,A,B,2022-03-02,10\n"),
            "lines 2 and 3 are of one pair and period, and differ in 'of' by a date, 2022-03-01 "
            "and 2022-03-02: name that column"));
  CHECK(read_rows("hour,origin,destination,of,rides\n7,A,B,2-10,10\n7,A,B,10-50,10\n"));
}

TEST_CASE("same cells: periods that overlap and are not the same are refused as before",
          "[matrix]") {
  CHECK(has(refusal("hour,origin,destination,sex,rides\n7,A,B,m,10\n7.5,A,B,f,10\n"),
            "where their periods overlap"));
}

}  // namespace

}  // namespace dibs::world::test_of_same_cells
