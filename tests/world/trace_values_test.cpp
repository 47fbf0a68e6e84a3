// Goal: a value that is written in another way is read right, and a wrong one is not replayed.
// Method: small files, against times and counts worked out by hand.

#include "catch.hpp"
#include "has.hpp"
#include "world/city.hpp"
#include "world/request_fields.hpp"
#include "world/temporary_file.hpp"
#include "world/trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace dibs;
using namespace dibs::world;
using dibs::test::has;
using world::test::city;

result<trace> read_content(const std::string& content, const trace_options& options = {}) {
  const dibs::test::temporary_file file(content);
  return read_trace(file.path(), options, city);
}

bool is_said(const trace& read, const std::string& words) {
  return std::ranges::any_of(read.doubts, [&](const auto& each) { return has(each, words); });
}

TEST_CASE("trace values: a WKT point may have a height and a measure", "[trace]") {
  for (const char* const text : {"POINT Z (-73.99 40.70 12.1)",
                                 "POINTZ(-73.99 40.70 3)",
                                 "point m (-73.99 40.70 3)",
                                 "SRID=4326;POINT ZM (-73.99 40.70 3 4)"}) {
    INFO(text);
    REQUIRE(read_wkt_point(text));
    CHECK(read_wkt_point(text)->lat == 40.70);
    CHECK(read_wkt_point(text)->lon == -73.99);
  }
  for (const char* const none : {"POINT Z (-73.99 40.70)",
                                 "POINT Z (-73.99 40.70 1 2)",
                                 "POINT ZM (-73.99 40.70 1)",
                                 "POINT Z EMPTY"}) {
    INFO(none);
    CHECK_FALSE(read_wkt_point(none));
  }
}

TEST_CASE("trace values: numbers of a column that is named minutes or hours are these", "[trace]") {
  for (const auto& [name, value] : {std::pair{"minute_of_day", "430.5"},
                                    {"pickup_min", "430.5"},
                                    {"pickup_hour", "7.175"},
                                    {"time_ms", "25830000"},
                                    {"time_s", "25830"},
                                    {"time", "25830"}}) {
    INFO(name);
    trace_options options;
    options.columns.time = name;
    const auto got = read_content(fmt::format("{},lat,lon\n{},40.7,-74\n", name, value), options);
    REQUIRE(got);
    CHECK(got->rows[0].time_of_day == 7h + 10min + 30s);
    const bool are_seconds = std::string_view(name) == "time" || std::string_view(name) == "time_s";
    CHECK(is_said(*got, "by the column's name") == !are_seconds);
  }
}

TEST_CASE("trace values: times since 1970 count what their size says", "[trace]") {
  trace_options options;
  options.columns.time = "created_at_ms";
  const auto got = read_content("created_at_ms,lat,lon\n1421305210000,40.7,-74\n", options);
  REQUIRE(got);
  CHECK(got->rows[0].time_of_day == 7h + 10s);
  CHECK(got->doubts.empty());
}

std::string serials(const std::string& name, double step) {
  std::string content = name + ",lat,lon\n";
  for (int i = 0; i < 20; ++i) {
    content += fmt::format("{:.6f},40.7,-74\n", 42019.350208 + step * i);
  }
  return content;
}

TEST_CASE("trace values: days since 1900 are told from seconds", "[trace]") {
  const auto days = read_content(serials("time", 0.1001));
  REQUIRE(days);
  CHECK(days->days == std::vector<std::string>{"2015-01-15", "2015-01-16", "2015-01-17"});
  const auto of_first =
      std::ranges::find(days->rows, std::uint32_t{0}, [](const auto& row) { return row.number; });
  CHECK(of_first->time_of_day == 8h + 24min + 18s);
  CHECK(is_said(*days, "read as days since 1900"));
  CHECK(is_said(*days, "call it `time_s`"));
  trace_options seconds;
  seconds.columns.time = "time_s";
  const auto named = read_content(serials("time_s", 0.1001), seconds);
  REQUIRE(named);
  CHECK(named->rows[0].time_of_day == 42019s + 350208us);
  // A morning of seconds.
  const auto spread = read_content(serials("time", 100.1));
  REQUIRE(spread);
  CHECK(spread->rows[0].time_of_day == 42019s + 350208us);
  CHECK(spread->doubts.empty());
}

