// Goal: of requests from elsewhere it is told when rides begin and end, and where.
// Method: small files with the columns of public ones, of which everything is known.

#include "catch.hpp"
#include "has.hpp"
#include "scenario/request_text.hpp"

#include <string>

namespace dibs::scenario::test {

using dibs::test::has;

TEST_CASE("request files: who asks first waits, and rides from the pick-up on") {
  for (const auto& [time, from, to] :
       {std::tuple{"request_datetime", "pickup_datetime", "dropoff_datetime"},
        std::tuple{"created_date", "started_on", "completed_on"},
        std::tuple{"Requested Pickup Time", "Actual Pickup Time", "Actual Dropoff Time"}}) {
    for (const bool is_last : {false, true}) {
      INFO(time);
      const auto found =
          look_at(is_last ? forty(fmt::format("{},{},{},lat,lon", from, to, time),
                                  "07:{m:02}:10,08:{m:02}:10,06:{m:02}:10,40.7{d},-73.9{d}")
                          : forty(fmt::format("{},{},{},lat,lon", time, from, to),
                                  "06:{m:02}:10,07:{m:02}:10,08:{m:02}:10,40.7{d},-73.9{d}"));
      INFO((found ? "" : found.error().text));
      REQUIRE(found);
      CHECK(found->columns.time == time);
      CHECK(found->columns.from_time == from);
      CHECK(found->columns.to_time == to);
      CHECK(found->begins == 6h);
      CHECK(found->mean_trip == 1h);
    }
  }
}

TEST_CASE("request files: a trip ends by the clock by which it began") {
  const auto found = look_at(forty("StartDate,StartTime,EndDate,EndTime,lat,lon",
                                   "2019/06/01,07:{m:02},2019/06/0{d},08:{m:02},40.7{d},-73.9{d}"));
  INFO((found ? "" : found.error().text));
  REQUIRE(found);
  CHECK(found->columns.time == "StartTime");
  CHECK(found->columns.to_time == "EndTime");
  CHECK(found->mean_trip == 1h);
  const auto dated = look_at(
      forty("start_time,end_time,lat,lon", "2019-06-01 07:{m:02},07:{m:02},40.7{d},-73.9{d}"));
  REQUIRE(dated);
  CHECK(dated->columns.to_time == trace_columns{}.to_time);
  CHECK(has(dated->doubts[0], "not used, though named as a time or a length: end_time"));
}

TEST_CASE("request files: what lacks a length only is kept") {
  std::string rows = forty("requested_at,started_at,ended_at,lat,lon",
                           "07:{m:02},07:{m:02},08:{m:02},40.7{d},-73.9{d}");
  for (int i = 0; i < 20; ++i) {
    rows += "07:40,,,40.71,-73.91\n";
  }
  const auto found = look_at(rows);
  INFO((found ? "" : found.error().text));
  REQUIRE(found);
  CHECK(found->rows == 60);
  CHECK(found->mean_trip == 1h);
  REQUIRE_FALSE(found->doubts.empty());
  CHECK(has(found->doubts[0], "20 of 60 rows say not how long the trip took"));
}

TEST_CASE("request files: no drop-off is lost in silence") {
  const auto found = look_at(forty("time,lat,lon,doel_breedte,doel_lengte,fare",
                                   "07:{m:02},40.7{d},-73.9{d},40.72,-73.95,7"));
  REQUIRE(found);
  REQUIRE(found->doubts.size() == 1);
  CHECK(has(found->doubts[0],
            "no column was taken for the drop-off, so trips end where others begin; not used, "
            "though their values look like places: doel_breedte (40.72), doel_lengte (-73.95)"));
}

TEST_CASE("request files: the busiest hours begin with rides") {
  const auto night = look_at(forty("time,lat,lon", "00:{m:02},40.7{d},-73.9{d}"));
  REQUIRE(night);
  CHECK(night->begins == 0h);
  std::string day = "time,lat,lon\n";
  for (int hour = 0; hour < 24; ++hour) {
    day += fmt::format("{:02}:30,40.7,-73.9\n", hour);
  }
  CHECK(look_at(day)->begins == 0h);
  CHECK(look_at(day + "23:10,40.7,-73.9\n00:20,40.7,-73.9\n")->begins == 23h);
}

}  // namespace dibs::scenario::test
