// Goal: times are read as other programs write them, and nothing else is taken for one.
// Method: each way of writing, against days and nanoseconds worked out by hand.

#include "text/clock_time.hpp"

#include "catch.hpp"

#include <string>

namespace dibs::text {
namespace {

std::optional<clock_time> read(const std::string& text) { return clock_time_reader().read(text); }

/// 2015-01-15: 45 years of 365 days, 11 leap days, 14 days of January.
constexpr std::int64_t day_2015_01_15 = 45 * 365 + 11 + 14;
constexpr sim_duration seven_ten = 7h + 10s;

}  // namespace

TEST_CASE("clock times: numbers are seconds since midnight, or since 1970") {
  CHECK(read("25210") == clock_time{0, seven_ten, false, true});
  CHECK(read(" 25210.5 ") == clock_time{0, seven_ten + 500ms, false, true});
  CHECK(read("0") == clock_time{0, 0s, false, true});
  CHECK(read("198010") == clock_time{2, seven_ten, false, true});
  for (const char* const epoch :
       {"1421305210", "1421305210000", "1421305210000000", "1421305210000000000"}) {
    INFO(epoch);
    CHECK(read(epoch) == clock_time{day_2015_01_15, seven_ten, true, false});
  }
  CHECK(read("1.42130521e9") == clock_time{day_2015_01_15, seven_ten, true, false});
  CHECK(read("1421305210.25") == clock_time{day_2015_01_15, seven_ten + 250ms, true, false});
}

TEST_CASE("clock times: with a date, and with a zone, which is left out") {
  const clock_time wanted{day_2015_01_15, seven_ten, true, false};
  for (const auto& [text, ahead] : {std::pair{"2015-01-15T07:00:10Z", 0h},
                                    {"2015-01-15 07:00:10+01:00", 1h},
                                    {"2015-01-15T07:00:10-0500", -5h},
                                    {"2015-01-15 07:00:10 UTC", 0h},
                                    {"2015-01-15 07:00:10 EST", -5h},
                                    {"2015-01-15 07:00:10 EDT", -4h},
                                    {"01/15/2015 07:00:10 AM CST", -6h},
                                    {"2015-01-15 07:00:10 CDT", -5h},
                                    {"2015-01-15 07:00:10 MST", -7h},
                                    {"2015-01-15 07:00:10 MDT", -6h},
                                    {"2015-01-15 07:00:10 PST", -8h},
                                    {"2015-01-15 07:00:10PDT", -7h},
                                    {"2015-01-15 07:00:10 GMT", 0h}}) {
    INFO(text);
    clock_time with_zone = wanted;
    with_zone.offset = ahead;
    CHECK(read(text) == with_zone);
  }
  CHECK(read("07:00:10 +05:30")->offset == 5h + 30min);
  for (const char* const text : {"2015-01-15 07:00:10",
                                 "2015-01-15T07:00:10",
                                 "2015-01-15 07:00:10.000",
                                 "2015/01/15 07:00:10",
                                 "01/15/2015 07:00:10 AM",
                                 "01/15/2015 07:00:10",
                                 "1/15/2015 7:00:10",
                                 "01/15/15 07:00:10",
                                 "15.01.2015 07:00:10"}) {
    INFO(text);
    CHECK(read(text) == wanted);
  }
  CHECK(read("01/15/2015 12:30:00 PM") == clock_time{day_2015_01_15, 12h + 30min, true, false});
  CHECK(read("01/15/2015 12:30:00 AM") == clock_time{day_2015_01_15, 30min, true, false});
  CHECK(read("01/15/2015 07:05 PM") == clock_time{day_2015_01_15, 19h + 5min, true, false});
  CHECK(read("2015-01-15 07:05") == clock_time{day_2015_01_15, 7h + 5min, true, false});
  CHECK(read("2015-01-15T07:00:10.123456789Z") ==
        clock_time{day_2015_01_15, seven_ten + 123456789ns, true, false, 0s});
  CHECK(read("1970-01-01T00:02:00") == clock_time{0, 2min, true, false});
}

TEST_CASE("clock times: without a date, and beyond the day") {
  CHECK(read("07:00:10") == clock_time{0, seven_ten, false, false});
  CHECK(read("7:05") == clock_time{0, 7h + 5min, false, false});
  CHECK(read("07:00:10.5") == clock_time{0, seven_ten + 500ms, false, false});
  CHECK(read("7:05 PM") == clock_time{0, 19h + 5min, false, false});
  CHECK(read("07:00:10 AM") == clock_time{0, seven_ten, false, false});
  CHECK(read("25:10:00") == clock_time{1, 1h + 10min, false, false});
}

TEST_CASE("clock times: dates may have names of months, or nothing between their numbers") {
  const clock_time wanted{day_2015_01_15, seven_ten, true, false};
  for (const char* const text : {"15-Jan-2015 07:00:10",
                                 "15-JAN-15 07:00:10",
                                 "15 January 2015 07:00:10",
                                 "Jan 15, 2015 07:00:10",
                                 "January 15, 2015 7:00:10 AM",
                                 "2015-01-15 07:00:10 AM",
                                 "20150115 07:00:10",
                                 "20150115T070010",
                                 "20150115070010"}) {
    INFO(text);
    CHECK(read(text) == wanted);
  }
  CHECK(read("201501151905") == clock_time{day_2015_01_15, 19h + 5min, true, false});
  CHECK(read("15-Jan-2015 7:05 PM") == clock_time{day_2015_01_15, 19h + 5min, true, false});
  CHECK_FALSE(read("Jam 15, 2015 07:00:10"));
  // At 25 o'clock, and in 2608.
  CHECK_FALSE(read("20150115250010"));
}

TEST_CASE("clock times: what is none is refused") {
  for (const char* const text : {"",
                                 "soon",
                                 "-1",
                                 "nan",
                                 "2015-02-30 07:00:00",
                                 "2015-13-01 07:00:00",
                                 "15/01/2015 07:00:00",
                                 "2015-01-15",
                                 "2015-01-15 25:00:00",
                                 "07:61",
                                 "07:00:61",
                                 "07:00:10 x",
                                 "7:",
                                 "07:00:10.",
                                 "2015-01-15 07:00:10+1",
                                 "2015-01-15 07:00:10 Mars"}) {
    INFO(text);
    CHECK_FALSE(read(text));
  }
}

TEST_CASE("clock times: a reader goes on after another way of writing") {
  clock_time_reader r;
  CHECK(r.read("01/15/2015 07:00:10 AM"));
  CHECK(r.read("2015-01-15 07:00:10"));
  CHECK_FALSE(r.read("never"));
  CHECK(r.read("01/15/2015 07:00:10 AM"));
}

TEST_CASE("clock times: days have names") {
  CHECK(text_of_day(day_2015_01_15, true) == "2015-01-15");
  CHECK(text_of_day(0, false) == "day 1");
}

TEST_CASE("clock times: slashes part month and day in the order of the reader") {
  using enum clock_time_reader::slashes;
  clock_time_reader american;
  const auto january = american.read("01/03/2015 07:00");
  REQUIRE(january);
  CHECK(january->day == day_2015_01_15 - 12);
  CHECK(american.has_read_slashes());
  CHECK_FALSE(american.has_met_other_order());
  CHECK_FALSE(american.read("15/01/2015 07:00:10"));
  CHECK(american.has_met_other_order());
  clock_time_reader british(day_first);
  for (const char* const text :
       {"15/01/2015 07:00:10", "15/01/15 07:00:10", "15/01/2015 07:00:10 AM"}) {
    INFO(text);
    CHECK(british.read(text) == clock_time{day_2015_01_15, seven_ten, true, false});
  }
  CHECK(british.read("01/03/2015 07:00")->day == day_2015_01_15 + 45);
  CHECK_FALSE(british.has_met_other_order());
  CHECK_FALSE(british.read("01/31/2015 07:00"));
  CHECK(british.has_met_other_order());
  clock_time_reader other;
  CHECK(other.read("2015/01/15 07:00:10") == clock_time{day_2015_01_15, seven_ten, true, false});
  CHECK_FALSE(other.has_read_slashes());
}

}  // namespace dibs::text
