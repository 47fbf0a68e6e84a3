#include "world/trace.hpp"

#include "catch.hpp"
#include "world/city.hpp"
#include "world/temporary_file.hpp"

#include <string>

namespace {

using namespace dibs;
using namespace dibs::world;
using world::test::city;

const trace_columns names{"time", "lat", "lon", "to_lat", "to_lon", "trip"};

result<trace> read(std::string_view content,
                   const trace_columns& columns = names,
                   const geography& map = city,
                   const trace_limits& limits = {}) {
  const dibs::test::temporary_file file(content);
  return read_trace(file.path(), columns, map, limits);
}

/// What the refusal says after the file's name.
std::string refusal(std::string_view content,
                    const trace_columns& columns = names,
                    const trace_limits& limits = {}) {
  const auto got = read(content, columns, city, limits);
  REQUIRE_FALSE(got.has_value());
  CHECK(got.error().code == exit_code::invalid_input);
  return got.error().text.substr(got.error().text.find(".csv:") + 4);
}

const std::string header = "time,lat,lon,to_lat,to_lon,trip\n";

TEST_CASE("trace: rows are read by the names of their columns", "[trace]") {
  const auto got = read(
      "id,to_lon,to_lat,trip,lon,lat,time\n"
      "7,-73.98,40.75,600,-73.99,40.70,3600.5\n");
  REQUIRE(got.has_value());
  REQUIRE(got->rows.size() == 1);
  const trace_row& row = got->rows[0];
  CHECK(row.time_of_day == 1h + 500ms);
  CHECK(row.trip == 10min);
  CHECK(row.origin == city.project({40.70, -73.99}));
  CHECK(row.destination == city.project({40.75, -73.98}));
  CHECK(got->has_trips);
  CHECK(got->rows_dropped == 0);
}

TEST_CASE("trace: where semicolons part the fields a comma is a decimal point", "[trace]") {
  const auto got = read(
      "time;lat;lon;to_lat;to_lon;trip\n"
      "3600,5;40,70;-73,99;40.75;-73,98;600\n");
  REQUIRE(got.has_value());
  CHECK(got->rows[0].time_of_day == 1h + 500ms);
  CHECK(got->rows[0].origin == city.project({40.70, -73.99}));
  CHECK(refusal("time;lat;lon;to_lat;to_lon;trip\n1,2,3;40;-73;40;-73;600\n") ==
        ":2: time: expected seconds since midnight, from 0 to below 86400, found '1,2,3'");
}

TEST_CASE("trace: rows are ordered by time, then by their place in the file", "[trace]") {
  const auto got = read(header +
                        "20,40.7,-74,40.7,-74,1\n"
                        "10,40.7,-74,40.7,-74,2\n"
                        "20,40.7,-74,40.7,-74,3\n"
                        "10,40.7,-74,40.7,-74,4\n");
  REQUIRE(got.has_value());
  std::vector<std::uint32_t> order;
  for (const trace_row& row : got->rows) {
    order.push_back(row.number);
  }
  CHECK(order == std::vector<std::uint32_t>{1, 3, 0, 2});
}

TEST_CASE("trace: many rows of one second keep their order", "[trace]") {
  std::string content = header;
  for (int i = 0; i < 1000; ++i) {
    content += std::to_string(10 - i % 2) + ",40.7,-74,40.7,-74,1\n";
  }
  const auto got = read(content);
  REQUIRE(got.has_value());
  for (std::uint32_t i = 0; i < 1000; ++i) {
    REQUIRE(got->rows[i].number == (i < 500 ? 2 * i + 1 : 2 * (i - 500)));
  }
}

TEST_CASE("trace: rows with an end outside the bounds are dropped and counted", "[trace]") {
  const auto got = read(header +
                        "10,40.7,-74,40.7,-74,1\n"
                        "11,40.5,-74,40.7,-74,1\n"
                        "12,40.7,-74,40.7,-73,1\n"
                        "13,40.9,-73.75,40.6,-74.05,1\n");
  REQUIRE(got.has_value());
  CHECK(got->rows_dropped == 2);
  REQUIRE(got->rows.size() == 2);
  CHECK(got->rows[1].number == 3);  // on the edge: inside, and it keeps its number
}

TEST_CASE("trace: places are not asked for without geography", "[trace]") {
  const auto got = read("time,trip\n5,60\n", names, geography());
  REQUIRE(got.has_value());
  CHECK(got->rows[0].trip == 60s);
  CHECK(got->rows[0].origin == point{});
}

TEST_CASE("trace: trips are not asked for when their column has no name", "[trace]") {
  const trace_columns without{"time", "lat", "lon", "to_lat", "to_lon", ""};
  const auto got = read("time,lat,lon,to_lat,to_lon\n5,40.7,-74,40.7,-74\n", without);
  REQUIRE(got.has_value());
  CHECK_FALSE(got->has_trips);
}

TEST_CASE("trace: numbers may stand among spaces and quotes", "[trace]") {
  CHECK(read(header + "\"10\", 40.7 ,-74,40.7,-74,1e2\r\n").has_value());
}

TEST_CASE("trace: a missing column is named, and those that there are", "[trace]") {
  CHECK(refusal("time,lat,lon,to_lat,trip\n") ==
        ":1: no column 'to_lon'; the columns are: time, lat, lon, to_lat, trip");
  CHECK(refusal("time,lat,lon,to_lat,to_lon,trip,lat\n") == ":1: column 'lat' appears 2 times");
}

TEST_CASE("trace: a bad value is shown with its line, its column and what was expected",
          "[trace]") {
  const std::string good = "10,40.7,-74,40.7,-74,1\n";
  const auto in = [&](std::string_view row) { return refusal(header + good + std::string(row)); };
  CHECK(in("x,40.7,-74,40.7,-74,1\n") ==
        ":3: time: expected seconds since midnight, from 0 to below 86400, found 'x'");
  CHECK(in("86400,40.7,-74,40.7,-74,1\n").starts_with(":3: time: "));
  CHECK(in("-1,40.7,-74,40.7,-74,1\n").starts_with(":3: time: "));
  CHECK(in("10,91,-74,40.7,-74,1\n") == ":3: lat: expected degrees from -90 to 90, found '91'");
  CHECK(in("10,nan,-74,40.7,-74,1\n").starts_with(":3: lat: "));
  CHECK(in("10,40.7,inf,40.7,-74,1\n").starts_with(":3: lon: "));
  CHECK(in("10,40.7,-74,,-74,1\n").ends_with("found ''"));
  CHECK(in("10,40.7,-74,40.7,-74x,1\n").starts_with(":3: to_lon: "));
  CHECK(in("10,40.7,-74,40.7,-74,-1\n") ==
        ":3: trip: expected seconds from 0 to 1000000, found '-1'");
  CHECK(in("10,40.7,-74,40.7,-74\n") == ":3: 5 fields where the header has 6");
  CHECK(in("\x01\x02" + std::string(100, 'y') + ",40.7,-74,40.7,-74,1\n")
            .ends_with("found '??" + std::string(38, 'y') + "...'"));
}

TEST_CASE("trace: the last second of the day belongs to it", "[trace]") {
  const auto got = read(header + "86399.999999999,40.7,-74,40.7,-74,0\n");
  REQUIRE(got.has_value());
  CHECK(got->rows[0].time_of_day == 24h - 1ns);
}

TEST_CASE("trace: a file without rows, or without rows inside, is refused", "[trace]") {
  CHECK(refusal("") == ":1: the file is empty; its first line names the columns");
  CHECK(refusal(header) == ":2: no rows after the header");
  CHECK(refusal(header + "10,1,1,1,1,1\n") == ":3: none of the 1 rows lies within the bounds");
}

TEST_CASE("trace: too many rows are refused", "[trace]") {
  const std::string row = "10,40.7,-74,40.7,-74,1\n";
  CHECK(read(header + row + row, names, city, {.rows_max = 2}).has_value());
  CHECK(refusal(header + row + row + row, names, {.rows_max = 2}) == ":4: more than 2 rows");
}

}  // namespace
