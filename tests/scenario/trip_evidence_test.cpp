// Goal: a file of trips is told from one of counts, whatever number stands beside its places.
// Method: headers and rows as public files have them, of which it is known what they are.

#include "catch.hpp"
#include "has.hpp"
#include "scenario/request_file.hpp"
#include "scenario/scratch.hpp"

#include <fmt/format.h>

#include <fstream>
#include <string>

namespace dibs::scenario::test {

using dibs::test::has;

namespace {

result<request_file> look_with_zones(const std::string& rows, bool has_zones = true) {
  const scratch folder;
  std::ofstream(folder / "r.csv") << rows;
  std::string zones = "zone_id,lat,lon\n";
  for (int i = 1; i <= 40; ++i) {
    zones += fmt::format("{0},40.{0:02},-73.{0:02}\n", i);
  }
  std::ofstream(folder / "zones.csv") << zones;
  return has_zones ? look_at_requests(folder / "r.csv", folder / "zones.csv")
                   : look_at_requests(folder / "r.csv");
}

/// 60 rows: `{i}` counts them, `{q}` is a multiple of five minutes, `{n}` goes from 1 to 3.
std::string sixty(const std::string& first_line, const std::string& row) {
  std::string all = first_line + "\n";
  for (int i = 0; i < 60; ++i) {
    all += fmt::format(fmt::runtime(row),
                       fmt::arg("i", i),
                       fmt::arg("q", i / 6 * 5),
                       fmt::arg("h", i % 24),
                       fmt::arg("n", i % 3 + 1),
                       fmt::arg("z", i % 40 + 1)) +
           "\n";
  }
  return all;
}

std::string doubts_of(const request_file& found) {
  std::string all;
  for (const std::string& each : found.doubts) {
    all += each + "\n";
  }
  return all;
}

}  // namespace

TEST_CASE("trips or counts: a small number beside a trip does not make it a count") {
  for (const char* name : {"Trips Pooled",
                           "count",
                           "orders",
                           "value",
                           "party_count",
                           "seat_count",
                           "n_passengers",
                           "trips"}) {
    for (const char* time : {"2015-01-15 07:{q:02}:00", "2015-01-15 07:00:{i:02}"}) {
      INFO(name << ' ' << time);
      const auto found = look_with_zones(
          sixty(fmt::format("pickup_time,o_lat,o_lon,d_lat,d_lon,{}", name),
                std::string(time) + ",40.1{i:02},-73.1{i:02},40.2{i:02},-73.2{i:02},{n}"),
          false);
      INFO((found ? "" : found.error().text));
      REQUIRE(found);
      CHECK_FALSE(found->matrix);
      CHECK(found->columns.time == "pickup_time");
      CHECK(found->rows == 60);
    }
  }
}

TEST_CASE("trips or counts: the trips of Chicago, rounded to quarters and to areas, are trips") {
  const auto found = look_with_zones(
      sixty("Trip ID,Trip Start Timestamp,Trip End Timestamp,Trip Seconds,Fare,Trips Pooled,"
            "Pickup Centroid Latitude,Pickup Centroid Longitude,Dropoff Centroid Latitude,"
            "Dropoff Centroid Longitude",
            "t{i},01/15/2015 07:{q:02}:00 AM,01/15/2015 08:{q:02}:00 "
            "AM,600,10,{n},41.8{n},-87.6,41.88,-87.63"),
      false);
  INFO((found ? "" : found.error().text));
  REQUIRE(found);
  CHECK_FALSE(found->matrix);
  CHECK(found->columns.time == "Trip Start Timestamp");
  CHECK(found->columns.trip == "Trip Seconds");
  CHECK(found->mean_trip == 600s);
  CHECK(has(doubts_of(*found), "the times are rounded to 5min"));
}

TEST_CASE("trips or counts: what speaks for the other is said, and how to say it") {
  const auto trips =
      look_with_zones(sixty("pickup_time,o_lat,o_lon,d_lat,d_lon,orders",
                            "07:00:{i:02},40.1{i:02},-73.1{i:02},40.2{i:02},-73.2{i:02},1"),
                      false);
  REQUIRE(trips);
  CHECK(has(doubts_of(*trips), "taken for trips, a row each, since pickup_time has instants"));
  CHECK(has(doubts_of(*trips), "though orders counts rides by its name"));
  CHECK(has(doubts_of(*trips), "write `kind: matrix` with `columns: {rides: orders}`"));
  const auto counts = look_with_zones(sixty("pickup_datetime,PULocationID,DOLocationID,trips",
                                            "2024-05-06 {h:02}:00:00,{z},2,2.5"));
  INFO((counts ? "" : counts.error().text));
  REQUIRE(counts);
  REQUIRE(counts->matrix);
  CHECK(has(doubts_of(*counts), "taken for counts of rides, since trips counts rides by its name"));
  CHECK(has(doubts_of(*counts), "though pickup_datetime is when somebody rode"));
  CHECK(has(doubts_of(*counts), "`kind: trace`"));
}

TEST_CASE("trips or counts: the day and the hour of a count may stand in two columns") {
  for (const auto& [first_line, time, day] :
       {std::tuple{"date|origin|destination|hour|trips", "hour", "date"},
        std::tuple{"date|origin|destination|period|trips", "period", "date"},
        std::tuple{"fecha|origen|destino|periodo|viajes", "periodo", "fecha"},
        std::tuple{"day|from_zone|to_zone|hour|rides", "hour", "day"}}) {
    INFO(first_line);
    std::string rows = std::string(first_line) + "\n";
    for (const char* date : {"20220314", "20220315"}) {
      for (int hour = 0; hour < 24; ++hour) {
        rows += fmt::format("{}|1|2|{:02}|{}\n", date, hour, hour == 8 ? 30.5 : 4.0);
      }
    }
    const auto found = look_with_zones(rows);
    INFO((found ? "" : found.error().text));
    REQUIRE(found);
    REQUIRE(found->matrix);
    CHECK(found->matrix->columns.time == time);
    CHECK(found->matrix->columns.date == day);
    CHECK(found->days == 2);
    CHECK(found->begins == 7h);
    CHECK(found->rides_per_hour == Approx(34.5 / 2));
    CHECK(has(doubts_of(*found), "of 2 days the mean is taken"));
  }
}

TEST_CASE("trips or counts: counts without destinations are neither, and are refused") {
  for (const char* first_line : {"time,zone_id,trip_count", "pickup_hour,PULocationID,pickups"}) {
    INFO(first_line);
    const auto found = look_with_zones(sixty(first_line, "2024-05-06 {h:02}:00:00,{z},{n}"));
    REQUIRE_FALSE(found);
    CHECK(found.error().code == exit_code::invalid_input);
    CHECK(has(found.error().text, "counts rides where they begin"));
    CHECK(has(found.error().text, "`origin,destination,hour,trips`"));
  }
  const scratch folder;
  std::ofstream(folder / "r.csv") << sixty("ts,h3_08,demand",
                                           "2024-05-06T{h:02}:00:00-07:00,8a2a1072b59ffff,12");
  const auto cells = look_at_requests(folder / "r.csv");
  REQUIRE_FALSE(cells);
  CHECK(has(cells.error().text, "column demand counts rides where they begin"));
}

TEST_CASE("trips or counts: periods in words are named, with what to write") {
  const auto found =
      look_with_zones("origin,destination,period,trips\n1,2,AM,24\n1,2,MD,49\n2,1,AM,13\n");
  REQUIRE_FALSE(found);
  CHECK(has(found.error().text, "column period names periods in words (AM, MD)"));
  CHECK(has(found.error().text, "07:00,09:30"));
}

TEST_CASE("trips or counts: jobs by where people live and work are counts") {
  const auto found = look_with_zones("w_geocode,h_geocode,S000,SA01\n1,2,3,1\n3,2,5,1\n");
  INFO((found ? "" : found.error().text));
  REQUIRE(found);
  REQUIRE(found->matrix);
  CHECK(found->matrix->columns.lat == "h_geocode");
  CHECK(found->matrix->columns.to_lat == "w_geocode");
  CHECK(found->matrix->columns.rides == "S000");
}

}  // namespace dibs::scenario::test
