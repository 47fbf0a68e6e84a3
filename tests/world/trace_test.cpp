#include "world/trace.hpp"

#include "catch.hpp"
#include "has.hpp"
#include "world/city.hpp"
#include "world/demand.hpp"
#include "world/request_fields.hpp"
#include "world/temporary_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace {

using namespace dibs;
using namespace dibs::world;
using dibs::test::has;
using world::test::city;

result<trace> read(std::string_view content,
                   const trace_options& options = {},
                   const geography& map = city) {
  const dibs::test::temporary_file file(content);
  return read_trace(file.path(), options, map);
}

/// What the refusal says after the file's name.
std::string refusal(std::string_view content, const trace_options& options = {}) {
  const auto got = read(content, options, city);
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

TEST_CASE("trace: a place may stand in one column, as a WKT point", "[trace]") {
  CHECK(read_wkt_point("POINT (-73.99 40.70)")->lat == 40.70);
  CHECK(read_wkt_point(" point(-73.99 40.70) ")->lon == -73.99);
  CHECK(read_wkt_point("SRID=4326;POINT(-73.99 40.70)")->lat == 40.70);
  for (const char* const none : {"",
                                 "POINT",
                                 "POINT ()",
                                 "POINT (1)",
                                 "POINT (1 2",
                                 "POINT (1 2 3)",
                                 "LINESTRING (1 2)",
                                 "POINT (nan 2)",
                                 "POINT EMPTY",
                                 "SRID=4326",
                                 "SRID=4326;"}) {
    INFO(none);
    CHECK_FALSE(read_wkt_point(none));
  }
  trace_options points;
  points.columns.lat = points.columns.lon = "from";
  points.columns.to_lat = points.columns.to_lon = "to";
  const std::string rows =
      "time,from,to,trip\n"
      "3600,POINT (-73.99 40.70),\"POINT (-73.98 40.75)\",600\n";
  const auto got = read(rows, points);
  REQUIRE(got.has_value());
  CHECK(got->rows[0].origin == city.project({40.70, -73.99}));
  CHECK(got->rows[0].destination == city.project({40.75, -73.98}));
  CHECK(has(refusal("time,from,to,trip\n3600,7,8,600\n", points),
            "from: expected a WKT point, such as POINT (-73.98 40.75), or a cell of H3, such as "
            "8a2a1072b59ffff, found '7'; ids of zones need a file"));
}

TEST_CASE("trace: a place may be the id of a zone whose middle another file has", "[trace]") {
  const dibs::test::temporary_file zones(
      "LocationID,zone,y,x\n7,Astoria,40.70,-73.99\n8,Park,40.75,-73.98\n7,again,41,-73\n");
  trace_options how;
  how.columns.lat = how.columns.lon = "PULocationID";
  how.columns.to_lat = how.columns.to_lon = "DOLocationID";
  how.zones = {zones.path(), "LocationID", "y", "x"};
  const std::string titles = "time,PULocationID,DOLocationID,trip\n";
  const auto got = read(titles + "3600,7,8.0,600\n", how);
  INFO((got ? "" : got.error().text));
  REQUIRE(got.has_value());
  CHECK(got->rows[0].origin == city.project({40.70, -73.99}));
  CHECK(got->rows[0].destination == city.project({40.75, -73.98}));
  CHECK(has(refusal(titles + "3600,9,8,600\n", how), "PULocationID: no zone '9' among the 2 of"));
  CHECK(has(refusal(titles + "3600,7,265,600\n", how),
            "no row has a drop-off; line 2: DOLocationID: no zone '265' among the 2 of"));
  const auto unknown_end = read(titles + "3600,7,265,600\n3600,8,7,600\n", how);
  REQUIRE(unknown_end);
  CHECK(unknown_end->rows.size() == 2);
  CHECK(has(
      unknown_end->doubts.at(0),
      "1 row has no drop-off: the trip ends where another begins; line 2: DOLocationID: no zone "
      "'265' among the 2 of"));
  how.zones->lat = "north";
  CHECK_FALSE(read(titles + "3600,7,8,600\n", how));
  const dibs::test::temporary_file bad("id,lat,lon\n7,95,0\n");
  how.zones = {bad.path()};
  const auto refused = read(titles + "3600,7,8,600\n", how);
  REQUIRE_FALSE(refused);
  CHECK(has(refused.error().text, ":2: no latitude and longitude of the middle of a zone"));
}

TEST_CASE("trace: times may be of another clock than the city's", "[trace]") {
  trace_options how;
  how.shift = -5h;
  const auto got = read(header +
                            "1421305210,40.7,-73.99,40.7,-73.99,600\n"
                            "1421280000,40.7,-73.99,40.7,-73.99,600\n",
                        how);
  REQUIRE(got.has_value());
  CHECK(got->rows[0].time_of_day == 2h + 10s);
  CHECK(got->rows[1].time_of_day == 19h);
  CHECK(got->days == std::vector<std::string>{"2015-01-14 to 2015-01-15"});
}

TEST_CASE("trace: the day is first where some date with slashes has no such month", "[trace]") {
  const std::string place = ",40.7,-73.99,40.7,-73.99,600\n";
  const auto got = read(header + "03/04/2015 07:00" + place + "13/04/2015 07:00" + place);
  REQUIRE(got.has_value());
  CHECK(got->days == std::vector<std::string>{"2015-04-03", "2015-04-13"});
  CHECK(got->doubts.empty());
  const auto ambiguous = read(header + "03/04/2015 07:00" + place);
  REQUIRE(ambiguous.has_value());
  CHECK(ambiguous->days == std::vector<std::string>{"2015-03-04"});
  REQUIRE(ambiguous->doubts.size() == 1);
  CHECK(has(ambiguous->doubts[0], "month first"));
}

TEST_CASE("trace: which of two numbers is the day is doubted only where nothing tells", "[trace]") {
  const std::string row = ":05,40.7,-74\n";
  const auto told = read("time,lat,lon\n4/1/2014 07" + row + "4/13/2014 07" + row);
  REQUIRE(told);
  CHECK(told->doubts.empty());
  CHECK(told->days == std::vector<std::string>{"2014-04-01", "2014-04-13"});
}

TEST_CASE("trace: a column's name says what its lengths count", "[trace]") {
  for (const auto& [name, unit] : {std::pair{"trip", sim_duration{1s}},
                                   {"duration_s", 1s},
                                   {"Duration (sec.)", 1s},
                                   {"Duration (min)", 1min},
                                   {"tripMinutes", 1min},
                                   {"duration_min", 1min},
                                   {"min_duration", 1s},
                                   {"tripduration_ms", 1ms},
                                   {"trip_hours", 1h}}) {
    INFO(name);
    CHECK(length_unit_of(name).one == unit);
  }
  trace_options how;
  how.columns.trip = "duration_min";
  const std::string titles = "time,lat,lon,duration_min\n";
  CHECK(read(titles + "07:00,40.7,-74,9.5\n", how)->rows[0].trip == 9min + 30s);
  CHECK(read(titles + "07:00,40.7,-74,0:09:45\n", how)->rows[0].trip == 9min + 45s);
  CHECK(has(refusal(titles + "07:00,40.7,-74,20000\n", how),
            "duration_min: expected minutes from 0 to 16666, found '20000'"));
  CHECK(has(refusal(titles + "07:00,40.7,-74,-1\n", how), "expected minutes"));
}

TEST_CASE("trace: empty fields beyond the names are left out and told", "[trace]") {
  const auto got = read("time,lat,lon,\n7:00,40.7,-74,x,,\n7:05,40.7,-74,y\n7:05,40.7,-74,y,\n");
  INFO((got ? "" : got.error().text));
  REQUIRE(got);
  CHECK(got->rows.size() == 3);
  REQUIRE(got->doubts.size() == 1);
  CHECK(has(got->doubts[0], "2 rows have more fields than the first line has names (4)"));
  CHECK(has(refusal("time,lat,lon\n7:00,40.7,-74,1\n"), "4 fields where the header has 3"));
}

TEST_CASE("trace: a request whose drop-off is missing is one all the same", "[trace]") {
  const auto got = read(header +
                        "10,40.7,-74,40.71,-73.9,100\n"
                        "11,40.72,-74,40.71,-73.9,200\n"
                        "12,40.73,-74,,,50\n"
                        "13,40.74,-74,NaN,NaN,\n");
  INFO((got ? "" : got.error().text));
  REQUIRE(got);
  CHECK(got->rows_lost == 0);
  REQUIRE(got->rows.size() == 4);
  for (const std::size_t i : {2U, 3U}) {
    CHECK(std::ranges::find(got->rows, got->rows[i].destination, &trace_row::origin) !=
          got->rows.end());
  }
  CHECK(got->rows[0].destination == city.project({40.71, -73.9}));
  CHECK(got->rows[2].trip == 50s);
  CHECK(in_seconds(got->rows[3].trip) == Approx(350.0 / 3));
  REQUIRE(got->doubts.size() == 1);
  CHECK(got->doubts[0] ==
        "2 rows have no drop-off: the trip ends where another begins; line 4: to_lat is blank");
  // What is there must be a number.
  CHECK(has(refusal(header + "10,40.7,-74,40.7,here,1\n"), "to_lon: expected degrees"));
  CHECK(has(refusal(header + "10,40.7,-74,40.7,-74,long\n"), "trip: expected seconds"));
  CHECK_FALSE(read(header + "10,40.7,-74,40.7,-74,\n")->has_trips);
  // A column that is blank throughout is as none.
  CHECK(read(header + "10,40.7,-74,,,1\n")->doubts.size() == 1);
}

TEST_CASE("trace: one night over midnight is one day", "[trace]") {
  const std::string titles = "time,lat,lon\n";
  const std::string late = "2015-01-15 22:00,40.7,-74\n";
  const auto night = read(titles + late + "2015-01-16 01:59,40.7,-74\n");
  REQUIRE(night);
  CHECK(night->days == std::vector<std::string>{"2015-01-15 to 2015-01-16"});
  CHECK(night->rows[0].time_of_day == 1h + 59min);
  CHECK(read(titles + late + "2015-01-16 22:00,40.7,-74\n")->days.size() == 2);
  CHECK(read(titles + late + "2015-01-17 01:59,40.7,-74\n")->days.size() == 2);
  CHECK(read(titles + late + "2015-01-16 01:59,40.7,-74\n", {.day = "2015-01-16"})->rows.size() ==
        1);
}

TEST_CASE("trace: where semicolons part the fields a comma is a decimal point", "[trace]") {
  const auto got = read(
      "time;lat;lon;to_lat;to_lon;trip\n"
      "3600,5;40,70;-73,99;40.75;-73,98;600\n");
  REQUIRE(got.has_value());
  CHECK(got->rows[0].time_of_day == 1h + 500ms);
  CHECK(got->rows[0].origin == city.project({40.70, -73.99}));
  CHECK(has(refusal("time;lat;lon;to_lat;to_lon;trip\n1,2,3;40;-73;40;-73;600\n"),
            "line 2: time: expected a time, such as"));
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
  const auto got = read("time,trip\n5,60\n", {}, geography());
  REQUIRE(got.has_value());
  CHECK(got->rows[0].trip == 60s);
  CHECK(got->rows[0].origin == point{});
}

TEST_CASE("trace: a file may lack trips and ends, by their standard names", "[trace]") {
  const auto got = read("time,lat,lon,to_lat,to_lon\n5,40.7,-74,40.7,-74\n");
  REQUIRE(got.has_value());
  CHECK_FALSE(got->has_trips);
  CHECK(refusal("time,lat,lon\n5,40.7,-74\n", {.columns = {.trip = "seconds"}}) ==
        ":1: no column 'seconds'; the columns are: time, lat, lon");
  CHECK(refusal("time,lat,lon,to_lat\n5,40.7,-74,40\n") ==
        ":1: of 'to_lat' and 'to_lon' only one is there; the columns are: time, lat, lon, to_lat");
}

TEST_CASE("trace: without ends, trips end where others begin", "[trace]") {
  std::string content = "time,lat,lon\n";
  for (int i = 0; i < 50; ++i) {
    content += fmt::format("{},40.7{:02},-74\n", i, i);
  }
  const auto got = read(content);
  REQUIRE(got.has_value());
  const auto& rows = got->rows;
  std::size_t others = 0;
  for (const trace_row& row : rows) {
    const auto where = std::ranges::find(rows, row.destination, &trace_row::origin);
    REQUIRE(where != rows.end());
    others += where->number != row.number ? 1U : 0U;
  }
  CHECK(others > 40);
  CHECK(read(content)->rows[7].destination == rows[7].destination);
}

TEST_CASE("trace: a trip's length follows from when it ended", "[trace]") {
  const auto got = read(
      "time,lat,lon,to_lat,to_lon,to_time\n"
      "2015-01-15 07:00:10,40.7,-74,40.7,-74,2015-01-15 07:22:17\n"
      "2015-01-15 23:50:00,40.7,-74,40.7,-74,2015-01-16 00:10:00\n");
  REQUIRE(got.has_value());
  CHECK(got->has_trips);
  CHECK(got->rows[0].trip == 22min + 7s);
  CHECK(got->rows[1].trip == 20min);
  CHECK(read("time,lat,lon,to_time\n23:50,40.7,-74,00:10\n")->rows[0].trip == 20min);
  CHECK(has(refusal("time,lat,lon,to_time\n2015-01-15 07:00:10,40.7,-74,2015-01-15 07:00:09\n"),
            "line 2: to_time: before time"));
  // What the file says itself goes before.
  CHECK(read("time,lat,lon,to_time,trip\n07:00,40.7,-74,07:10,5\n")->rows[0].trip == 5s);
}

TEST_CASE("trace: a trip begins when somebody is picked up, not when they ask", "[trace]") {
  const std::string columns = "time,lat,lon,from_time,to_time\n";
  const auto got = read(columns +
                        "07:00,40.7,-74,07:10,07:30\n23:50,40.7,-74,00:05,00:15\n"
                        "07:20,40.7,-74,,07:30\n07:25,40.7,-74,,\n");
  REQUIRE(got.has_value());
  REQUIRE(got->rows.size() == 4);
  CHECK(got->rows[0].time_of_day == 7h);
  CHECK(got->rows[0].trip == 20min);
  CHECK(got->rows[3].trip == 10min);
  // As long as the others on average.
  CHECK(got->rows[1].trip == 15min);
  CHECK(got->rows[2].trip == 15min);
  REQUIRE(got->doubts.size() == 1);
  CHECK(has(got->doubts[0], "2 of 4 rows say not how long the trip took"));
  CHECK(has(refusal("time,lat,lon,from_time,to_time\n07:00,40.7,-74,2015-01-15 07:10:00,2015-01-15 "
                    "07:09:00\n"),
            "line 2: to_time: before from_time"));
}

TEST_CASE("trace: several days are one, laid over each other, or one of them", "[trace]") {
  const std::string content = header +
                              "25200,40.7,-74,40.7,-74,1\n"
                              "198000,40.7,-74,40.7,-74,2\n"
                              "111600,40.7,-74,40.7,-74,3\n"
                              "25201,40.7,-74,40.7,-74,4\n";
  const auto mean = read(content);
  REQUIRE(mean.has_value());
  CHECK(mean->days == std::vector<std::string>{"day 1", "day 2", "day 3"});
  CHECK(mean->rows.size() == 4);
  CHECK(mean->rows[1].time_of_day == 7h);
  CHECK(trace_demand{.rows = std::make_shared<trace>(*mean), .scale = 1.5}.copies() == 0.5);
  const auto one = read(content, {.day = "day 1"});
  REQUIRE(one.has_value());
  CHECK(one->rows.size() == 2);
  CHECK(one->rows[1].trip == 4s);
  CHECK(trace_demand{.rows = std::make_shared<trace>(*one)}.copies() == 1);
  CHECK(refusal(content, {.day = "day 4"}) ==
        ": no row is of day 4; its days are day 1, day 2, day 3");
  CHECK(read("time,lat,lon\n2015-01-15 07:00,40.7,-74\n2015-01-16 07:00,40.7,-74\n",
             {.day = "2015-01-16"})
            ->rows[0]
            .number == 1);
}

TEST_CASE("trace: rows that lack what is needed are left out, counted and named", "[trace]") {
  std::string content = header;
  for (int i = 0; i < 16; ++i) {
    content += "10,40.7,-74,40.7,-74,1\n";
  }
  content += "10,,,40.7,-74,1\n10,40.7,-74,40.7,-74,-1\nsoon,40.7,-74,40.7,-74,1\n10,40.7\n";
  const auto got = read(content);
  REQUIRE(got.has_value());
  CHECK(got->rows.size() == 16);
  CHECK(got->rows_lost == 4);
  REQUIRE(got->lost.size() == 3);
  CHECK(got->lost[0] == "line 18: lat: expected degrees from -90 to 90, found ''");
  CHECK(got->lost[1] == "line 19: trip: expected seconds from 0 to 1000000, found '-1'");
  CHECK(has(got->lost[2], "line 20: time: expected a time"));
  CHECK(has(refusal(content, {.lost_max = 0.19}),
            ": 4 of 20 rows lack what is needed, more than lost_max (19 %); line 18: lat:"));
  CHECK(read(content + "x\n", {.lost_max = 1}).has_value());
}

TEST_CASE("trace: latitude and longitude that are exchanged are told", "[trace]") {
  const std::string good = "10,40.7,-74,40.7,-74,1\n";
  const std::string bad = "10,-74,40.7,-74,40.7,1\n";
  CHECK(has(refusal(header + bad + bad, {.lost_max = 1}),
            "none of the 2 rows lies within the bounds; latitude and longitude look exchanged in 2 "
            "of 2 rows"));
  CHECK(has(refusal(header + good + bad),
            "1 of 2 rows lack what is needed, more than lost_max (20 %); latitude and longitude "
            "look exchanged in 1 of 2 rows; line 3: latitude -74 and longitude 40.7"));
  // East of the 90th meridian an exchanged longitude is no latitude at all.
  const geography far({.bounds = {.south = 1.2, .west = 103.6, .north = 1.5, .east = 104.0}});
  const auto got = read(header + "10,103.8,1.3,103.8,1.3,1\n", {}, far);
  REQUIRE_FALSE(got.has_value());
  CHECK(has(got.error().text, "look exchanged in 1 of 1 rows"));
}

TEST_CASE("trace: a column that holds something else is doubted, with evidence", "[trace]") {
  std::string fares = header;
  std::string miles = header;
  std::string sound = header;
  std::string slow = header;
  for (int i = 0; i < 20; ++i) {
    fares += fmt::format("{}.5,40.70,-74,40.75,-74,600\n", 10 + i);
    miles += fmt::format("{},40.70,-74,40.75,-74,2.5\n", 25200 + 100 * i);
    sound += fmt::format("{},40.70,-74,40.75,-74,600\n", 25200 + 100 * i);
    slow += fmt::format("{},40.70,-74,40.75,-74,600000\n", 25200 + 100 * i);
  }
  CHECK(read(sound)->doubts.empty());
  REQUIRE(read(fares)->doubts.size() == 1);
  CHECK(read(fares)->doubts[0] ==
        "all 20 times in column `time` lie within 30 s after midnight: is it a time of day, in "
        "seconds? If it counts minutes or hours, call it so, as `time_min` or `time_hour`");
  REQUIRE(read(miles)->doubts.size() == 1);
  CHECK(read(miles)->doubts[0] ==
        "by column `trip`, 20 of 20 trips are faster than 252 km/h in a straight line: is it their "
        "length in seconds? If it counts minutes, call it so, as `duration_min`");
  REQUIRE(read(slow)->doubts.size() == 1);
  CHECK(has(read(slow)->doubts[0], "20 of 20 trips are slower than 1.1 km/h"));
}

TEST_CASE("trace: thousands may be parted by commas", "[trace]") {
  CHECK(read(header + "10,40.7,-74,40.7,-74,\"1,327\"\n")->rows[0].trip == 1327s);
  CHECK(read(header + "10,40.7,-74,40.7,-74,\"12,327.5\"\n")->rows[0].trip == 12327s + 500ms);
  CHECK_FALSE(read(header + "10,40.7,-74,40.7,-74,\"13,27\"\n"));
  CHECK_FALSE(read(header + "10,40.7,-74,40.7,-74,\"1,,,,\"\n"));
}

TEST_CASE("trace: numbers may stand among spaces and quotes", "[trace]") {
  CHECK(read(header + "\"10\", 40.7 ,-74,40.7,-74,1e2\r\n").has_value());
}

TEST_CASE("trace: a missing column is named, and those that there are", "[trace]") {
  CHECK(refusal("time,lat,to_lat,to_lon,trip\n") ==
        ":1: no column 'lon'; the columns are: time, lat, to_lat, to_lon, trip");
  CHECK(refusal("time,lat,lon,to_lat,to_lon,trip,lat\n") == ":1: column 'lat' appears 2 times");
}

TEST_CASE("trace: a bad value is shown with its line, its column and what was expected",
          "[trace]") {
  const std::string good = "10,40.7,-74,40.7,-74,1\n";
  /// What the third line lacks.
  const auto in = [&](std::string_view row) {
    const auto got = read(header + good + std::string(row), {.lost_max = 1});
    REQUIRE(got.has_value());
    REQUIRE(got->lost.size() == 1);
    REQUIRE(got->lost[0].starts_with("line 3: "));
    return got->lost[0].substr(8);
  };
  CHECK(in("x,40.7,-74,40.7,-74,1\n") ==
        "time: expected a time, such as 25210.5 (seconds since midnight), 07:00:10, "
        "2015-01-31 07:00:10 or 01/31/2015 07:00 AM, found 'x'");
  CHECK(in("-1,40.7,-74,40.7,-74,1\n").starts_with("time: "));
  CHECK(in("10,91,-74,40.7,-74,1\n") == "lat: expected degrees from -90 to 90, found '91'");
  CHECK(in("10,40.7,-74,-91.5,-74,1\n") ==
        "to_lat: expected degrees from -90 to 90, found '-91.5'");
  CHECK(in("10,nan,-74,40.7,-74,1\n").starts_with("lat: "));
  CHECK(in("10,40.7,inf,40.7,-74,1\n").starts_with("lon: "));
  CHECK(in("10,,-74,40.7,-74,1\n").ends_with("found ''"));
  CHECK(in("10,40.7,-74,40.7,-74x,1\n").starts_with("to_lon: "));
  CHECK(in("10,40.7,-74,40.7,-74,-1\n") == "trip: expected seconds from 0 to 1000000, found '-1'");
  CHECK(in("10,40.7,-74,40.7,-74\n") == "5 fields where the header has 6");
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
  CHECK(refusal(header + "10,1,1,1,1,1\n") == ": none of the 1 rows lies within the bounds");
}

TEST_CASE("trace: too many rows are refused", "[trace]") {
  const std::string row = "10,40.7,-74,40.7,-74,1\n";
  CHECK(read(header + row + row, {.rows_max = 2}).has_value());
  CHECK(refusal(header + row + row + row, {.rows_max = 2}) == ":4: more than 2 rows");
}

}  // namespace
