// Goal: a matrix's counts and periods are told by the names and numbers that people write.
// Method: small files of three zones, whose rides are counted by hand.

#include "catch.hpp"
#include "has.hpp"
#include "scenario/request_text.hpp"

#include <string>

namespace dibs::scenario::test {

using dibs::test::has;

namespace {

result<request_file> look_at_zoned(const std::string& rows) {
  const scratch folder;
  std::ofstream(folder / "r.csv") << rows;
  std::ofstream(folder / "zones.csv") << "zone,lat,lon\n1,40.70,-74.0\n2,40.75,-73.95\n";
  return look_at_requests(folder / "r.csv", folder / "zones.csv");
}

std::string said_of(const result<request_file>& found) {
  std::string all = found ? "" : found.error().text;
  if (found) {
    for (const std::string& each : found->doubts) {
      all += each + "\n";
    }
  }
  return all;
}

/// Two pairs in each of the periods, with 1.5 rides each.
std::string in_periods(const std::string& name, std::initializer_list<const char*> periods) {
  std::string text = "origin,destination," + name + ",trips\n";
  for (const char* const period : periods) {
    text += fmt::format("1,2,{0},1.5\n2,1,{0},1.5\n", period);
  }
  return text;
}

}  // namespace

TEST_CASE("matrix names: periods may be minutes since midnight, by name") {
  for (const char* name :
       {"time_min", "minute_of_day", "minute", "start_minute", "departure_minute"}) {
    INFO(name);
    const auto found =
        look_at_zoned(in_periods(name, {"360", "375", "390", "405", "420", "435", "450", "465"}));
    INFO(said_of(found));
    REQUIRE(found);
    REQUIRE(found->matrix);
    CHECK(found->matrix->columns.time == name);
    CHECK_FALSE(found->matrix->columns.date);
    CHECK(found->matrix->period == 15min);
    CHECK(found->begins == 6h);
    CHECK(found->lasts == 2h);
    CHECK(found->rides_per_hour == Approx(12));  // 24 in two hours
    CHECK(has(said_of(found), "are read as minutes since midnight"));
  }
}

TEST_CASE("matrix names: 715 is a quarter past seven, by name or by its steps") {
  for (const char* name : {"time", "hhmm", "time_hhmm"}) {
    INFO(name);
    const auto found =
        look_at_zoned(in_periods(name, {"645", "700", "715", "730", "745", "800", "815", "830"}));
    INFO(said_of(found));
    REQUIRE(found);
    REQUIRE(found->matrix);
    CHECK(found->matrix->columns.time == name);
    CHECK(found->matrix->period == 15min);
    CHECK(found->begins == 7h);
    CHECK(found->rides_per_hour == Approx(10.5));  // 21 in two hours
    CHECK(has(said_of(found), "are read as hours and minutes of a clock, 715 as 07:15"));
  }
  // Steps of whole minutes may be seconds.
  const auto seconds = look_at_zoned(in_periods("time", {"0", "900", "1800", "2700"}));
  REQUIRE(seconds);
  CHECK(seconds->matrix->period == 15min);
  CHECK(seconds->begins == 0h);
  CHECK(seconds->rides_per_hour == Approx(12));
}

TEST_CASE("matrix names: counts are called by many names") {
  for (const char* name : {"ridership",
                           "Estimated Average Ridership",
                           "TOTAL_TRIPS",
                           "volume",
                           "flow",
                           "demand",
                           "boardings",
                           "riders",
                           "passengers"}) {
    INFO(name);
    const auto found = look_at_zoned(fmt::format("origin,destination,{}\n1,2,24\n2,1,48\n", name));
    INFO(said_of(found));
    REQUIRE(found);
    REQUIRE(found->matrix);
    CHECK(found->matrix->columns.rides == name);
    CHECK(found->rides_per_hour == Approx(3));
  }
}

TEST_CASE("matrix names: a count of a week, a month or a year is divided") {
  for (const auto& [name, days] : {std::pair{"trips_per_week", 7.0},
                                   std::pair{"weekly_trips", 7.0},
                                   std::pair{"trips_per_month", 365.0 / 12},
                                   std::pair{"monthly_trips", 365.0 / 12},
                                   std::pair{"annual_trips", 365.0},
                                   std::pair{"yearly_trips", 365.0},
                                   std::pair{"trips_per_year", 365.0}}) {
    INFO(name);
    const auto found =
        look_at_zoned(fmt::format("origin,destination,{}\n1,2,2400\n2,1,4800\n", name));
    INFO(said_of(found));
    REQUIRE(found);
    CHECK(found->rides_per_hour == Approx(300 / days));
    CHECK_FALSE(has(said_of(found), "nothing says in which time"));
    const auto hourly = look_at_zoned(
        fmt::format("origin,destination,hour,{}\n1,2,7,700\n2,1,7,700\n1,2,8,700\n", name));
    REQUIRE(hourly);
    CHECK(hourly->begins == 7h);
    CHECK(hourly->rides_per_hour == Approx(1050 / days));
  }
}

TEST_CASE("matrix names: those of Singapore's buses are known") {
  const auto found = look_at_zoned(
      "YEAR_MONTH,DAY_TYPE,TIME_PER_HOUR,PT_TYPE,ORIGIN_PT_CODE,DESTINATION_PT_CODE,TOTAL_TRIPS\n"
      "2024-01,WEEKDAY,7,BUS,1,2,56\n2024-01,WEEKDAY,8,BUS,1,2,45\n2024-01,WEEKDAY,7,BUS,2,1,17\n");
  INFO(said_of(found));
  REQUIRE(found);
  REQUIRE(found->matrix);
  CHECK(found->matrix->columns.time == "TIME_PER_HOUR");
  CHECK(found->matrix->columns.lat == "ORIGIN_PT_CODE");
  CHECK(found->matrix->columns.to_lat == "DESTINATION_PT_CODE");
  CHECK(found->matrix->columns.rides == "TOTAL_TRIPS");
  CHECK(found->begins == 7h);
  // Counts of a month's weekdays.
  CHECK(found->rides_per_hour == Approx(59 / (365.0 / 12 * 5 / 7)));
  CHECK(has(said_of(found), "of 21.7 days for each DAY_TYPE of 1 kind"));
}

TEST_CASE("matrix names: counts beside a month are those of all its days") {
  const auto of = [](const std::string& text) {
    const auto found = look_at_zoned(text);
    INFO(said_of(found));
    REQUIRE(found);
    REQUIRE(found->matrix);
    return *found;
  };
  const double month = 365.0 / 12;
  const auto both =
      of("YEAR_MONTH,DAY_TYPE,HOUR,ORIGIN,DESTINATION,TOTAL_TRIPS\n"
         "2024-01,WEEKDAY,7,1,2,300\n2024-01,WEEKENDS,7,1,2,60\n");
  CHECK(both.rides_per_hour == Approx(360 / month));
  const auto months =
      of("month,hour,origin,destination,trips\n"
         "2024-01,7,1,2,300\n2024-02,7,1,2,100\n");
  CHECK(months.matrix->columns.date == "month");
  CHECK(months.rides_per_hour == Approx(200 / month));
  const auto year = of("year,hour,origin,destination,trips\n2024,7,1,2,3650\n2024,7,2,1,3650\n");
  CHECK(year.rides_per_hour == Approx(20));
  // Days are said, or the counts are means.
  CHECK(
      of("month,day,hour,origin,destination,trips\n1,2,7,1,2,30\n1,3,7,1,2,50\n").rides_per_hour ==
      Approx(40));
  CHECK(
      of("month,hour,origin,destination,average trips\n1,7,1,2,30\n1,7,2,1,50\n").rides_per_hour ==
      Approx(80));
}

TEST_CASE("matrix names: of days of the week the mean is taken") {
  const auto found = look_at_zoned(
      "origin,destination,weekday,hour,trips\n1,2,Mon,8,2\n1,2,Tue,8,4\n2,1,Mon,8,5\n2,1,Tue,8,"
      "7\n");
  INFO(said_of(found));
  REQUIRE(found);
  CHECK(found->matrix->columns.date == "weekday");
  CHECK(found->days == 2);
  CHECK(found->rides_per_hour == Approx(9));
  std::string rows =
      "Month,Day of Week,Hour of Day,Timestamp,Origin ID,Origin Latitude,Origin Longitude,"
      "Destination ID,Destination Latitude,Destination Longitude,Estimated Average Ridership\n";
  for (const char* day : {"Monday", "Tuesday"}) {
    for (int hour = 7; hour < 9; ++hour) {
      for (int pair = 1; pair < 8; ++pair) {
        rows += fmt::format(
            "6,{0},{1},06/01/2023 {1:02}:00:00 AM,{2},40.7{2},-73.9,{2},40.7{2},-73.8,{2}.25\n",
            day,
            hour,
            pair);
      }
    }
  }
  const auto subway = look_at(rows);
  INFO(said_of(subway));
  REQUIRE(subway);
  REQUIRE(subway->matrix);
  CHECK(subway->matrix->columns.rides == "Estimated Average Ridership");
  CHECK(subway->days == 2);
  CHECK(subway->begins == 7h);
  CHECK(subway->rides_per_hour == Approx(28 + 7 * 0.25));
}

}  // namespace dibs::scenario::test
