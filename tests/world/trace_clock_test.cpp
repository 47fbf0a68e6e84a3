// Goal: times are replayed when they were, in whichever zone, order or form each is written.
// Method: small files, against times, lengths and counts worked out by hand.

#include "catch.hpp"
#include "has.hpp"
#include "world/city.hpp"
#include "world/demand.hpp"
#include "world/temporary_file.hpp"
#include "world/trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace {

using namespace dibs;
using namespace dibs::world;
using dibs::test::has;
using world::test::city;

result<trace> read_clock(const std::string& content, const trace_options& options = {}) {
  const dibs::test::temporary_file file(content);
  return read_trace(file.path(), options, city);
}

std::string note_of(const result<trace>& read, const std::string& words) {
  REQUIRE(read);
  const auto found =
      std::ranges::find_if(read->doubts, [&](const auto& each) { return has(each, words); });
  return found == read->doubts.end() ? "" : *found;
}

const std::string with_end = "time,to_time,lat,lon\n";
const std::string here = ",40.7,-74\n";

}  // namespace

TEST_CASE("trace clock: times of other zones are brought to that of the first", "[trace]") {
  const auto got = read_clock("time,lat,lon\n2015-01-14T23:02:38-05:00" + here +
                              "2015-01-15T04:30:00Z" + here + "2015-01-14T20:10:00-08:00" + here);
  REQUIRE(got);
  REQUIRE(got->rows.size() == 3);
  CHECK(got->days == std::vector<std::string>{"2015-01-14"});
  CHECK(got->rows[0].time_of_day == 23h + 2min + 38s);
  CHECK(got->rows[1].time_of_day == 23h + 10min);
  CHECK(got->rows[1].number == 2);
  CHECK(got->rows[2].time_of_day == 23h + 30min);
  CHECK(note_of(got, "zone UTC") ==
        "1 of 3 rows have their time in `time` in the zone UTC, where the first has -05:00: they "
        "are brought to -05:00");
  CHECK(has(note_of(got, "zone -08:00"), "1 of 3 rows"));
  // A change of clocks is no other zone.
  const auto change = read_clock("time,lat,lon\n2015-03-08T01:50:00-05:00" + here +
                                 "2015-03-08T03:07:00-04:00" + here);
  REQUIRE(change);
  CHECK(change->rows[1].time_of_day == 3h + 7min);
  CHECK(change->doubts.empty());
}

TEST_CASE("trace clock: lengths are between instants", "[trace]") {
  const auto got = read_clock(with_end + "2015-01-14T00:02:38-05:00,2015-01-14T05:10:47Z" + here +
                              "2015-03-08T01:50:57-05:00,2015-03-08T03:07:30-04:00" + here +
                              "2015-11-01T01:50:00-04:00,2015-11-01T01:07:00-05:00" + here);
  REQUIRE(got);
  REQUIRE(got->rows.size() == 3);
  std::vector<sim_duration> trips(3);
  for (const trace_row& row : got->rows) {
    trips[row.number] = row.trip;
  }
  CHECK(trips == std::vector<sim_duration>{489s, 16min + 33s, 17min});
}

TEST_CASE("trace clock: lengths of hours are doubted, and such as end before they begin",
          "[trace]") {
  std::string late = with_end;
  std::string early = with_end;
  for (int i = 0; i < 20; ++i) {
    late += fmt::format("2015-01-14 07:{0}:00,2015-01-14 15:{1}:00{2}", 10 + i, 20 + i, here);
    early += fmt::format("2015-01-14 12:{0}:00,2015-01-14 07:{1}:00{2}", 10 + i, 20 + i, here);
  }
  CHECK(
      has(note_of(read_clock(late), "another zone"),
          "by the times up to `to_time`, 20 of 20 trips take more than an hour, 8.2 h on average"));
  const auto refused = read_clock(early);
  REQUIRE_FALSE(refused);
  CHECK(has(refused.error().text,
            "20 of 20 trips end before they begin, by 4.8 h on average: is one of `time` and "
            "`to_time` in another zone?"));
}

