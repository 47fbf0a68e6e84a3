// Goal: what times and lengths tell beside their columns' names is seen, and said.
// Method: small files of which everything is known.

#include "catch.hpp"
#include "has.hpp"
#include "scenario/request_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace dibs::scenario::test {

using dibs::test::has;

namespace {

std::string told(const result<request_file>& found, const std::string& word) {
  INFO((found ? "" : found.error().text));
  REQUIRE(found);
  const auto at =
      std::ranges::find_if(found->doubts, [&](const auto& each) { return has(each, word); });
  return at == found->doubts.end() ? "" : *at;
}

}  // namespace

TEST_CASE("time evidence: lengths in minutes are told by the means of rounded times") {
  // 10 to 24 minutes long; both times are cut to 15.
  std::string text = "StartTime,EndTime,TripDuration,lat,lon\n";
  for (int i = 0; i < 60; ++i) {
    const int length = 10 + i % 15;
    const int end = (i + length) / 15 * 15;
    text += fmt::format("2019-08-09 {:02}:{:02},2019-08-09 {:02}:{:02},{},52.5{},13.4\n",
                        7 + i / 60,
                        i / 15 * 15,
                        7 + end / 60,
                        end % 60,
                        length,
                        i % 10);
  }
  const auto found = look_at(text);
  CHECK(has(told(found, "counts minutes"), "as the two times say by their mean over 60 rows"));
  CHECK(found->columns.trip == "trip");
  CHECK(found->columns.to_time == "EndTime");
}

TEST_CASE("time evidence: where all trips take hours that is said too") {
  const auto found = look_at(forty("time,trip_seconds,lat,lon", "07:{m:02},30255,52.5{d},13.4"));
  CHECK(has(told(found, "6 hours or longer"), "40 of 40 trips of the busiest hours take"));
}

TEST_CASE("time evidence: one instant for all is no step of rounding") {
  const auto found = look_at(forty("time,lat,lon", "2015-01-14 07:30:00,52.5{d},13.4{m:02}"));
  CHECK(!told(found, "one and the same time of day").empty());
  CHECK(told(found, "rounded").empty());
  CHECK(found->time_jitter == 0s);
}

TEST_CASE("time evidence: a shift of the clock moves the busiest hours") {
  const auto found = look_at(forty("time,lat,lon", "2015-01-14T12:{m:02}:00Z,52.5{d},13.4"));
  CHECK(has(told(found, "`shift: 1h`"), "`clock.start`, then move as much, from 12:00 to 13:00"));
  const auto west = look_at(forty("time,lat,lon", "2015-01-14T02:{m:02}:00Z,40.7{d},-73.9"));
  CHECK(has(told(west, "`shift: -5h`"), "from 02:00 to 21:00"));
}

TEST_CASE("time evidence: a date and a time of day are joined") {
  std::string text = "Fecha_Retiro,Hora_Retiro,Fecha_Arribo,Hora_Arribo,lat,lon\n";
  for (int i = 0; i < 40; ++i) {
    const int day = 14 + i % 2;
    text += fmt::format("{0}/01/2015,08:{1:02}:30,{0}/01/2015,08:{2:02}:30,19.4{3},-99.1\n",
                        day,
                        i,
                        i + 10,
                        i % 10);
  }
  const auto found = look_at(text);
  REQUIRE(found);
  CHECK(found->columns.date == "Fecha_Retiro");
  CHECK(found->columns.time == "Hora_Retiro");
  CHECK(found->days == 2);
  CHECK(found->mean_trip == 10min);
  CHECK(found->begins == 8h);
  CHECK(has(scenario_of(*found, "r.csv", "", "mine"), "date: Fecha_Retiro"));
  const auto digits =
      look_at(forty("request_date,request_time,lat,lon", "2015011{d},08{m:02}30,52.5{d},13.4"));
  REQUIRE(digits);
  CHECK(digits->columns.date == "request_date");
  CHECK(digits->columns.time == "request_time");
  CHECK(digits->begins == 8h);
  CHECK(digits->days == 10);
}

TEST_CASE("time evidence: each hour is divided by the days that have it") {
  // From 18:00 to 18:59 on two days, 40 each; from 7:00 to 7:59 on the second, 60.
  std::string text = "time,lat,lon\n";
  for (int i = 0; i < 40; ++i) {
    text += fmt::format(
        "2015-01-14 18:{0:02}:07,52.5{1},13.4\n2015-01-15 18:{0:02}:09,52.5{1},13.4\n", i, i % 10);
  }
  for (int i = 0; i < 60; ++i) {
    text += fmt::format("2015-01-15 07:{:02}:05,52.5{},13.4\n", i, i % 10);
  }
  const auto found = look_at(text);
  REQUIRE(found);
  CHECK(found->begins == 7h);
  CHECK(found->rides_per_hour == Approx(60));
  CHECK(has(told(found, "the file has"), "whole, for `demand.*.day`: 2015-01-15"));
}

}  // namespace dibs::scenario::test