TEST_CASE("trace values: one end alone may be exchanged", "[trace]") {
  const auto got = read_content("time,lat,lon,to_lat,to_lon\n7:00,40.7,-74,-73.98,40.75\n");
  REQUIRE_FALSE(got);
  CHECK(has(got.error().text, "exchanged in 1 of 1 rows"));
  CHECK(has(got.error().text, "line 2: latitude -73.98 and longitude 40.75 look exchanged"));
}

TEST_CASE("trace values: a place of 0, 0 is none", "[trace]") {
  std::string content = "time,lat,lon,to_lat,to_lon\n";
  for (int i = 0; i < 18; ++i) {
    content += "7:00,40.7,-74,40.75,-73.98\n";
  }
  const auto got = read_content(content + "7:01,0.000000,-0.0,40.7,-74\n7:02,0,-74,40.7,-74\n");
  REQUIRE(got);
  CHECK(got->rows_lost == 1);
  CHECK(got->lost[0] == "line 20: lat, lon: 0, 0, which is in the sea");
  CHECK(got->rows_dropped == 1);
  // A drop-off that is not known ends no request.
  const auto ends = read_content(content + "7:01,40.7,-74,0,0\n");
  REQUIRE(ends);
  CHECK(ends->rows.size() == 19);
  CHECK(ends->rows_lost == 0);
  CHECK(is_said(*ends, "1 row has no drop-off"));
  CHECK(is_said(*ends, "line 20: to_lat, to_lon: 0, 0, which is in the sea"));
  CHECK(read_content("time,lat,lon,to_lat,to_lon\n7:00,40.7,-74,0,0\n7:01,40.7,-74,0,0\n"));
  const auto none = read_content("time,lat,lon\n7:00,0,0\n7:01,0,0\n", {.lost_max = 1});
  REQUIRE_FALSE(none);
  CHECK(has(none.error().text, "all 2 rows begin at 0, 0, which is in the sea"));
}

TEST_CASE("trace values: a day with less than a fiftieth of a usual one is none", "[trace]") {
  const auto of_days = [](std::size_t usual, std::size_t rare) {
    std::string content = "time,lat,lon\n";
    for (std::size_t i = 0; i < 2 * usual + rare; ++i) {
      content +=
          fmt::format("2015-01-{:02} {:02}:00,40.7,-74\n", i < 2 * usual ? 14 + i % 2 : 20, i % 24);
    }
    return read_content(content);
  };
  const auto stray = of_days(51, 1);
  REQUIRE(stray);
  CHECK(stray->days == std::vector<std::string>{"2015-01-14", "2015-01-15"});
  CHECK(stray->rows.size() == 102);
  CHECK(is_said(*stray, "1 request of 1 day left out, where a usual day has 51"));
  const auto rare = of_days(50, 1);
  REQUIRE(rare);
  CHECK(rare->days.size() == 3);
  CHECK(rare->rows.size() == 101);
  CHECK(rare->doubts.empty());
}

TEST_CASE("trace values: the day that is asked for may be a rare one", "[trace]") {
  std::string content = "time,lat,lon\n2002-12-31 23:00,40.7,-74\n";
  for (int i = 0; i < 60; ++i) {
    content += fmt::format("2015-01-14 07:{:02},40.7,-74\n", i);
  }
  trace_options options;
  options.day = "2002-12-31";
  CHECK(read_content(content, options)->rows.size() == 1);
  // A night that begins with few is one night still.
  const auto night = read_content("time,lat,lon\n2015-01-13 23:59,40.7,-74\n" +
                                  content.substr(content.find("2015-01-14")));
  REQUIRE(night);
  CHECK(night->rows.size() == 61);
  CHECK(night->days.size() == 1);
}

}  // namespace
