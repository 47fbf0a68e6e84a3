// Goal: values that are wrong, rare or written in other ways do not make a scenario that runs
// wrongly.
// Method: small files of which everything is known.

#include "catch.hpp"
#include "has.hpp"
#include "scenario/foreign_names.hpp"
#include "scenario/request_columns.hpp"
#include "scenario/request_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace dibs::scenario::test {

using dibs::test::has;

namespace {

/// The note that says so, or nothing.
std::string note(const result<request_file>& found, const std::string& word) {
  REQUIRE(found);
  const auto at =
      std::ranges::find_if(found->doubts, [&](const auto& each) { return has(each, word); });
  return at == found->doubts.end() ? "" : *at;
}

/// So many rows, one each minute from 7:00 on, of the place that `place` gives for each.
template <class Place>
std::string rows(std::size_t count, Place place, std::string_view header = "time,lat,lon") {
  std::string text = std::string(header) + "\n";
  for (std::size_t i = 0; i < count; ++i) {
    text += fmt::format("{:02}:{:02},{}\n", 7 + i / 60, i % 60, place(i));
  }
  return text;
}

std::string berlin(std::size_t i) { return fmt::format("52.5{},13.4{}", i % 10, i % 7); }
std::string berlin_exchanged(std::size_t i) { return fmt::format("13.4{},52.5{}", i % 7, i % 10); }

}  // namespace

TEST_CASE("request values: columns that are exchanged are taken for each other, with evidence") {
  const auto all =
      look_at(rows(40, [](std::size_t i) { return fmt::format("-73.9{},40.7", i % 10); }));
  INFO((all ? "" : all.error().text));
  CHECK(has(note(all, "exchanged"), "in 40 of 40 rows, in columns lat and lon"));
  CHECK(has(note(all, "exchanged"), "each column is taken for the other"));
  CHECK(all->columns.lat == "lon");
  CHECK(all->columns.lon == "lat");
  CHECK(all->findings[1].what == "lat");
  CHECK(all->findings[1].column == "lon");
  CHECK(all->findings[1].said == "40.7");
  CHECK(all->bounds.south == Approx(40.69));
  CHECK(all->bounds.west == Approx(-74.00));
  CHECK(all->rows == 40);
  const auto unknown = look_at(rows(40, berlin_exchanged));
  CHECK(note(unknown, "exchanged").empty());
  CHECK(unknown->columns.lat == "lat");
}

TEST_CASE("request values: rows that are exchanged are outside, counted and named") {
  const auto some = look_at(
      rows(40, [](std::size_t i) { return i % 10 == 3 ? berlin_exchanged(i) : berlin(i); }));
  INFO((some ? "" : some.error().text));
  REQUIRE(some);
  CHECK(some->bounds.south == Approx(52.49));
  CHECK(some->bounds.north == Approx(52.60));
  CHECK(some->bounds.east == Approx(13.47));
  CHECK(some->rows == 36);
  CHECK(has(note(some, "4 rows left out"), "line 5: latitude 13.43 and longitude 52.53 look"));
  for (const std::size_t every : {2U, 3U}) {
    const auto many = look_at(
        rows(60, [&](std::size_t i) { return i % every == 0 ? berlin_exchanged(i) : berlin(i); }));
    REQUIRE_FALSE(many);
    CHECK(has(many.error().text,
              fmt::format("latitude and longitude look exchanged in {} of 60 rows", 60 / every)));
  }
  const auto one_end = look_at(rows(
      40,
      [](std::size_t i) { return berlin_exchanged(i) + "," + berlin(i); },
      "time,lat,lon,to_lat,to_lon"));
  REQUIRE_FALSE(one_end);
  CHECK(has(one_end.error().text, "look exchanged in 40 of 40 rows"));
}

TEST_CASE("request values: places far from a city's middle do not widen its bounds") {
  const auto some = look_at(rows(60, [](std::size_t i) {
    return i % 20 == 3 ? std::string("40.7,-7.3") : i % 20 == 9 ? "0,13.4" : berlin(i);
  }));
  REQUIRE(some);
  CHECK(some->bounds.south == Approx(52.49));
  CHECK(some->bounds.west == Approx(13.39));
  CHECK(some->rows == 54);
  CHECK(has(note(some, "outside these bounds"), "6 rows"));
  // A country is no city with a few wrong rows.
  const auto country =
      look_at(rows(60, [](std::size_t i) { return fmt::format("4{}.7,-73.{}", i % 10, i % 10); }));
  REQUIRE(country);
  CHECK(country->rows == 60);
  CHECK(has(note(country, "spread over"), "Narrow world.bounds"));
}

