// Goal: columns of files that cities and services publish are told by their names, and what cannot
// be read as it stands is said with its evidence.
// Method: small files with the names of those that were published; each right value is counted by
// hand.

#include "catch.hpp"
#include "has.hpp"
#include "scenario/request_columns.hpp"
#include "scenario/request_text.hpp"

#include <string>

namespace dibs::scenario::test {

using dibs::test::has;

namespace {

std::string said(const result<request_file>& found) {
  std::string all = found ? "" : found.error().text;
  for (std::size_t i = 0; found && i < found->doubts.size(); ++i) {
    all += found->doubts[i] + "\n";
  }
  return all;
}

result<request_file> look_at_zoned(const std::string& rows, const std::string& zones) {
  const scratch folder;
  std::ofstream(folder / "r.csv") << rows;
  std::ofstream(folder / "zones.csv") << zones;
  return look_at_requests(folder / "r.csv", folder / "zones.csv");
}

}  // namespace

TEST_CASE("published files: the names of their columns are known") {
  struct columns {
    const char* time;
    const char* lat;
    const char* to_lat;
    const char* to_time;
  };
  for (const auto& [names, values, right] :
       {std::tuple{"stime,slon,slat,etime,elon,elat",
                   "07:{m:02}:10,-73.9{d},40.7{d},08:{m:02}:10,-73.8{d},40.7{d}",
                   columns{"stime", "slat", "elat", "etime"}},
        std::tuple{"time,lat1,lon1,lat2,lon2",
                   "07:{m:02}:10,40.7{d},-73.9{d},40.7{d},-73.8{d}",
                   columns{"time", "lat1", "lat2", "to_time"}},
        std::tuple{"trip_start,trip_end,lat,lon",
                   "07:{m:02}:10,08:{m:02}:10,40.7{d},-73.9{d}",
                   columns{"trip_start", "lat", "to_lat", "trip_end"}},
        std::tuple{"Inicio_del_viaje,Fin_del_viaje,lat,lon",
                   "2023-05-02 07:{m:02}:10,2023-05-02 08:{m:02}:10,40.7{d},-73.9{d}",
                   columns{"Inicio_del_viaje", "lat", "to_lat", "Fin_del_viaje"}},
        std::tuple{"Placement - Time,Pickup - Time,lat,lon",
                   "07:{m:02}:10,07:{m:02}:50,40.7{d},-73.9{d}",
                   columns{"Placement - Time", "lat", "to_lat", "to_time"}}}) {
    const auto found = look_at(forty(names, values));
    INFO(names << "\n" << said(found));
    REQUIRE(found);
    CHECK(found->columns.time == right.time);
    CHECK(found->columns.lat == right.lat);
    CHECK(found->columns.to_lat == right.to_lat);
    CHECK(found->columns.to_time == right.to_time);
  }
  const auto both =
      look_at(forty("trip_date,trip_time,lat,lon", "2015-01-0{d},07:{m:02},40.7,-73.9"));
  CHECK(both->columns.time == "trip_time");
  CHECK(both->columns.trip == "trip");
}

TEST_CASE("published files: zones have the names that these give them") {
  for (const auto& [from, to, id, names] :
       {std::tuple{"emplacement_pk_start", "emplacement_pk_end", "pk", "latitude,longitude"},
        std::tuple{"strt_statn", "end_statn", "id", "lat,lng"},
        std::tuple{"StartCenterlineID", "EndCenterlineID", "CenterlineID", "Y,X"},
        std::tuple{"PUBorough", "DOBorough", "borough", "lat,lon"},
        std::tuple{"Origen_Id", "Destino_Id", "id", "latitude,longitude"},
        std::tuple{"Census Tract Start", "Census Tract End", "GEOID", "INTPTLAT,INTPTLONG   "}}) {
    const auto found = look_at_zoned(
        forty(std::string("time,") + from + "," + to, "07:{m:02},{d},{d}"),
        std::string(id) + "," + names +
            "\n0,40.70,-73.9\n1,40.71,-73.9\n2,40.72,-73.9\n3,40.73,-73.9\n4,40.74,-73.9\n"
            "5,40.75,-73.9\n6,40.76,-73.9\n7,40.77,-73.9\n8,40.78,-73.9\n9,40.79,-73.9\n");
    INFO(from << "\n" << said(found));
    REQUIRE(found);
    CHECK(found->columns.lat == from);
    CHECK(found->columns.to_lat == to);
    REQUIRE(found->zones);
    CHECK(found->zones->id == id);
    CHECK(found->zones->lon.find(' ') == std::string::npos);
  }
}

TEST_CASE("published files: a date is told by its name before an id that looks like one") {
  const auto one_day = look_at(forty("RouteID,StartDate,StartTime,lat,lon",
                                     "510005{d},4/17/2019,7:{m:02},40.7{d},-73.9{d}"));
  INFO(said(one_day));
  REQUIRE(one_day);
  CHECK(one_day->columns.date == "StartDate");
  CHECK(one_day->days == 1);
  const auto ids =
      look_at(forty("RouteID,StartTime,lat,lon", "510005{d},7:{m:02},40.7{d},-73.9{d}"));
  REQUIRE(ids);
  CHECK_FALSE(ids->columns.date);
  const auto hours =
      look_at(forty("start_date,start_hour,lat,lon", "2019-07-1{d},{d},40.7{d},-73.9{d}"));
  INFO(said(hours));
  REQUIRE(hours);
  CHECK(hours->columns.time == "start_hour");
  CHECK(hours->columns.date == "start_date");
  CHECK(hours->days == 10);
}

TEST_CASE("published files: days of a month that no date names are said") {
  const auto found = look_at(
      forty("Placement - Day of Month,Placement - Time,lat,lon", "{d},7:{m:02},40.7{d},-73.9{d}"));
  CHECK(has(said(found), "has 10 values, as of so many days"));
  const auto dated = look_at(forty("day,time,lat,lon", "{d},2015-01-14 7:{m:02},40.7{d},-73.9{d}"));
  CHECK_FALSE(has(said(dated), "as of so many days"));
}

TEST_CASE("published files: lengths whose thousands are parted are not read as decimals") {
  const auto dots =
      look_at(forty("time;lat;lon;trip_seconds", "07:{m:02};40,7{d};-73,9{d};1.{m:03}") +
              "07:00;40,7;-73,9;812\n07:00;40,7;-73,9;569\n07:00;40,7;-73,9;740\n");
  REQUIRE_FALSE(dots);
  CHECK(has(said(dots),
            "column trip_seconds parts its thousands, as 1.000: write its numbers without"));
  // Read as they are meant, or decimals.
  CHECK(look_at(forty("time,lat,lon,trip_seconds", "07:{m:02},40.7{d},-73.9{d},\"1,{m:03}\"") +
                "07:00,40.7,-73.9,812\n07:00,40.7,-73.9,569\n07:00,40.7,-73.9,740\n"));
  CHECK(look_at(forty("time;lat;lon;trip_seconds", "07:{m:02};40,7{d};-73,9{d};812.5")));
  CHECK(look_at(forty("time;lat;lon;trip_seconds", "07:{m:02};40.7{d};-73.9{d};812.{m:03}")));
  // Two points are no number, so the column is no length; that is said.
  const auto two =
      look_at(forty("time;lat;lon;duration_ms", "07:{m:02};40,7{d};-73,9{d};1.187.{m:03}"));
  CHECK(has(said(two), "not used, though named as a time or a length: duration_ms (1.187.000)"));
}

TEST_CASE("published files: lengths that two times deny in some rows are said") {
  const auto of = [](const std::string& third) {
    std::string text = "time,to_time,lat,lon,trip_duration\n";
    for (int i = 0; i < 60; ++i) {
      text += fmt::format("07:{0:02}:00,07:{1:02}:07,40.7{2},-73.9{2},{3}\n",
                          i / 3,
                          i / 3 + 20,
                          i % 10,
                          i % 3 == 0 ? third : "1207");
    }
    return said(look_at(text));
  };
  CHECK(has(of("20"), "is not what the two times say in 20 of 60 rows, by half or more"));
  CHECK_FALSE(has(of("1200"), "is not what the two times say"));
}

TEST_CASE("published files: numbers that count another unit than seconds are doubted") {
  CHECK(has(said(look_at(forty("time,lat,lon", "259246{m:02},40.7{d},-73.9{d}"))),
            "would count the minutes since 1970 as well"));
  for (const char* days : {"18003.{m:02}", "2458851.{m:02}", "432{d}.5"}) {
    INFO(days);
    const std::string told =
        said(look_at(forty("when_time,lat,lon", std::string(days) + ",40.7{d},-73.9{d}")));
    INFO(told);
    CHECK(has(told, "do they count hours, days or another unit"));
  }
  CHECK_FALSE(
      has(said(look_at(forty("time,lat,lon", "25{m:02}0,40.7{d},-73.9{d}"))), "another unit"));
}

TEST_CASE("published files: of counts that are not used it is said") {
  const auto found =
      look_at_zoned("origin,destination,trips_2019,trips_2020\n1,2,20,6\n2,1,11,3\n1,1,14,2\n",
                    "zone,lat,lon\n1,40.71,-73.95\n2,40.72,-73.95\n");
  CHECK(has(said(found), "not used, though named as counts of rides: trips_2020 (6)"));
}

TEST_CASE("published files: ids of zones are told from numbers of rows by their names") {
  for (const auto& [names, id] : {std::pair{"OBJECTID,station_id,lat,lon", "station_id"},
                                  std::pair{"gid,zone_id,lat,lon", "zone_id"},
                                  std::pair{"FID,ID,lat,lon", "ID"},
                                  std::pair{",station_id,lat,lon", "station_id"},
                                  std::pair{"station_id,OBJECTID,lat,lon", "station_id"}}) {
    std::string zones = std::string(names) + "\n";
    for (int i = 0; i < 10; ++i) {
      zones += fmt::format("{},{},40.7{},-73.9\n", 9 - i, i, i);
    }
    const auto found =
        look_at_zoned(forty("time,start_station_id,end_station_id", "07:{m:02},{d},{d}"), zones);
    INFO(names << "\n" << said(found));
    REQUIRE(found);
    REQUIRE(found->zones);
    CHECK(found->zones->id == id);
  }
}

TEST_CASE("published files: how long trips take is no demand") {
  const auto found =
      look_at(forty("sourceid,dstid,hod,mean_travel_time,standard_deviation_travel_time",
                    "{d},1,{d},12{m:02}.5,3{m:02}.5"));
  REQUIRE_FALSE(found);
  CHECK(
      has(said(found), "by column mean_travel_time it says how long trips take, and not how many"));
  CHECK(look_at(forty("time,lat,lon,travel_time", "07:{m:02},40.7{d},-73.9{d},6{m:02}")));
}

TEST_CASE("published files: forms of times and numbers that few write") {
  for (const auto& [name, time] : {std::pair{"Abholzeit", "30.01.2023 01:{m:02}"},
                                   std::pair{"Bestellzeit", "30.01.2023 01:{m:02}"},
                                   std::pair{"Buchungszeitpunkt", "30.01.2023 01:{m:02}"},
                                   std::pair{"begin_time", "2019-03-12 00:{m:02}:06 +0000 UTC"}}) {
    const auto found =
        look_at(forty(std::string(name) + ",lat,lon", std::string(time) + ",+40.7{d},-73.9{d}"));
    INFO(name << "\n" << said(found));
    REQUIRE(found);
    CHECK(found->columns.time == name);
    CHECK(found->rows == 40);
  }
}

TEST_CASE("published files: a dash and #N/A are blank") {
  const auto found =
      look_at(forty("time,lat,lon,to_lat,to_lon", "07:{m:02},40.7{d},-73.9{d},40.7,-73.8") +
              "07:00,40.7,-73.9,-,-\n07:01,40.7,-73.9,#N/A,#N/A\n");
  REQUIRE(found);
  CHECK(found->rows == 42);
}

}  // namespace dibs::scenario::test
