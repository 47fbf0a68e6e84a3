// Goal: files of requests are understood as the programs write them that people have.
// Method: columns by names of real files, and small files of which everything is known.

#include "scenario/request_file.hpp"

#include "catch.hpp"
#include "has.hpp"
#include "scenario/read.hpp"
#include "scenario/request_columns.hpp"
#include "scenario/request_text.hpp"
#include "scenario/scratch.hpp"
#include "scenario/texts.hpp"
#include "world/trace.hpp"

#include <fmt/format.h>

#include <fstream>
#include <string>
#include <vector>

namespace dibs::scenario::test {

using dibs::test::has;

namespace {

/// The name that fits best.
std::string best(const std::vector<std::string>& names, column_kind kind, trip_end end) {
  std::string found;
  int most = 0;
  for (const std::string& name : names) {
    if (const int fit = fit_of(name, kind, end); fit > most) {
      most = fit;
      found = name;
    }
  }
  return found;
}

/// time, lat, lon, to_lat, to_lon, trip, to_time.
std::vector<std::string> all_best(const std::vector<std::string>& names) {
  return {best(names, column_kind::time, trip_end::from),
          best(names, column_kind::latitude, trip_end::from),
          best(names, column_kind::longitude, trip_end::from),
          best(names, column_kind::latitude, trip_end::to),
          best(names, column_kind::longitude, trip_end::to),
          best(names, column_kind::duration, trip_end::from),
          best(names, column_kind::time, trip_end::to)};
}

std::string all_doubts(const request_file& found) {
  return fmt::format("{}", fmt::join(found.doubts, "\n"));
}

using names = std::vector<std::string>;

const std::string taxi_header = "pickup_datetime,dropoff_datetime,pickup_longitude,pickup_latitude";
const std::string taxi_row = "2015-01-15 07:{m:02}:00,2015-01-15 07:{m:02}:50,-73.9{d},40.7{d}";

}  // namespace

TEST_CASE("request files: columns are told by their names") {
  CHECK(all_best({"VendorID",
                  "tpep_pickup_datetime",
                  "tpep_dropoff_datetime",
                  "trip_distance",
                  "pickup_longitude",
                  "pickup_latitude",
                  "store_and_fwd_flag",
                  "dropoff_longitude",
                  "dropoff_latitude",
                  "fare_amount"}) == names{"tpep_pickup_datetime",
                                           "pickup_latitude",
                                           "pickup_longitude",
                                           "dropoff_latitude",
                                           "dropoff_longitude",
                                           "",
                                           "tpep_dropoff_datetime"});
  CHECK(all_best({"Trip ID",
                  "Trip Start Timestamp",
                  "Trip End Timestamp",
                  "Trip Seconds",
                  "Trip Miles",
                  "Fare",
                  "Trip Total",
                  "Pickup Centroid Latitude",
                  "Pickup Centroid Longitude",
                  "Dropoff Centroid Latitude",
                  "Dropoff Centroid Longitude"}) == names{"Trip Start Timestamp",
                                                          "Pickup Centroid Latitude",
                                                          "Pickup Centroid Longitude",
                                                          "Dropoff Centroid Latitude",
                                                          "Dropoff Centroid Longitude",
                                                          "Trip Seconds",
                                                          "Trip End Timestamp"});
  CHECK(all_best({"request_id", "o_lat", "o_lon", "d_lat", "d_lon", "departure_time"}) ==
        names{"departure_time", "o_lat", "o_lon", "d_lat", "d_lon", "", ""});
  CHECK(all_best({"pickup_s", "pu_lat", "pu_lon", "do_lat", "do_lon", "duration_s"}) ==
        names{"pickup_s", "pu_lat", "pu_lon", "do_lat", "do_lon", "duration_s", ""});
  CHECK(all_best({"started_at", "ended_at", "startLat", "startLng", "endLat", "endLng"}) ==
        names{"started_at", "startLat", "startLng", "endLat", "endLng", "", "ended_at"});
  CHECK(all_best({"tripduration",
                  "starttime",
                  "stoptime",
                  "start station id",
                  "start station latitude",
                  "start station longitude",
                  "end station latitude",
                  "end station longitude",
                  "birth year"}) == names{"starttime",
                                          "start station latitude",
                                          "start station longitude",
                                          "end station latitude",
                                          "end station longitude",
                                          "tripduration",
                                          "stoptime"});
  CHECK(all_best({"completed_on", "end_location_lat", "end_location_long", "started_on"}) ==
        names{"started_on", "", "", "end_location_lat", "end_location_long", "", "completed_on"});
  CHECK(all_best({"start time", "stop time", "lat", "lon", "stop_lat", "Duration (min)"}) ==
        names{"start time", "lat", "lon", "", "", "Duration (min)", "stop time"});
  CHECK(all_best({"Departure", "Return", "Departure station id", "Duration (sec.)"}) ==
        names{"Departure", "", "", "", "", "Duration (sec.)", "Return"});
  CHECK(all_best({"created_at_ms", "completed_at", "origin_lat", "tripduration_ms"}) ==
        names{"created_at_ms", "origin_lat", "", "", "", "tripduration_ms", "completed_at"});
  CHECK(best({"Fahrtdauer (min)"}, column_kind::duration, trip_end::from) != "");
  CHECK(best({"trip_minutes"}, column_kind::duration, trip_end::from) != "");
  CHECK(best({"travel_time"}, column_kind::duration, trip_end::from) != "");
  CHECK(best({"travel_time"}, column_kind::time, trip_end::from) == "");
  CHECK(all_best({"time", "lat", "lon", "to_lat", "to_lon", "trip"}) ==
        names{"time", "lat", "lon", "to_lat", "to_lon", "trip", ""});
}

TEST_CASE("request files: names may be glued together, or Spanish") {
  CHECK(all_best({"order_id",
                  "ride_start_timestamp",
                  "ride_stop_timestamp",
                  "order_start_lng",
                  "order_start_lat",
                  "order_finish_lng",
                  "order_finish_lat"}) == names{"ride_start_timestamp",
                                                "order_start_lat",
                                                "order_start_lng",
                                                "order_finish_lat",
                                                "order_finish_lng",
                                                "",
                                                "ride_stop_timestamp"});
  CHECK(all_best({"STARTSTATIONLATITUDE",
                  "STARTSTATIONLONGITUDE",
                  "ENDSTATIONLATITUDE",
                  "ENDSTATIONLONGITUDE",
                  "STARTTIMEMS",
                  "ENDTIMEMS"}) == names{"STARTTIMEMS",
                                         "STARTSTATIONLATITUDE",
                                         "STARTSTATIONLONGITUDE",
                                         "ENDSTATIONLATITUDE",
                                         "ENDSTATIONLONGITUDE",
                                         "",
                                         "ENDTIMEMS"});
  CHECK(all_best({"tabblk2020", "blklatdd", "blklondd", "pickups"}) ==
        names{"", "blklatdd", "blklondd", "", "", "", ""});
  CHECK(best({"Hora_Retiro", "Fecha Arribo"}, column_kind::time, trip_end::to) == "Fecha Arribo");
  CHECK(best({"Ciclo_Estacion_Retiro"}, column_kind::place, trip_end::from) != "");
  CHECK(best({"Ciclo_EstacionArribo"}, column_kind::place, trip_end::to) != "");
  CHECK(best({"pickups"}, column_kind::time, trip_end::from) == "");
}

TEST_CASE("request files: hours, places and trips are found") {
  const auto found = look_at(forty(taxi_header, taxi_row));
  REQUIRE(found);
  CHECK(found->columns.time == "pickup_datetime");
  CHECK(found->columns.to_time == "dropoff_datetime");
  CHECK(found->columns.trip == "trip");
  CHECK(found->rows == 40);
  CHECK(found->days == 1);
  CHECK(found->begins == 7h);
  CHECK(found->lasts == 40min);
  CHECK(found->rides_per_hour == Approx(60));
  CHECK(found->mean_trip == 50s);
  CHECK(found->bounds.south == Approx(40.69));
  CHECK(found->bounds.north == Approx(40.80));
  CHECK(found->bounds.west == Approx(-74.00));
  CHECK(found->bounds.east == Approx(-73.89));
  CHECK(found->doubts.empty());
}

TEST_CASE("request files: places may be WKT points, or zones whose middles another file has") {
  const auto points = look_at(forty("Trip Start Timestamp,Trip Seconds,Pickup Centroid Location",
                                    "01/15/2015 07:{m:02}:00 AM,360,POINT (-73.97 40.76)"));
  INFO((points ? "" : points.error().text));
  REQUIRE(points);
  CHECK(points->columns.lat == "Pickup Centroid Location");
  CHECK(points->columns.lon == "Pickup Centroid Location");
  CHECK(points->columns.to_lat == trace_columns{}.to_lat);
  CHECK(points->rows == 40);
  const scratch folder;
  std::ofstream(folder / "r.csv") << forty(
      "tpep_pickup_datetime,tpep_dropoff_datetime,PULocationID,DOLocationID",
      "2019-01-15 07:{m:02}:00,2019-01-15 08:00:00,132,48.0");
  std::ofstream(folder / "zones.csv") << "OBJECTID,LocationID,zone,latitude,longitude\n"
                                         "1,132,JFK,40.65,-73.79\n2,48,Clinton,40.76,-73.99\n";
  const auto zoned = look_at_requests(folder / "r.csv", folder / "zones.csv");
  INFO((zoned ? "" : zoned.error().text));
  REQUIRE(zoned);
  CHECK(zoned->columns.lat == "PULocationID");
  CHECK(zoned->columns.to_lon == "DOLocationID");
  CHECK(zoned->zones->id == "LocationID");
  const reading read =
      read_text(scenario_of(*zoned, "r.csv", "zones.csv", "mine"), "mine.yaml", folder.path());
  INFO(all_of(read));
  REQUIRE(read.ok());
  REQUIRE(read.value.rows.size() == 1);
  CHECK(read.value.rows[0].rows->rows.size() == 40);
  CHECK_FALSE(look_at_requests(folder / "r.csv"));
  std::ofstream(folder / "others.csv") << "id,lat,lon\n900,40.65,-73.79\n";
  const auto others = look_at_requests(folder / "r.csv", folder / "others.csv");
  REQUIRE_FALSE(others);
  CHECK(has(others.error().text, "holds the ids of zones that the requests name"));
}

TEST_CASE("request files: cells of H3 need no file with their middles") {
  for (const char* name : {"h3",
                           "pickup_h3",
                           "origin_hex",
                           "start_h3_cell",
                           "h3Index",
                           "originHexId",
                           "pickuph3",
                           "hex_id",
                           "origin"}) {
    INFO(name);
    const auto found =
        look_at(forty(std::string("time,fare,") + name, "07:{m:02}:00,12,8a2a1072b59ffff"));
    INFO((found ? "" : found.error().text));
    REQUIRE(found);
    CHECK(found->columns.lat == name);
    CHECK(found->rows == 40);
    CHECK(found->bounds.south == Approx(40.67));
    CHECK(found->bounds.west == Approx(-74.06));
  }
  const auto some = look_at(forty("time,h3", "07:{m:02}:00,8a2a1072b59ffff") + "08:00,nowhere\n");
  REQUIRE(some);
  REQUIRE(some->doubts.size() == 2);
  CHECK(has(some->doubts[0], "1 row left out"));
  CHECK(has(some->doubts[0], "line 42: h3: expected a WKT point"));
  CHECK(has(some->doubts[0], "found 'nowhere'"));
  CHECK(has(some->doubts[1], "40 of 40 requests begin at one and the same place"));
}

TEST_CASE("request files: times on a step of a quarter of an hour are spread over it") {
  std::string rows = "time,lat,lon\n";
  for (int i = 0; i < 160; ++i) {
    rows += fmt::format("{:02}:{:02}:00,40.7{},-73.9{}\n", 17 + i / 80, 15 * (i / 20 % 4), i, i);
  }
  const auto found = look_at(rows);
  REQUIRE(found);
  CHECK(found->time_jitter == 7min + 30s);
  CHECK(found->lasts == 2h);
  CHECK(found->rides_per_hour == Approx(80));
  CHECK(has(all_doubts(*found), "the times are rounded to 15min"));
  CHECK(has(scenario_of(*found, "r.csv", "", "mine"), "time: 450s"));
  // By the minute, and nobody at the same time as another.
  CHECK(look_at(forty("time,lat,lon", "07:{m:02}:00,40.7{d},-73.9{d}"))->time_jitter == 0s);
}

TEST_CASE("request files: a length beside two times is in the unit that these say") {
  std::string minutes = "start_time,end_time,duration,lat,lon\n";
  std::string seconds = minutes;
  for (int i = 0; i < 40; ++i) {
    const std::string times = fmt::format("07:{0:02}:00,07:{1:02}:10", i % 30, i % 30 + 5 + i % 7);
    minutes += fmt::format("{},{},40.7{},-73.9{}\n", times, 5 + i % 7, i, i);
    seconds += fmt::format("{},{},40.7{},-73.9{}\n", times, 60 * (5 + i % 7) + 10, i, i);
  }
  const auto found = look_at(minutes);
  REQUIRE(found);
  CHECK(in_seconds(found->mean_trip) == Approx(8 * 60).margin(30));
  CHECK(has(all_doubts(*found), "duration (5) counts minutes, as the two times say in 40 of 40"));
  CHECK(found->columns.trip == "trip");
  const auto right = look_at(seconds);
  REQUIRE(right);
  CHECK(right->columns.trip == "duration");
  CHECK(right->mean_trip == found->mean_trip);
}

TEST_CASE("request files: what takes time and is no trip is none, nor what was planned a start") {
  for (const char* name : {"wait_sec",
                           "waiting_duration",
                           "eta_seconds",
                           "response_time_sec",
                           "pickup_duration",
                           "driver_arrival_time_sec",
                           "trip_wait_seconds"}) {
    INFO(name);
    CHECK(fit_of(name, column_kind::duration, trip_end::from) == 0);
  }
  for (const char* name : {"Trip Seconds",
                           "trip_duration",
                           "ride_duration_sec",
                           "duration",
                           "pickup_to_dropoff_seconds"}) {
    INFO(name);
    CHECK(fit_of(name, column_kind::duration, trip_end::from) > 0);
  }
  CHECK(best({"scheduled_pickup_time", "actual_pickup_time"}, column_kind::start, trip_end::from) ==
        "actual_pickup_time");
  CHECK(best({"scheduled_pickup_time", "fare"}, column_kind::start, trip_end::from) ==
        "scheduled_pickup_time");
}

TEST_CASE("request files: a row that was stored years after its ride is no request of that time") {
  const auto found = look_at(forty(
      "created_at,start_time,end_time,lat,lon",
      "2024-03-01 04:00:{m:02},2019-05-01 07:{m:02}:00,2019-05-01 08:{m:02}:00,40.7{d},-73.9{d}"));
  INFO((found ? "" : found.error().text));
  REQUIRE(found);
  CHECK(found->columns.time == "start_time");
  CHECK(found->begins == 7h);
  CHECK(has(all_doubts(*found), "created_at"));
  CHECK(has(all_doubts(*found), "lies more than a day from"));
}

TEST_CASE("request files: meters that nobody ended do not count for how long trips are") {
  std::string rows = "time,lat,lon,duration\n";
  for (int i = 0; i < 100; ++i) {
    rows += fmt::format(
        "07:{:02}:{:02},40.7{},-73.9{},{}\n", i % 60, i % 59, i, i, i % 50 == 0 ? 86390 : 600);
  }
  const auto found = look_at(rows);
  REQUIRE(found);
  CHECK(found->mean_trip == 10min);
  CHECK(has(all_doubts(*found),
            "2 trips of the busiest hours are 6 hours or longer, at most 24.0 h"));
}

TEST_CASE("request files: the mean of many days with hardly a ride is said") {
  std::string rows = "time,lat,lon\n";
  for (int i = 0; i < 60; ++i) {
    rows += fmt::format("2019-{:02}-{:02} {:02}:{:02}:10,40.7{},-73.9{}\n",
                        1 + i / 28,
                        1 + i % 28,
                        i % 24,
                        i,
                        i,
                        i);
  }
  const auto found = look_at(rows);
  REQUIRE(found);
  CHECK(has(all_doubts(*found), "the mean of 60 days has"));
}

TEST_CASE("request files: minutes and seconds without their hour are refused as such") {
  const auto found = look_at(forty("pickup_datetime,lat,lon", "{m:02}:12.0,40.7{d},-73.9{d}"));
  REQUIRE_FALSE(found);
  CHECK(has(found.error().text, "is minutes and seconds, as a spreadsheet shows a time"));
}

TEST_CASE("request files: a file of middles wins over what a cell says of itself") {
  const scratch folder;
  std::ofstream(folder / "r.csv") << forty("time,origin_h3", "07:{m:02}:00,8a2a1072b59ffff");
  std::ofstream(folder / "z.csv") << "cell,lat,lon\n8a2a1072b59ffff,51.5,0.1\n";
  const auto found = look_at_requests(folder / "r.csv", folder / "z.csv");
  INFO((found ? "" : found.error().text));
  REQUIRE(found);
  CHECK(found->bounds.south == Approx(51.49));
}

TEST_CASE("request files: what is made of one is a scenario that reads it") {
  const scratch folder;
  std::ofstream(folder / "r.csv") << forty(taxi_header, taxi_row);
  const auto found = look_at_requests(folder / "r.csv");
  REQUIRE(found);
  const std::string text = scenario_of(*found, "r.csv", "", "mine");
  const reading read = read_text(text, "mine.yaml", folder.path());
  INFO(all_of(read));
  REQUIRE(read.ok());
  CHECK(read.value.name == "mine");
  CHECK(read.value.clock.start == 7h);
  REQUIRE(read.value.rows.size() == 1);
  CHECK(read.value.rows[0].rows->rows.size() == 40);
  // 60 rides an hour, each of 50 s and 6 min on the way, with three of four drivers busy.
  CHECK(read.value.drivers.count == 10);
}

TEST_CASE("request files: a column that holds something else is not taken by its name") {
  const auto found =
      look_at(forty("pickup_date,pickup_time,lat,lon", "red,07:{m:02},40.7{d},-73.9{d}"));
  REQUIRE(found);
  CHECK(found->columns.time == "pickup_time");
}

TEST_CASE("request files: what lacks a time or a place is refused, with what there is") {
  const auto no_time = look_at(forty("when,lat,lon", "{m},40.7,-74"));
  REQUIRE_FALSE(no_time);
  CHECK(no_time.error().code == exit_code::invalid_input);
  CHECK(has(no_time.error().text, "no column looks like the time of a request"));
  CHECK(has(no_time.error().text, "when (0), lat (40.7), lon (-74)"));
  const auto zones =
      look_at(forty("pickup_datetime,PULocationID", "2019-01-15 07:{m:02}:00,14{d}"));
  REQUIRE_FALSE(zones);
  CHECK(has(zones.error().text, "no latitude and longitude of a pick-up, but the columns"));
  CHECK_FALSE(look_at(""));
  CHECK(has(look_at("time,lat,lon\n").error().text, "no rows"));
}

TEST_CASE("request files: the names that messages list are found") {
  for (const column_kind kind : {column_kind::time,
                                 column_kind::start,
                                 column_kind::date,
                                 column_kind::latitude,
                                 column_kind::longitude,
                                 column_kind::place,
                                 column_kind::duration,
                                 column_kind::rides,
                                 column_kind::period}) {
    for (const trip_end end : {trip_end::from, trip_end::to}) {
      for (const std::string_view name : names_of(kind, end)) {
        const bool is_of_both = kind == column_kind::duration || kind >= column_kind::rides ||
                                kind == column_kind::start;
        INFO(name);
        CHECK(fit_of(name, kind, is_of_both ? trip_end::from : end) > 0);
      }
    }
  }
}

TEST_CASE("request files: dates with slashes may have the day first") {
  const auto found = look_at(forty("when_at,lat,lon", "13/02/2024 07:{m:02},40.7{d},-73.9{d}"));
  INFO((found ? "" : found.error().text));
  REQUIRE(found);
  CHECK(found->days == 1);
  CHECK(found->begins == 7h);
  CHECK(found->doubts.empty());
}

TEST_CASE("request files: lengths count what the name of their column says") {
  const auto minutes =
      look_at(forty("time,lat,lon,Duration (min)", "07:{m:02},40.7{d},-73.9{d},10.5"));
  REQUIRE(minutes);
  CHECK(minutes->mean_trip == 630s);
  REQUIRE(minutes->doubts.size() == 1);
  CHECK(has(minutes->doubts[0], "Duration (min) (10.5) are read as minutes"));
  const auto ms =
      look_at(forty("time,lat,lon,trip_duration_ms", "07:{m:02},40.7{d},-73.9{d},1391000"));
  REQUIRE(ms);
  CHECK(ms->mean_trip == 1391s);
  const auto hours = look_at(forty("time,lat,lon,trip", "07:{m:02},40.7{d},-73.9{d},0:09:45"));
  REQUIRE(hours);
  CHECK(hours->mean_trip == 585s);
}

TEST_CASE("request files: a second time or length that is not used is named") {
  const auto found = look_at(forty("pickup_datetime,request_datetime,lat,lon,duration",
                                   "07:{m:02},06:{m:02},40.7{d},-73.9{d},PT9M45S"));
  REQUIRE(found);
  CHECK(found->columns.time == "request_datetime");
  REQUIRE(found->doubts.size() == 1);
  CHECK(has(found->doubts[0],
            "not used, though named as a time or a length: pickup_datetime (07:00), duration "
            "(PT9M45S)"));
}

TEST_CASE("request files: drop-offs may be missing") {
  std::string text = forty("time,lat,lon,to_lat,to_lon", "07:{m:02},40.7{d},-73.9{d},40.7,-73.9");
  for (int i = 0; i < 30; ++i) {
    text += "07:50,40.71,-73.91,,\n";
  }
  const auto found = look_at(text);
  INFO((found ? "" : found.error().text));
  REQUIRE(found);
  CHECK(found->rows == 70);
  CHECK(found->columns.to_lat == "to_lat");
  REQUIRE(found->doubts.size() == 2);
  CHECK(has(found->doubts[0], "30 rows have no drop-off"));
  CHECK(has(found->doubts[1], "the times are rounded to 1min"));
  const auto none = look_at(forty("time,lat,lon,to_lat,to_lon", "07:{m:02},40.7{d},-73.9{d},,"));
  REQUIRE(none);
  REQUIRE(none->doubts.size() == 1);
  CHECK(has(none->doubts[0], "40 rows have no drop-off"));
  const auto others =
      look_at(forty("time,lat,lon,end_lat,end_lng", "07:{m:02},40.7{d},-73.9{d},,"));
  REQUIRE(others);
  REQUIRE(others->doubts.size() == 1);
  CHECK(has(others->doubts[0], "no row has a drop-off, end_lat is blank"));
}

TEST_CASE("request files: what is wrong with a file is said, with what to do") {
  const auto refused = [](const std::string& text) {
    const auto found = look_at(text);
    return found ? "read" : found.error().text;
  };
  CHECK(has(refused("a1,1477962042,104.06,30.67\na2,1477962043,104.07,30.68\n"),
            "the first line looks like data"));
  CHECK(has(refused("37.7 -122.4 0 1213084687\n37.7 -122.4 0 1213084687\n"), "spaces do not"));
  CHECK(has(refused("time,lat,lon\r07:00,40.7,-74\r"), "end in CR alone"));
  CHECK(has(refused(std::string("\0t\0i\0,\0l\0\n\0a\0,\0b\0\n", 18)), "UTF-16"));
  CHECK(has(refused("time,POLYLINE\n07:00,\"[[-8.6,41.1],[-8.6,41.2]]\"\n"),
            "write its first point into"));
  CHECK(has(refused("time,start_x,start_y\n07:00,4593052.7,5821466.8\n"), "EPSG:4326"));
  CHECK(has(refused("requested,lat,lng\n45335.708495,40.7,-74\n"), "days since 1900"));
  CHECK(refused("pickup_time,lat,lon\n13-02-2024 17:00,40.7,-74\n") == "read");
  CHECK(has(refused("pickup_time,lat,lon\n13-02-2024T17:00,40.7,-74\n"),
            "does not begin with its year"));
  CHECK(has(refused("pickup_date,lat,lon\n2024-02-13,40.7,-74\n"), "a date without a time of day"));
  CHECK(has(refused("time,lat,lon\n07:00,40.769N,73.99W\n"), "ends in a letter"));
  const auto joined =
      look_at("date,time,lat,lon\n2024-02-13,07:00,40.7,-74\n2024-02-14,07:00,40.7,-74\n");
  REQUIRE(joined);
  CHECK(joined->columns.date == "date");
  CHECK(joined->days == 2);
  CHECK(has(refused("time,lat,lon\n07:00,40.7,-74,1,2\n"), "names 3 columns; the first has 5"));
  CHECK(has(refused("time,PULocationID,DOLocationID\n07:00,7,8\n"), "`--zones zones.csv`"));
  std::string blank = forty("time,pickup_latitude,pickup_longitude", "07:{m:02},40.7{d},-73.9{d}");
  for (int i = 0; i < 20; ++i) {
    blank += "07:50,,\n";
  }
  CHECK(has(refused(blank), "20 of 60 rows lack what is needed, more than lost_max (20 %)"));
  CHECK(has(refused(blank), "a greater `lost_max`"));
  CHECK(has(refused(forty("when,lat,lon", "{m},40.7,-74")), "name it as one of these: time,"));
}

TEST_CASE("request files: the file of the two is blamed that is wrong") {
  const scratch folder;
  std::ofstream(folder / "z.csv") << "zone_id,lat,lon\n7,40.65,-73.79\n8,40.76,-73.99\n";
  const auto refused = [&](const std::string& text) {
    std::ofstream(folder / "r.csv") << text;
    const auto found = look_at_requests(folder / "r.csv", folder / "z.csv");
    return found ? "read" : found.error().text;
  };
  CHECK(has(refused("time,where\n07:00,7\n"), "r.csv: no column with values is named as the zone"));
  CHECK(has(refused("time,PULocationID\n07:00,\n"), "r.csv: no column with values is named as"));
  CHECK(has(refused("time,PULocationID\n07:00,99\n"), "no column of "));
  CHECK(refused("time,start station id\n07:00,007\n") == "read");
  std::ofstream(folder / "z.csv") << "id,geom\n7,\"POLYGON ((0 0, 0 1, 1 1, 0 0))\"\n";
  CHECK(has(refused("time,PULocationID\n07:00,7\n"), "z.csv: no column looks like latitude"));
  CHECK(has(refused("time,PULocationID\n07:00,7\n"), "write the middle of each"));
}

TEST_CASE("request files: times since 1970 are told to be in UTC") {
  const auto found = look_at(forty("time,lat,lon", "17078616{m:02},40.7{d},-73.9{d}"));
  REQUIRE(found);
  REQUIRE(found->doubts.size() == 1);
  CHECK(has(found->doubts[0], "`shift: -5h`"));
}

TEST_CASE("request files: places that cannot be are doubted") {
  const auto exchanged =
      look_at("o_lat,o_lon,d_lat,d_lon,trips\n-74,40.7,-73.9,40.8,10\n-73.9,40.8,-74,40.7,5\n");
  REQUIRE(exchanged);
  REQUIRE(exchanged->doubts.size() == 2);
  CHECK(has(exchanged->doubts[1], "are latitude and longitude exchanged?"));
  const auto wide = look_at(forty("time,lat,lon", "07:{m:02},4{d}.7,-73.9"));
  REQUIRE(wide);
  REQUIRE(wide->doubts.size() == 1);
  CHECK(has(wide->doubts[0], "Narrow world.bounds"));
}

}  // namespace dibs::scenario::test
