// Goal: a file that cannot be read as it is says what is wrong with it, and what to do.
// Method: the beginnings of files as programs write them, beside such as are sound.

#include "scenario/file_faults.hpp"

#include "catch.hpp"
#include "has.hpp"
#include "scenario/request_text.hpp"

#include <fmt/format.h>

#include <string>

namespace dibs::scenario::test::of_file_faults {

using dibs::test::has;

namespace {

std::string refused(const std::string& text) {
  const auto found = look_at(text);
  return found ? "read" : found.error().text;
}

const std::string sound = forty("pickup_time,lat,lon", "07:{m:02},40.7{d},-73.9{d}");

}  // namespace

TEST_CASE("file faults: JSON, pages and pointers of Git LFS are called so") {
  for (const char* json : {"{\"pickup_time\": \"07:00\", \"lat\": 40.7}\n",
                           "  [{\"lat\": 40.7}]",
                           "[\n [1, 2]]",
                           "{ }",
                           "\xef\xbb\xbf{\n  \"type\": \"FeatureCollection\", \"features\": []}"}) {
    INFO(json);
    CHECK(has(refused(json), "it is JSON, not CSV"));
  }
  CHECK(has(refused("<!DOCTYPE html>\n<html><body>Sign in</body></html>\n"), "an HTML page"));
  CHECK(has(refused("\n<HTML><head>\n"), "an HTML page"));
  CHECK(has(refused("version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n"),
            "`git lfs pull`"));
  CHECK(refused(forty("[time],[lat],[lon]", "07:{m:02},40.7{d},-73.9{d}")) == "read");
}

TEST_CASE("file faults: names below other lines are found") {
  CHECK(has(refused("# exported by dispatch\n# zone: New York\n" + sound),
            "the names seem to stand in line 3: take away the lines above it"));
  CHECK(has(refused("Trips report,,\nCity of X,,\n\n" + sound), "seem to stand in line 4"));
  CHECK(has(refused("Report of trips; all\n" +
                    forty("pickup_time;lat;lon", "07:{m:02};40,7{d};-73,9{d}")),
            "seem to stand in line 2"));
  // Without names there are none to find.
  CHECK_FALSE(has(refused("Trips report\n" + sound.substr(sound.find('\n') + 1)), "seem to stand"));
  CHECK_FALSE(has(refused("when,lat,lon\n1,40.7,-74\n2,40.7,-74\n"), "seem to stand"));
  CHECK_FALSE(has(refused("time,lat,lon\na,b,c,d\na,b,c,d\n"), "seem to stand"));
  CHECK(refused("sep=,\n" + sound) == "read");
}

TEST_CASE("file faults: a first line of data is told by a date, and by names that are alike") {
  CHECK(has(refused("2019-01-01,5,EMBR,EMBR,26\n2019-01-01,5,EMBR,MONT,6\n"),
            "the first line looks like data"));
  CHECK(has(refused("2019-01-01,EMBR,EMBR,a,b,c,d\n2019-01-01,EMBR,MONT,a,b,c,d\n"),
            "the first line looks like data"));
  CHECK_FALSE(has(refused("2019-01-01,from,to,a,b\nx,EMBR,MONT,a,b\n"), "looks like data"));
  CHECK_FALSE(has(refused("when,from,from,a,b\nx,EMBR,MONT,a,b\n"), "looks like data"));
}

TEST_CASE("file faults: both degrees in one field are called so, in brackets too") {
  for (const char* pair : {"40.7564, -73.9766",
                           "(40.7564, -73.9766)",
                           "[40.7564,-73.9766]",
                           "1 MAIN ST\nNEW YORK\n(40.7564, -73.9766)"}) {
    INFO(pair);
    const std::string said = refused(fmt::format("Date/Time,Location\n07:00,\"{}\"\n", pair));
    CHECK(has(said, "holds both degrees: write them into two columns"));
    CHECK_FALSE(has(said, "ids of zones"));
  }
  CHECK(has(refused("time,Location\n07:00,\"(north, south)\"\n"), "ids of zones"));
}

TEST_CASE("file faults: one end whose columns are exchanged is told, and what to exchange") {
  const std::string header = "pickup_time,pickup_lat,pickup_lon,dropoff_lat,dropoff_lon";
  const std::string said = refused(forty(header, "07:{m:02},48.84{d},2.33{d},2.36{d},48.85{d}"));
  CHECK(has(said, "one end look exchanged in 40 of 40 rows"));
  CHECK(has(said,
            "exchange the names dropoff_lat and dropoff_lon if the pick-ups are right, or else the "
            "names pickup_lat and pickup_lon"));
  CHECK(refused(forty(header, "07:{m:02},48.84{d},2.33{d},48.85{d},2.36{d}")) == "read");
  // Far is not exchanged.
  CHECK_FALSE(
      has(refused(forty(header, "07:{m:02},48.84{d},2.33{d},41.85{d},9.36{d}")), "look exchanged"));
  CHECK(has(refused(forty("time,pickup_point,dropoff_point",
                          "07:{m:02},POINT (2.33{d} 48.84{d}),POINT (48.85{d} 2.36{d})")),
            "exchange the two numbers in dropoff_point"));
}

TEST_CASE("file faults: points that hold latitude first are refused") {
  const std::string said = refused(forty("time,geom", "07:{m:02},POINT (40.7{d} -73.9{d})"));
  CHECK(has(said, "40 of 40 points in column geom seem to hold latitude first"));
  CHECK(has(said, "as POINT (40.70 -73.90)"));
  CHECK(refused(forty("time,geom", "07:{m:02},POINT (-73.9{d} 40.7{d})")) == "read");
  CHECK(has(refused("origin,destination,trips\nPOINT (40.7 -74),POINT (40.8 -74),24\n"),
            "1 of 1 points in column origin seem to hold latitude first"));
}

TEST_CASE("file faults: a place of 0, 0 is none") {
  CHECK(has(refused(forty("time,lat,lon", "07:{m:02},0,0.0")),
            "all 40 rows begin at 0, 0, which is in the sea"));
  std::string some = sound;
  for (int i = 0; i < 11; ++i) {
    some += "08:00,0,0\n";
  }
  CHECK(has(refused(some), "11 of 51 rows lack what is needed, more than lost_max (20 %)"));
  CHECK(has(refused(some), "line 42: lat, lon: 0, 0, which is in the sea"));
}

}  // namespace dibs::scenario::test::of_file_faults
