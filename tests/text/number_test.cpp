#include "text/number.hpp"

#include "catch.hpp"
#include "stats/confidence_interval.hpp"

using namespace dibs;
using text::unit;

TEST_CASE("number: thousands are separated and three digits matter") {
  CHECK(text::with_thousands(0) == "0");
  CHECK(text::with_thousands(999) == "999");
  CHECK(text::with_thousands(1000) == "1,000");
  CHECK(text::with_thousands(18446744073709551615U) == "18,446,744,073,709,551,615");
  CHECK(text::significant(31.41) == "31.4");
  CHECK(text::significant(0.051234) == "0.0512");
  CHECK(text::significant(9.996) == "10.0");
  CHECK(text::significant(12345.6) == "12,346");
  CHECK(text::significant(-12345.6) == "-12,346");
  CHECK(text::significant(7) == "7");
  CHECK(text::significant(1.23e-9) == "1.23e-09");
  CHECK(text::decimal(-0.0001, 2) == "0.00");
}

TEST_CASE("number: a length of time reads in its own unit") {
  CHECK(text::duration(0.0) == "0 s");
  CHECK(text::duration(340e-6) == "340 us");
  CHECK(text::duration(0.0125) == "12.5 ms");
  CHECK(text::duration(7.24) == "7.24 s");
  CHECK(text::duration(119.9) == "120 s");
  CHECK(text::duration(119.96) == "2 min");
  CHECK(text::duration(725.0) == "12 min 5 s");
  CHECK(text::duration(2h + 20min) == "2 h 20 min");
  CHECK(text::duration(1h) == "1 h");
  CHECK(text::duration(3605s) == "1 h 5 s");
  CHECK(text::duration(15s) == "15 s");
  CHECK(text::duration(forever) == "for ever");
}

TEST_CASE("number: a share below one never shows as 100 %, nor one above zero as 0 %") {
  CHECK(text::format_value(0.0121, unit::share) == "1.21 %");
  CHECK(text::format_value(1, unit::share) == "100 %");
  CHECK(text::format_value(0, unit::share) == "0 %");
  CHECK(text::format_value(0.9999, unit::share) == "99.99 %");
  CHECK(text::format_value(0.99999, unit::share) == "99.999 %");
  CHECK(text::format_value(0.00001, unit::share) == "0.00100 %");
}

TEST_CASE("number: units follow their metrics") {
  CHECK(text::format_value(31, unit::count) == "31");
  CHECK(text::format_value(1234, unit::driver_s) == "1,234 driver-s");
  CHECK(text::format_value(360'000, unit::rider_s) == "100 rider-h");
  CHECK(text::format_value(3206, unit::per_hour) == "3,206/h");
  CHECK(text::format_value(0.25, unit::seconds) == "250 ms");
  CHECK(text::format_value(150, unit::seconds) == "2 min 30 s");
}

TEST_CASE("number: an interval decides how many digits its value shows") {
  CHECK(text::format_value(0.0121, stats::margins{0.0008, 0.0008}, unit::share, "+/-") ==
        "1.210 +/- 0.080 %");
  CHECK(text::format_value(31.24, stats::margins{2.1, 2.1}, unit::count, "+/-") == "31.2 +/- 2.1");
  CHECK(text::format_value(1234.5, stats::margins{120, 120}, unit::count, "+/-") ==
        "1,234 +/- 120");
  CHECK(text::format_value(7.2411, stats::margins{0.013, 0.013}, unit::seconds, "+/-") ==
        "7.241 +/- 0.013 s");
}

TEST_CASE("number: a difference stands in the unit of what it is the difference of") {
  CHECK(text::format_difference(40'000, stats::within(-329, 245), unit::driver_s, "+/-") ==
        "-0.091 +/- 0.068 driver-h");
  CHECK(text::format_difference(700, stats::within(10.1, 9.7), unit::driver_s, "+/-") ==
        "10.1 +/- 9.7 driver-s");
  CHECK(text::format_difference(400, stats::within(14, 11), unit::seconds, "+/-") == "14 +/- 11 s");
}

TEST_CASE("number: shares differ by points") {
  CHECK(text::format_difference(0.31, stats::within(-0.0121, 0.0008), unit::share, "+/-") ==
        "-1.210 +/- 0.080 points");
  CHECK(text::shown_difference(0.003, unit::share) == "0.300 points");
  CHECK(text::format_difference(
            1, {0.57, stats::margins{0.0794, 0.0042, true}}, unit::share, "+/-") ==
        "57.0 (49.1..57.4) points");
  CHECK(text::shown_difference(0.003, unit::ratio) == "0.00300");
  CHECK(text::shown_difference(-150, unit::seconds) == "-2 min 30 s");
}

TEST_CASE("number: an interval with unlike sides shows its ends") {
  const stats::margins alike{4.1, 4.2};
  CHECK(text::format_value(57, alike, unit::seconds, "+/-") == "57.0 +/- 4.2 s");
  const stats::margins lopsided{7.94, 0.42};
  CHECK(text::format_value(57.04, lopsided, unit::seconds, "+/-") == "57.0 (49.1..57.5) s");
  CHECK(text::format_value(0, stats::margins{0, 0.18444}, unit::count, "+/-") == "0 (0..0.18)");
  CHECK(text::format_value(1, stats::margins{1, 3.04}, unit::count, "+/-") == "1.0 (0..4.0)");
}

TEST_CASE("number: bytes and rates are compact") {
  CHECK(text::bytes(512) == "512 bytes");
  CHECK(text::bytes(1536) == "1.50 KiB");
  CHECK(text::bytes(std::uint64_t{25} << 30) == "25 GiB");
  CHECK(text::file_size(512) == "512 bytes");
  CHECK(text::file_size(1'500) == "1.50 kB");
  CHECK(text::file_size(999'600) == "1.00 MB");
  CHECK(text::file_size(2'487'408) == "2.49 MB");
  CHECK(text::with_si_prefix(1'812'345) == "1.81 M");
  CHECK(text::with_si_prefix(532) == "532");
}
