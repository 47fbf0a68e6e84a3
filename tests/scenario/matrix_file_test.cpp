// Goal: files of rates between places are understood as people have them.
// Method: names of columns as in such files, and small files of which everything is known; what is
// made of each is a scenario that reads it.

#include "catch.hpp"
#include "has.hpp"
#include "scenario/read.hpp"
#include "scenario/request_columns.hpp"
#include "scenario/request_file.hpp"
#include "scenario/scratch.hpp"
#include "scenario/texts.hpp"
#include "scenario/trace_source.hpp"
#include "scenario/warnings.hpp"
#include "world/od_matrix.hpp"

#include <fmt/format.h>

#include <fstream>
#include <string>

namespace dibs::scenario::test {

using dibs::test::has;

namespace {

const std::string zones_text =
    "zone_id,name,latitude,longitude\n1,one,40.70,-74.00\n2,two,40.75,-73.95\n3,three,40.80,-73."
    "90\n";

result<request_file> look_at_od(const std::string& text, bool has_zones = true) {
  const scratch folder;
  std::ofstream(folder / "od.csv") << text;
  std::ofstream(folder / "zones.csv") << zones_text;
  auto found = has_zones ? look_at_requests(folder / "od.csv", folder / "zones.csv")
                         : look_at_requests(folder / "od.csv");
  INFO((found ? "" : found.error().text));
  if (found) {
    const std::string made = scenario_of(*found, "od.csv", has_zones ? "zones.csv" : "", "mine");
    const reading read = read_text(made, "mine.yaml", folder.path());
    INFO(all_of(read));
    REQUIRE(read.ok());
    REQUIRE(read.value.rows.size() == 1);
    REQUIRE(read.value.rows[0].matrix != nullptr);
    CHECK(read.value.rows[0].matrix->rows == found->rows);
    CHECK(dump(read_text(dump(read.value), "mine.yaml", folder.path()).value) == dump(read.value));
  }
  return found;
}

/// 24 hours of each pair of three zones.
std::string day_of(const std::string& header, const char* hour) {
  std::string text = header + "\n";
  for (int from = 1; from <= 3; ++from) {
    for (int to = 1; to <= 3; ++to) {
      for (int h = 0; h < 24; ++h) {
        text += fmt::format("{},{},{},{}\n",
                            from,
                            to,
                            fmt::format(fmt::runtime(hour), fmt::arg("h", h)),
                            h == 17 || h == 18 ? 40 : 2);
      }
    }
  }
  return text;
}

matrix_columns columns(const std::string& from, const std::string& to, const std::string& rides) {
  matrix_columns c;
  c.lat = c.lon = from;
  c.to_lat = c.to_lon = to;
  c.rides = rides;
  return c;
}

}  // namespace

TEST_CASE("matrix files: a row may be a pair of zones and how many ride") {
  for (const auto& [from, to, rides] : {std::tuple{"origin", "destination", "trips"},
                                        std::tuple{"from_zone", "to_zone", "rate_per_hour"},
                                        std::tuple{"O", "D", "flow"},
                                        std::tuple{"origin_taz", "dest_taz", "daily_trips"},
                                        std::tuple{"PULocationID", "DOLocationID", "trip_count"},
                                        std::tuple{"from", "to", "n"},
                                        std::tuple{"origin_id", "destination_id", "demand"}}) {
    INFO(from);
    const auto found =
        look_at_od(fmt::format("{},{},{}\n1,2,24\n2,1,48\n1,1,0\n", from, to, rides));
    INFO((found ? "" : found.error().text));
    REQUIRE(found);
    REQUIRE(found->matrix);
    CHECK(found->matrix->form == matrix_form::pairs);
    CHECK(found->matrix->columns == columns(from, to, rides));
    CHECK(found->rows == 3);
    CHECK(found->bounds.south == Approx(40.69));
    CHECK(found->bounds.north == Approx(40.77));
    const bool is_hourly = std::string(rides) == "rate_per_hour";
    CHECK(found->rides_per_hour == Approx(is_hourly ? 72 : 3));
    CHECK((found->matrix->per == sim_duration{1h}) == is_hourly);
  }
}

TEST_CASE("matrix files: periods are hours, or times from and to") {
  for (const auto& [header, hour, time] :
       {std::tuple{"from_zone,to_zone,hour,trips", "{h}", "hour"},
        std::tuple{"from_zone,to_zone,hour,trips", "{h:02}", "hour"},
        std::tuple{"from_zone,to_zone,start_time,trips", "{h:02}:00", "start_time"},
        std::tuple{"from_zone,to_zone,time,trips", "2026-01-31 {h:02}:00:00", "time"},
        std::tuple{"from_zone,to_zone,hour_of_day,trips", "{h}", "hour_of_day"}}) {
    INFO(header << ' ' << hour);
    const auto found = look_at_od(day_of(header, hour));
    INFO((found ? "" : found.error().text));
    REQUIRE(found);
    REQUIRE(found->matrix);
    CHECK(found->matrix->columns.time == time);
    CHECK_FALSE(found->matrix->columns.to_time);
    CHECK(found->matrix->period == 1h);
    CHECK(found->begins == 17h);
    CHECK(found->lasts == 2h);
    CHECK(found->rides_per_hour == Approx(360));
    CHECK(found->doubts.empty());
  }
  const auto ends =
      look_at_od("origin,destination,from,to,trips\n1,2,07:00,09:30,10\n1,2,16:00,19:00,30\n");
  INFO((ends ? "" : ends.error().text));
  REQUIRE(ends);
  REQUIRE(ends->matrix);
  CHECK(ends->matrix->columns.time == "from");
  CHECK(ends->matrix->columns.to_time == "to");
  CHECK(ends->begins == 16h);
  CHECK(ends->rides_per_hour == Approx(10));
}

TEST_CASE("matrix files: shorter periods are told by their beginnings") {
  std::string text = "origin,destination,time,trips\n";
  for (int quarter = 0; quarter < 96; ++quarter) {
    text += fmt::format("1,2,{:02}:{:02},4\n", quarter / 4, quarter % 4 * 15);
  }
  const auto found = look_at_od(text);
  REQUIRE(found);
  CHECK(found->matrix->period == 15min);
  CHECK(found->rides_per_hour == Approx(16));
  const auto peaks = look_at_od("origin,destination,hour,trips\n1,2,8,4\n1,2,17,4\n");
  REQUIRE(peaks);
  CHECK(peaks->matrix->period == 1h);
}

TEST_CASE("matrix files: the busiest hours begin with rides, and end with them") {
  const auto found =
      look_at_od("origin,destination,from,to,trips\n1,2,07:00,08:00,10\n1,3,12:00,12:30,4\n");
  REQUIRE(found);
  CHECK(found->begins == 7h);
  CHECK(found->lasts == 1h);
  CHECK(found->rides_per_hour == Approx(10));
}

TEST_CASE("matrix files: a square has zones on both sides") {
  const auto found = look_at_od("zone,1,2,3\n1,,24,0\n2,48,,0\n3,12,12,x\n");
  INFO((found ? "" : found.error().text));
  REQUIRE(found);
  REQUIRE(found->matrix);
  CHECK(found->matrix->form == matrix_form::square);
  CHECK(found->rows == 8);
  CHECK(found->rides_per_hour == Approx(4));
  REQUIRE(found->doubts.size() == 2);
  CHECK(has(found->doubts[0], "1 cell left out"));
  CHECK(has(found->doubts[0], "line 4: 3: expected a number of rides"));
  CHECK(has(found->doubts[1], "it is taken to be a day"));
}

TEST_CASE("matrix files: coordinates and cells need no file of zones") {
  const auto placed = look_at_od(
      "o_lat,o_lon,d_lat,d_lon,trips\n40.7,-74,40.75,-73.95,10\n40.75,-73.95,40.7,-74,5\n", false);
  INFO((placed ? "" : placed.error().text));
  REQUIRE(placed);
  REQUIRE(placed->matrix);
  CHECK(placed->matrix->columns.to_lon == "d_lon");
  const auto cells =
      look_at_od("origin_hex,dest_hex,trips\n8a2a1072b59ffff,882a100d2bfffff,10\n", false);
  INFO((cells ? "" : cells.error().text));
  REQUIRE(cells);
  REQUIRE(cells->matrix);
  CHECK(cells->matrix->columns.lat == "origin_hex");
  const auto square = look_at_od(
      "hex,8a2a1072b59ffff,882a100d2bfffff\n8a2a1072b59ffff,1,2\n882a100d2bfffff,3,4\n", false);
  REQUIRE(square);
  CHECK(square->matrix->form == matrix_form::square);
}

TEST_CASE("matrix files: rows of one pair that differ in who rides are added up, and said") {
  const auto found = look_at_od(
      "fecha|periodo|origen|destino|actividad|renta|viajes|viajes_km\n"
      "20220301|07|1|2|casa|10-15|4.241|21.207\n"
      "20220301|07|1|2|trabajo|10-15|4.852|24.262\n"
      "20220301|07|2|1|casa|10-15|1.5|4.671\n"
      "20220301|08|1|2|casa|>15|2.5|8.671\n");
  INFO((found ? "" : found.error().text));
  REQUIRE(found);
  REQUIRE(found->matrix);
  CHECK(found->begins == 7h);
  CHECK(found->rides_per_hour == Approx((4.241 + 4.852 + 1.5 + 2.5) / 2));
  REQUIRE_FALSE(found->doubts.empty());
  CHECK(has(found->doubts[0], "adds up rows that differ in actividad: 2 rows of one pair"));
  const auto twice =
      look_at_od("periodo|origen|destino|actividad|viajes\n07|1|2|casa|4.2\n07|1|2|casa|4.5\n");
  REQUIRE_FALSE(twice);
  CHECK(has(twice.error().text, "lines 2 and 3 both say"));
}

TEST_CASE("matrix files: dots and commas between thousands are told by the whole column") {
  const auto dots = look_at_od("origin;destination;trips\n1;2;1.550\n2;1;2.450\n3;1;1.000\n");
  INFO((dots ? "" : dots.error().text));
  REQUIRE(dots);
  CHECK(dots->rides_per_hour == Approx(5000 / 24.0));
  CHECK(has(dots->doubts[0], "the dots in `trips` are read as those between thousands"));
  const auto millions = look_at_od("origin,destination,trips\n1,2,1.550.000\n2,1,2.450.000\n");
  INFO((millions ? "" : millions.error().text));
  REQUIRE(millions);
  CHECK(millions->rides_per_hour == Approx(4e6 / 24));
  const auto commas = look_at_od("origin;destination;trips\n1;2;1,550\n2;1;2,450\n3;1;500\n");
  REQUIRE(commas);
  CHECK(commas->rides_per_hour == Approx(4500 / 24.0));
}

TEST_CASE("matrix files: zones without middles are asked for") {
  for (const char* text : {"origin,destination,trips\n1,2,24\n2,1,48\n",
                           "zone,1,2,3\n1,0,24,0\n2,48,0,0\n3,12,12,0\n"}) {
    const auto found = look_at_od(text, false);
    REQUIRE_FALSE(found);
    CHECK(has(found.error().text, "it looks like a matrix of rides between places"));
    CHECK(has(found.error().text, "--zones zones.csv"));
  }
}

TEST_CASE("matrix files: a number below 0 is told with its line") {
  const auto found = look_at_od("origin,destination,trips\n1,2,24\n2,1,-48\n");
  REQUIRE_FALSE(found);
  CHECK(has(found.error().text, "line 3: trips: expected a number of rides, from 0 to 1e9"));
}

TEST_CASE("matrix files: zones that do not fit are said") {
  const auto found = look_at_od("origin,destination,trips\n1,2,24\n2,1,48\n3,1,5\n1,7,1\n2,8,1\n");
  REQUIRE_FALSE(found);
  CHECK(has(found.error().text, "too few of these are among the zones of"));
}

TEST_CASE("matrix files: requests with a number of some kind stay requests") {
  std::string text = "pickup_time,PULocationID,DOLocationID,passenger_count,trips\n";
  for (int i = 0; i < 40; ++i) {
    text += fmt::format("2026-01-31 07:{:02}:{:02},1,2,1,1\n", i, i);
  }
  const scratch folder;
  std::ofstream(folder / "r.csv") << text;
  std::ofstream(folder / "zones.csv") << zones_text;
  const auto found = look_at_requests(folder / "r.csv", folder / "zones.csv");
  INFO((found ? "" : found.error().text));
  REQUIRE(found);
  CHECK_FALSE(found->matrix);
  CHECK(found->columns.time == "pickup_time");
}

// -- scenarios -----------------------------------------------------------------------------------

namespace {

reading read_matrix_of(const std::string& fields, const std::string& rows) {
  const scratch folder;
  std::ofstream(folder / "od.csv") << rows;
  std::ofstream(folder / "z.csv") << zones_text;
  return read_text(
      "version: 1\n"
      "drivers: {count: 10, classes: [{name: all, response: 3s}]}\n"
      "demand:\n"
      "  - {kind: matrix, file: od.csv, zones: {file: z.csv, id: zone_id, lat: "
      "latitude, lon: longitude}" +
          fields + "}\n",
      "test.yaml",
      folder.path());
}

}  // namespace

TEST_CASE("matrices: what a scenario says wrong of one is named by field, file and line") {
  const std::string rows = "origin,destination,rides\n1,2,10\n";
  CHECK(read_matrix_of("", rows).ok());
  for (const auto& [fields, file, path, expected] :
       {std::tuple{
            "", "origin,destination,rides\n1,9,4\n", "demand.1.file", "cannot use the matrix"},
        std::tuple{"",
                   "origin,destination,rides\n1,9,4\n",
                   "demand.1.file",
                   "line 2: destination: no zone '9' among the 3 of z.csv"},
        std::tuple{"", "origin,destination,rides\n1,2,-4\n", "demand.1.file", "found '-4'"},
        std::tuple{", columns: {rides: trips}",
                   rows.c_str(),
                   "demand.1.columns.rides",
                   "od.csv has no column trips"},
        std::tuple{", form: square, columns: {rides: trips}",
                   rows.c_str(),
                   "demand.1.columns",
                   "whose names are not told"},
        std::tuple{
            ", columns: {to_time: rides}", rows.c_str(), "demand.1.columns", "`time` is missing"},
        std::tuple{", per: 0s", rows.c_str(), "demand.1.per", "1s"}}) {
    INFO(fields << file);
    const reading r = read_matrix_of(fields, file);
    INFO(all_of(r));
    REQUIRE(r.diagnostics.size() == 1);
    CHECK(r.diagnostics[0].path == path);
    CHECK(r.diagnostics[0].line == 4);
    CHECK(has(r.diagnostics[0].message, expected));
  }
}

TEST_CASE("matrices: what is left out and what is silent is remarked") {
  const std::string rows =
      "origin,destination,hour,rides\n1,2,7,10\n1,3,7,10\n2,3,7,10\n2,1,7,10\n2,9,7,1\n";
  const reading r = read_matrix_of(", columns: {time: hour}", rows);
  INFO(all_of(r));
  REQUIRE(r.ok());
  const auto remarks = remarks_on(r.value);
  REQUIRE(remarks.size() >= 2);
  CHECK(has(remarks[0], "od.csv: 1 row left out, since they lack what is needed: line 6: "));
  CHECK(has(remarks[1], "no rate of od.csv is above 0 in the simulated hours, 00:00 to 01:00"));
}

}  // namespace dibs::scenario::test