TEST_CASE("trace clock: trips by two times may be too slow for a car", "[trace]") {
  std::string slow = "time,to_time,lat,lon,to_lat,to_lon\n";
  for (int i = 0; i < 20; ++i) {
    slow += fmt::format("07:{},15:{},40.70,-74,40.71,-74\n", 10 + i, 20 + i);
  }
  CHECK(has(note_of(read_clock(slow), "slower"),
            "by the times up to `to_time`, 20 of 20 trips are slower than 1.1 km/h"));
}

TEST_CASE("trace clock: digits alone are read as the times that they are", "[trace]") {
  std::string content = "pickup_time,lat,lon\n000145" + here;
  for (int i = 1; i < 12; ++i) {
    content += fmt::format("{:02}{:02}{:02}{}", 2 * i, i, i, here);
  }
  trace_options options;
  options.columns.time = "pickup_time";
  const auto got = read_clock(content, options);
  REQUIRE(got);
  CHECK(got->days == std::vector<std::string>{"day 1"});
  CHECK(got->rows[0].time_of_day == 1min + 45s);
  CHECK(got->rows[11].time_of_day == 22h + 11min + 11s);
  CHECK(has(note_of(got, "digits"), "read as hours, minutes and seconds, as 000145"));
  // A name that says seconds is believed.
  options.columns.time = "pickup_time_s";
  const auto seconds = read_clock("pickup_time_s" + content.substr(content.find(',')), options);
  REQUIRE(seconds);
  CHECK(seconds->days.size() == 3);
  const auto dates =
      read_clock("time,lat,lon\n2015011414" + here + "2015011407" + here + "2015011523" + here);
  REQUIRE(dates);
  CHECK(dates->days == std::vector<std::string>{"2015-01-14", "2015-01-15"});
  CHECK(dates->rows[0].time_of_day == 7h);
}

TEST_CASE("trace clock: of two orders of dates the one whose days lie together is taken",
          "[trace]") {
  std::string days = "time,lat,lon\n";
  for (int i = 1; i < 10; ++i) {
    days += fmt::format("{:02}/03/2016 07:10{}", i, here);
  }
  const auto got = read_clock(days);
  CHECK(has(note_of(got, "day first"),
            "dates with slashes are read with the day first: no date says otherwise, so its dates "
            "lie within 9 days, and with the month first within 245"));
  CHECK(got->days.front() == "2016-03-01");
  CHECK(got->days.back() == "2016-03-09");
  std::string american = "time,lat,lon\n";
  for (int i = 1; i < 10; ++i) {
    american += fmt::format("03/{:02}/2016 07:10{}", i, here);
  }
  const auto months = read_clock(american);
  CHECK(has(note_of(months, "month first"), "within 9 days, and with the day first within 245"));
  CHECK(months->days.back() == "2016-03-09");
  // Over midnight, of the same two days: only the ends tell.
  std::string nights = with_end;
  for (int i = 0; i < 10; ++i) {
    nights += fmt::format("02/03/2016 23:5{0},03/03/2016 00:1{0}{1}", i, here);
  }
  const auto night = read_clock(nights);
  CHECK(has(note_of(night, "day first"), "10 of 10 trips end within a day"));
  CHECK(night->rows[0].trip == 20min);
}

TEST_CASE("trace clock: dates with dashes, two digits of a year or a comma", "[trace]") {
  for (const char* const time : {"14-01-2015 07:00:10",
                                 "14.01.15 07:00:10",
                                 "\"01/14/2015, 07:00:10 AM\"",
                                 "14/1/2015 7:00:10",
                                 "2015-01-14 07:00:10 EST"}) {
    INFO(time);
    const auto got = read_clock("time,lat,lon\n" + std::string(time) + here);
    REQUIRE(got);
    CHECK(got->days == std::vector<std::string>{"2015-01-14"});
    CHECK(got->rows[0].time_of_day == 7h + 10s);
  }
  const auto mixed = read_clock("time,lat,lon\n11/7/2016 0:07" + here + "13-07-2016 00:23:36" +
                                here + "12/7/2016 0:08" + here);
  CHECK(note_of(mixed, "ways") ==
        "the times in `time` are written in 2 ways: 2 rows as 11/7/2016 0:07, 1 row as 13-07-2016 "
        "00:23:36");
  CHECK(mixed->days == std::vector<std::string>{"2016-07-11", "2016-07-12", "2016-07-13"});
}