TEST_CASE("request values: a stray date makes no day") {
  std::string text = "time,lat,lon\n";
  for (int i = 0; i < 180; ++i) {
    text += fmt::format("2015-01-{:02} 07:{:02}:00,52.5{},13.4\n", 14 + i / 60, i % 60, i % 10);
  }
  const auto clean = look_at(text);
  const auto strays =
      look_at(text + "2002-01-15 07:10:00,52.51,13.4\n2041-01-15 07:10:00,52.51,13.4\n");
  REQUIRE(clean);
  REQUIRE(strays);
  CHECK(clean->days == 3);
  CHECK(strays->days == 3);
  CHECK(strays->rows == 180);
  CHECK(strays->rides_per_hour == clean->rides_per_hour);
  CHECK(
      has(note(strays, "wrong dates"), "2 requests of 2 days left out, where a usual day has 60"));
  CHECK(has(note(strays, "wrong dates"), "(2002-01-15, 2041-01-15)"));
  CHECK(has(scenario_of(*strays, "r.csv", "", "mine"), "# Note: 2 requests of 2 days left out"));
}

TEST_CASE("request values: times in UTC are told, however they say so") {
  for (const char* zone : {"Z", "+00:00", " UTC", "+0000", "+00"}) {
    INFO(zone);
    const auto found = look_at(rows(
        20,
        [&](std::size_t i) {
          return fmt::format("2015-01-15 07:{:02}:00{},52.5{},13.4", i, zone, i % 10);
        },
        "no,time,lat,lon"));
    CHECK(has(note(found, "`shift: 1h`"), "end in the zone UTC"));
  }
  const auto other = look_at(rows(
      20,
      [&](std::size_t i) {
        return fmt::format("2015-01-15 07:{:02}:00+08,52.5{},13.4", i, i % 10);
      },
      "no,time,lat,lon"));
  CHECK(note(other, "shift").empty());
  const auto digits = look_at(rows(
      20,
      [&](std::size_t i) { return fmt::format("2015011507{:02}00,52.5{},13.4", i, i % 10); },
      "no,time,lat,lon"));
  CHECK(note(digits, "shift").empty());
  CHECK(digits->begins == 7h);
}

TEST_CASE("request values: what has the name and not the value is told so") {
  const auto refused = [](const std::string& text) {
    const auto found = look_at(text);
    return found ? "read" : found.error().text;
  };
  const std::string time = refused("pickup_time,lat,lon\n2015 Q1,40.7,-74\n2015 Q2,40.7,-74\n");
  CHECK(has(time, "pickup_time (2015 Q1) has the name, but its value is not understood"));
  CHECK_FALSE(has(time, "name it as one of these"));
  const std::string place = refused("time,pickup_location\n07:00,\"1.3081, 103.8821\"\n");
  CHECK(has(place, "pickup_location (1.3081, 103.8821) holds both degrees"));
  CHECK_FALSE(has(place, "ids of zones"));
  CHECK(has(refused("\xb4\xeb\xbf\xa9\xc0\xcf\xbd\xc3,\xb4\xeb\xbf\xa9\n07:00,1\n"),
            "`iconv -f CP949 -t UTF-8`"));
}

TEST_CASE("request values: names may be German, Spanish or French, in Latin-1 too") {
  CHECK(in_english("Startzeit") == "start time");
  CHECK(in_english("Ziel_L\xc3\xa4nge") == "destination_longitude");
  CHECK(in_english("horaInicio") == "time start");
  CHECK(in_english("pickup_datetime") == "pickup_datetime");
  CHECK(in_english("startStationLat") == "startStationLat");
  CHECK(fit_of("fecha_hora_llegada", column_kind::time, trip_end::to) > 0);
  CHECK(fit_of("heure_d\xc3\xa9part", column_kind::time, trip_end::from) > 0);
  const auto found = look_at(
      "Startzeit;Endzeit;Start_Breite;Start_L\xe4nge;Ziel_Breite;Ziel_L\xe4nge\n"
      "26.03.2023 07:05:48;26.03.2023 07:30:04;52,50;13,40;52,48;13,37\n");
  INFO((found ? "" : found.error().text));
  REQUIRE(found);
  CHECK(found->columns.time == "Startzeit");
  CHECK(found->columns.to_time == "Endzeit");
  CHECK(found->columns.lon == "Start_L\xc3\xa4nge");
  CHECK(found->columns.to_lat == "Ziel_Breite");
  CHECK(has(note(found, "no UTF-8"), "Windows-1252"));
}

TEST_CASE("request values: one place and one time are doubted") {
  const auto same = look_at("time,lat,lon\n" + [] {
    std::string text;
    for (int i = 0; i < 20; ++i) {
      text += "07:00,52.5,13.4\n";
    }
    return text;
  }());
  CHECK(has(note(same, "same place"), "20 of 20 requests begin at one and the same place"));
  CHECK(has(note(same, "same time"), "20 of 20 requests come at one and the same time"));
  const auto others = look_at(rows(20, berlin));
  CHECK(note(others, "one and the same").empty());
}

}  // namespace dibs::scenario::test
