// Goal: which column is what is told by what the rows say, and what looks like no requests is said.
// Method: small files like those of ride services and public ones, whose numbers are counted by
// hand.

#include "catch.hpp"
#include "has.hpp"
#include "scenario/request_columns.hpp"
#include "scenario/request_text.hpp"

#include <string>

namespace dibs::scenario::test {

using dibs::test::has;

namespace {

const std::string ends = ",pickup_latitude,pickup_longitude,dropoff_latitude,dropoff_longitude";
const std::string end_values = ",40.7{d},-73.9{d},40.7{d},-73.8{d}";

result<request_file> look_at_two(const std::string& rows, const std::string& zones) {
  const scratch folder;
  std::ofstream(folder / "r.csv") << rows;
  std::ofstream(folder / "zones.csv") << zones;
  return look_at_requests(folder / "r.csv", folder / "zones.csv");
}

std::string notes_of(const result<request_file>& found) {
  std::string all = found ? "" : found.error().text;
  if (found) {
    for (const std::string& each : found->doubts) {
      all += each + "\n";
    }
  }
  return all;
}

/// Nine zones, a hundredth of a degree apart from south to north: 1112 m.
std::string nine_zones() {
  std::string text = "zone,lat,lon\n";
  for (int i = 1; i <= 9; ++i) {
    text += fmt::format("{0},40.7{0},-73.95\n", i);
  }
  return text;
}

}  // namespace

TEST_CASE("request rows: a trip ends when it is completed, not when the driver is at the door") {
  for (const auto& [names, values, end] :
       {std::tuple{"requested_at,accepted_at,driver_arrived_at,started_at,completed_at",
                   "07:{m:02}:10,07:{m:02}:20,07:{m:02}:30,07:{m:02}:40,08:{m:02}:40",
                   "completed_at"},
        std::tuple{"requested_at,accepted_at,arrived_at,started_at,completed_at",
                   "07:{m:02}:10,07:{m:02}:20,07:{m:02}:30,07:{m:02}:40,08:{m:02}:40",
                   "completed_at"},
        std::tuple{"request_time,accept_time,arrive_time,pickup_time,finish_time",
                   "07:{m:02}:10,07:{m:02}:20,07:{m:02}:30,07:{m:02}:40,08:{m:02}:40",
                   "finish_time"},
        std::tuple{"order_time,assign_time,x,onboard_time,offboard_time",
                   "07:{m:02}:10,07:{m:02}:20,1,07:{m:02}:40,08:{m:02}:40",
                   "offboard_time"},
        std::tuple{"requested_at,accepted_at,x,picked_up_at,dropped_off_at",
                   "07:{m:02}:10,07:{m:02}:20,1,07:{m:02}:40,08:{m:02}:40",
                   "dropped_off_at"}}) {
    INFO(names);
    const auto found = look_at(forty(names + ends, values + end_values));
    INFO(notes_of(found));
    REQUIRE(found);
    CHECK(found->columns.to_time == end);
    CHECK(found->mean_trip == 1h);
  }
}

TEST_CASE("request rows: what lies before the beginning is no end") {
  const auto found = look_at(forty("requested_at,arrived_at,started_at" + ends,
                                   "07:{m:02}:10,07:{m:02}:30,07:{m:02}:40" + end_values));
  INFO(notes_of(found));
  REQUIRE(found);
  CHECK(found->columns.to_time == trace_columns{}.to_time);
  CHECK(has(notes_of(found),
            "arrived_at (07:00:30) lies before started_at (07:00:40) in 40 of 40 "
            "rows, so no trip ends there"));
  // A drop-off is named as one, so its rows are wrong.
  const auto wrong = look_at(forty("pickup_time,dropoff_time" + ends,
                                   "2015-01-14 07:{m:02}:10,2015-01-14 06:{m:02}:30" + end_values));
  REQUIRE_FALSE(wrong);
  CHECK(has(wrong.error().text, "dropoff_time: before pickup_time"));
}

TEST_CASE("request rows: trips of Didi take as long as normal_time says, in minutes") {
  std::string rows = forty("arrive_time,departure_time,normal_time,starting_lat,starting_lng",
                           "2017-05-17 00:{m:02}:50,2017-05-17 00:{m:02}:10,12,20.0{d},110.3{d}");
  rows += "0000-00-00 00:00:00,2017-05-17 00:01:42,18,20.04,110.33\n";
  const auto found = look_at(rows);
  INFO(notes_of(found));
  REQUIRE(found);
  CHECK(found->columns.time == "departure_time");
  CHECK(found->columns.trip == "normal_time");
  CHECK(found->columns.to_time == trace_columns{}.to_time);
  CHECK(found->rows == 41);
  // (40 * 12 + 18) / 41 minutes
  CHECK(in_seconds(found->mean_trip) == Approx(498.0 / 41 * 60));
}

TEST_CASE("request rows: a date of nothing is blank") {
  std::string rows = "requested_at,started_at,ended_at,lat,lon\n";
  for (int i = 0; i < 40; ++i) {
    rows +=
        fmt::format("2017-05-17 07:{0:02}:10,2017-05-17 07:{0:02}:20,{1},40.7{2},-73.9{2}\n",
                    i,
                    i % 4 == 0 ? "0000-00-00 00:00:00" : fmt::format("2017-05-17 08:{:02}:20", i),
                    i % 10);
  }
  const auto found = look_at(rows);
  INFO(notes_of(found));
  REQUIRE(found);
  CHECK(found->rows == 40);
  CHECK(found->mean_trip == 1h);
}

TEST_CASE("request rows: the rider's place comes before the driver's") {
  const auto found = look_at(forty("request_time,driver_lat,driver_lon,rider_lat,rider_lon",
                                   "07:{m:02},40.1{d},-73.1{d},40.7{d},-73.9{d}"));
  REQUIRE(found);
  CHECK(found->columns.lat == "rider_lat");
  CHECK(found->columns.lon == "rider_lon");
  const auto alone =
      look_at(forty("request_time,driver_lat,driver_lon", "07:{m:02},40.1{d},-73.1{d}"));
  REQUIRE(alone);
  CHECK(alone->columns.lat == "driver_lat");
  CHECK(has(notes_of(alone), "by its name driver_lat (40.10) is where a driver was"));
}

TEST_CASE("request rows: where one time is none of a request, the next one is tried") {
  const auto found = look_at(
      forty("record_booked_at,requested_at,started_at,completed_at" + ends,
            "2015-01-10 04:{m:02}:00,2015-01-14 06:{m:02}:00,2015-01-14 07:{m:02}:00,2015-01-14 "
            "08:{m:02}:00" +
                end_values));
  INFO(notes_of(found));
  REQUIRE(found);
  CHECK(found->columns.time == "requested_at");
  CHECK(found->columns.from_time == "started_at");
  CHECK(found->begins == 6h);
  CHECK(found->mean_trip == 1h);
  CHECK(has(notes_of(found),
            "lies more than a day from started_at (2015-01-14 07:00:00) in 40 of "
            "40 rows, so it is no time of a request: that is rather requested_at"));
}

TEST_CASE(
    "request rows: a ride that is planned begins then, and that it is booked before is said") {
  for (const char* name : {"scheduled_pickup", "scheduled_pickup_time"}) {
    INFO(name);
    const auto found = look_at(forty(
        fmt::format("booking_time,{},dropoff_time", name) + ends,
        "2015-01-14 05:{m:02}:00,2015-01-14 07:{m:02}:00,2015-01-14 07:{m:02}:50" + end_values));
    INFO(notes_of(found));
    REQUIRE(found);
    CHECK(found->columns.time == "booking_time");
    CHECK(found->columns.from_time == name);
    CHECK(found->mean_trip == 50s);
    CHECK(has(notes_of(found), "half of them 2h or more before " + std::string(name)));
    CHECK(has(notes_of(found), fmt::format("`columns: {{time: {}}}`", name)));
  }
}

TEST_CASE("request rows: what was cancelled took no trip") {
  for (const char* name :
       {"cancellations_time_in_seconds", "cancel_duration", "acceptance_seconds"}) {
    INFO(name);
    CHECK(fit_of(name, column_kind::duration, trip_end::from) == 0);
  }
}

TEST_CASE("request rows: positions of vehicles are no requests, which is said") {
  for (const bool has_motion : {true, false}) {
    std::string rows = has_motion ? "Taxi ID,Time,Longitude,Latitude,Speed,Occupancy Status\n"
                                  : "taxi_id,datetime,longitude,latitude\n";
    for (int taxi = 1; taxi <= 3; ++taxi) {
      for (int i = 0; i < 20; ++i) {
        // A thousandth of a degree to the north is 111 m.
        rows += fmt::format("{},07:{:02}:{:02},114.0,22.5{:02}{}\n",
                            taxi,
                            i / 2,
                            i % 2 * 30,
                            i,
                            has_motion ? ",30,1" : "");
      }
    }
    const auto found = look_at(rows);
    INFO(notes_of(found));
    REQUIRE(found);
    CHECK(has(notes_of(found), "look like positions of vehicles on their way: those of one"));
    CHECK(has(notes_of(found), "follow each other by 30s and "));
    CHECK(has(notes_of(found), "and there is Speed, Occupancy Status") == has_motion);
  }
  const auto rides = look_at(forty("vendor_id,time,lat,lon", "1,07:{m:02},40.7{d},-73.9{d}"));
  CHECK_FALSE(has(notes_of(rides), "positions"));
  const auto riders = look_at(forty("user_id,time,lat,lon", "{d},07:{m:02},40.7{d},-73.9{d}"));
  CHECK_FALSE(has(notes_of(riders), "positions"));
}

TEST_CASE("request rows: a length of seconds without a destination is doubted") {
  const auto found = look_at(forty("time,lat,lon,trip_time", "07:{m:02},40.7{d},-73.9{d},1{d}"));
  INFO(notes_of(found));
  REQUIRE(found);
  // 10 to 19, four times each
  CHECK(has(notes_of(found), "by column `trip_time` a trip takes 14 s on average"));
  const auto minutes =
      look_at(forty("time,lat,lon,trip_minutes", "07:{m:02},40.7{d},-73.9{d},1{d}"));
  CHECK_FALSE(has(notes_of(minutes), "on average: is it in seconds"));
}

TEST_CASE("request rows: rides from the middles of zones are spread over these") {
  std::string rows = "time,zone\n";
  for (int i = 0; i < 45; ++i) {
    rows += fmt::format("07:{:02},{}\n", i, i % 9 + 1);
  }
  const auto found = look_at_two(rows, nine_zones());
  INFO(notes_of(found));
  REQUIRE(found);
  CHECK(found->place_jitter_m == 560);
  CHECK(has(notes_of(found),
            "middles of 9 zones, as a rule 1112 m from the next: each is moved by "
            "up to 560 m"));
  CHECK(has(scenario_of(*found, "r.csv", "zones.csv", "mine"), "place: 560m"));
  const auto pairs = look_at_two("origin,destination,trips\n1,2,24\n3,5,48\n", nine_zones());
  REQUIRE(pairs);
  REQUIRE(pairs->matrix);
  // 1112 m, 1112 m, 1112 m and 2224 m
  CHECK(pairs->place_jitter_m == 560);
  CHECK(has(scenario_of(*pairs, "r.csv", "zones.csv", "mine"), "place: 560m"));
  const auto points = look_at(forty("time,lat,lon", "07:{m:02},40.7{d},-73.9{d}"));
  CHECK(points->place_jitter_m == 0);
}

TEST_CASE("request rows: two cities in one file are said") {
  std::string rows = "time,lat,lon\n";
  for (int i = 0; i < 40; ++i) {
    rows += fmt::format("07:{:02},{}\n", i, i % 4 == 0 ? "42.36,-71.06" : "40.75,-73.98");
  }
  const auto found = look_at(rows);
  INFO(notes_of(found));
  REQUIRE(found);
  CHECK(has(notes_of(found), "the map spans 181 km from north to south"));
  CHECK(has(notes_of(found),
            "10 of 40 places lie more than 100 km from the others, around 42.36, "
            "-71.06"));
}

TEST_CASE("request rows: zones that are not known are named, with how many rows have them") {
  std::string rows = "origin,destination,trips\n";
  for (int i = 0; i < 30; ++i) {
    rows += fmt::format("{},{},{}\n", i % 3 == 0 ? 999 : i % 9 + 1, i / 9 + 1, i + 5);
  }
  const auto found = look_at_two(rows, nine_zones());
  REQUIRE_FALSE(found);
  CHECK(has(found.error().text, "10 of 30 rows name a zone in origin that "));
  CHECK(has(found.error().text, "does not have, as 999: add their middles"));
}

TEST_CASE("request rows: a zone that stands twice with other middles is said") {
  std::string rows = "time,zone\n";
  for (int i = 0; i < 45; ++i) {
    rows += fmt::format("07:{:02},{}\n", i, i % 9 + 1);
  }
  const auto found = look_at_two(rows, nine_zones() + "4,41.4,-73.95\n5,40.75,-73.95\n");
  INFO(notes_of(found));
  REQUIRE(found);
  CHECK(has(notes_of(found),
            "one zone stands twice in zones.csv with middles that differ, and the "
            "first counts: 4"));
}

TEST_CASE("request rows: a title above the names is told") {
  const auto found = look_at(
      "Taxi trips January 2015,,,,\n,,,,\nrequest_time,lat,lon,to_lat,to_lon\n"
      "07:00,40.7,-73.9,40.8,-73.8\n07:01,40.7,-73.9,40.8,-73.8\n");
  REQUIRE_FALSE(found);
  CHECK(has(found.error().text, "the names seem to stand in line 3"));
  const auto nameless = look_at("Taxi trips January 2015,,,,\n,,,,\n07:00,40.7,-73.9,40.8,-73.8\n");
  REQUIRE_FALSE(nameless);
  CHECK(has(nameless.error().text, "looks like a title, not like names, for 4 of its 5 fields"));
}

TEST_CASE("request rows: rows that stand twice with one id are counted") {
  const std::string rows = forty("id,time,lat,lon", "{m},07:{m:02},40.7{d},-73.9{d}");
  const auto twice = look_at(rows + rows.substr(rows.find('\n') + 1));
  INFO(notes_of(twice));
  REQUIRE(twice);
  CHECK(has(notes_of(twice), "40 of 80 rows are there before, with the same id"));
  CHECK_FALSE(has(notes_of(look_at(rows)), "are there before"));
  const auto alike = look_at(forty("vendor_id,time,lat,lon", "1,07:0{d},40.7{d},-73.9{d}"));
  CHECK_FALSE(has(notes_of(alike), "are there before"));
}

TEST_CASE("request rows: why a place is not understood is said") {
  CHECK(has(notes_of(look_at(forty("time,pickup_location",
                                   "07:{m:02},\"{{\"\"type\"\":\"\"Point\"\",\"\"coordinates\"\":"
                                   "[-74.0{d},40.7]}}\""))),
            "holds GeoJSON"));
  CHECK(has(
      notes_of(look_at(forty("time,pickup_location", "07:{m:02},POINT (-823874{d}.7 4971102.6)"))),
      "are no degrees, but look like metres of a projection"));
  CHECK(has(notes_of(look_at(forty("time,lat,lon", "07:{m:02},\"40,68857{d}\",\"-73,9632{d}\""))),
            "has a comma before its decimals"));
  CHECK(has(notes_of(look_at(forty("Pickup Time,lat,lon", "0.0{m:02}1,40.7{d},-73.9{d}"))),
            "are below 1, as parts of a day"));
}

TEST_CASE("request rows: pairs at full hours with a number that has fractions look like counts") {
  std::string rows = "time,o_lat,o_lon,d_lat,d_lon,estimate\n";
  for (int pair = 0; pair < 10; ++pair) {
    for (int hour = 7; hour < 10; ++hour) {
      rows += fmt::format("{0:02}:00,40.7{1},-73.9{1},40.8{1},-73.8{1},2.7{1}\n", hour, pair);
    }
  }
  const auto found = look_at(rows);
  INFO(notes_of(found));
  REQUIRE(found);
  CHECK_FALSE(found->matrix);
  CHECK(has(notes_of(found),
            "10 pairs of places are there 30 times, at full periods, and estimate "
            "(2.70) has fractions"));
}

TEST_CASE("request rows: a time of a trace may be minutes by its name") {
  for (const char* name : {"minute_of_day", "dep_min", "start_minute"}) {
    INFO(name);
    const auto found =
        look_at(forty(fmt::format("{},lat,lon", name), "42{d}.{m},40.7{d},-73.9{d}"));
    INFO(notes_of(found));
    REQUIRE(found);
    CHECK(found->columns.time == name);
    CHECK(found->begins == 7h);
  }
}

TEST_CASE("request rows: names may be German or Dutch") {
  const auto german =
      look_at(forty("Abfahrtszeit;Breitengrad;Längengrad", "14.01.2015 07:{m:02};48,1{d};11,5{d}"));
  INFO(notes_of(german));
  REQUIRE(german);
  CHECK(german->columns.time == "Abfahrtszeit");
  const auto dutch = look_at(forty("vertrektijd;breedtegraad;lengtegraad;aankomsttijd",
                                   "07:{m:02};52.1{d};4.5{d};08:{m:02}"));
  INFO(notes_of(dutch));
  REQUIRE(dutch);
  CHECK(dutch->columns.time == "vertrektijd");
  CHECK(dutch->columns.to_time == "aankomsttijd");
  for (const char* names : {"von;nach;Fahrten", "van;naar;ritten", "desde;hasta;demanda"}) {
    INFO(names);
    const auto pairs = look_at_two(std::string(names) + "\n1;2;24\n3;5;48\n", nine_zones());
    INFO(notes_of(pairs));
    REQUIRE(pairs);
    REQUIRE(pairs->matrix);
    CHECK(pairs->rides_per_hour == Approx(3));
  }
}

}  // namespace dibs::scenario::test