TEST_CASE("trace clock: an hour's mean is of the days that have it", "[trace]") {
  // 18:00 to 20:59 on both days, all else on one: 2 an hour, 20 from 18:00 to 18:59.
  std::string content = "time,lat,lon\n";
  for (int hour = 18; hour < 45; ++hour) {
    const int rides = hour % 24 == 18 ? 20 : 2;
    for (int i = 0; i < rides; ++i) {
      content += fmt::format(
          "2015-01-{} {:02}:{:02}:00{}", 14 + hour / 24, hour % 24, i * 60 / rides, here);
    }
  }
  const auto got = read_clock(content);
  REQUIRE(got);
  CHECK(got->days.size() == 2);
  CHECK(got->days_at(8h) == 1);
  CHECK(got->days_at(18h) == 2);
  CHECK(got->days_at(20h + 30min) == 2);
  CHECK(got->days_at(22h) == 2);  // 6 rides are no evidence
  CHECK(has(note_of(got, "the file has"),
            "the file has 2015-01-14 from 18:00 on: each hour's mean is of the days that have it; "
            "whole, for `demand.*.day`: 2015-01-15"));
  const trace_demand all{.rows = std::make_shared<trace>(*got)};
  double rides = 0;
  for (const trace_row& row : got->rows) {
    rides += all.copies(row);
  }
  // 18 hours of 2, one of 20, 5 of 2 of which the last three are halved.
  CHECK(rides == Approx(18 * 2 + 20 + 2 + 2 + 3));
  CHECK(all.copies() == 1);
  CHECK(read_clock(content, {.day = "2015-01-15"})->days_at(8h) == 1);
}

TEST_CASE("trace clock: the date may stand in a column of its own", "[trace]") {
  const trace_options options{.columns = {.date = "day"}};
  const auto got = read_clock("day,time,to_time,lat,lon\n14/01/2015,08:15:30,08:20:00" + here +
                                  "15/01/2015,23:50:00,00:10:00" + here,
                              options);
  REQUIRE(got);
  CHECK(got->days == std::vector<std::string>{"2015-01-14", "2015-01-15"});
  CHECK(got->rows[0].trip == 4min + 30s);
  CHECK(got->rows[1].trip == 20min);
  std::string digits = "day,time,lat,lon\n";
  for (int i = 0; i < 12; ++i) {
    digits += fmt::format("201501{},{:02}15{:02}{}", 14 + i % 2, i, 30 + i, here);
  }
  const auto of_digits = read_clock(digits, options);
  REQUIRE(of_digits);
  CHECK(of_digits->days == std::vector<std::string>{"2015-01-14", "2015-01-15"});
  CHECK(of_digits->rows[8].time_of_day == 8h + 15min + 38s);
  CHECK_FALSE(read_clock("day,time,lat,lon\nsoon,07:00" + here, options));
  CHECK(has(read_clock("time,lat,lon\n07:00" + here, options).error().text, "no column 'day'"));
}

TEST_CASE("trace clock: what is lost in times is said", "[trace]") {
  std::string halves = "time,lat,lon\n";
  std::string cut = "time,lat,lon\n";
  for (int i = 0; i < 60; ++i) {
    halves += fmt::format("2015-01-14 {:02}:{:02}{}", 1 + i % 12, i, here);
    cut += fmt::format("1.4212{}E+12{}", i % 3, here);
  }
  CHECK(has(note_of(read_clock(halves), "clock of 12 hours"), "before 01:00 or after 12:59"));
  CHECK(has(note_of(read_clock(cut), "are cut to"), "cut to 6 digits, as 1.42120E+12"));
  CHECK(has(note_of(read_clock(cut), "are cut to"), "lie 10000s apart"));
  CHECK(note_of(read_clock(halves + "2015-01-14 13:00" + here), "clock of 12 hours").empty());
}

TEST_CASE("trace clock: lengths in milliseconds are told by their size", "[trace]") {
  std::string content = "time,trip,lat,lon\n";
  for (int i = 0; i < 20; ++i) {
    content += fmt::format("07:{},{}{}", 10 + i, 1'100'000 + i, here);
  }
  const auto refused = read_clock(content);
  REQUIRE_FALSE(refused);
  CHECK(has(refused.error().text,
            "20 lengths in `trip` are numbers above 1000000: if they count milliseconds, call it "
            "`trip_ms`"));
}
