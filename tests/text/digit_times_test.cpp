// Goal: digits alone are told to be hours and minutes, or dates, and counts stay counts.
// Method: columns made by hand, against what each value is; counts of every step that a trace may
// have.

#include "text/digit_times.hpp"

#include "catch.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

namespace dibs::text {
namespace {

digit_form form_of(const std::vector<std::string>& values) {
  digit_evidence seen;
  for (const std::string& value : values) {
    seen.look_at(value);
  }
  return seen.form();
}

/// 24 times of a day, each an hour and some more after the one before.
std::vector<std::string> day_in(const char* how) {
  std::vector<std::string> all;
  for (int i = 0; i < 24; ++i) {
    all.push_back(fmt::format(fmt::runtime(how),
                              fmt::arg("h", i),
                              fmt::arg("m", i * 7 % 60),
                              fmt::arg("s", i * 13 % 60)));
  }
  return all;
}

/// 2015-01-14.
constexpr std::int64_t day_2015_01_14 = 45 * 365 + 11 + 13;

}  // namespace

TEST_CASE("digit times: each form is told, and read") {
  struct {
    const char* how;
    digit_form form;
    const char* value;
    clock_time is;
  } const cases[]{
      {"{h:02}{m:02}", digit_form::hours_minutes, "0714", {0, 7h + 14min, false, false}},
      {"{h}{m:02}", digit_form::hours_minutes, "714", {0, 7h + 14min, false, false}},
      {"{h:02}{m:02}{s:02}", digit_form::hours_minutes_seconds, "000145", {0, 105s, false, false}},
      {"{h}{m:02}{s:02}.0",
       digit_form::hours_minutes_seconds,
       "143756.0",
       {0, 14h + 37min + 56s, false, false}},
      {"20150114{h:02}", digit_form::date_hours, "2015011414", {day_2015_01_14, 14h, true, false}},
      {"150114{h:02}{m:02}",
       digit_form::short_date_minutes,
       "1501141437",
       {day_2015_01_14, 14h + 37min, true, false}},
      {"150114{h:02}{m:02}{s:02}",
       digit_form::short_date_seconds,
       "150114143756",
       {day_2015_01_14, 14h + 37min + 56s, true, false}},
  };
  for (const auto& c : cases) {
    INFO(c.how);
    CHECK(form_of(day_in(c.how)) == c.form);
    CHECK(read_digits_as(c.value, c.form) == c.is);
    CHECK(clock_time_reader(clock_time_reader::slashes::month_first, c.form).read(c.value) == c.is);
  }
}

TEST_CASE("digit times: counts of seconds stay counts") {
  for (const int step : {1, 5, 7, 10, 30, 60, 97, 100, 250, 300, 900, 1000, 3600}) {
    for (const int from : {0, 25200, 36000, 60000}) {
      INFO(step << " from " << from);
      std::vector<std::string> values;
      for (int i = 0; i < 200; ++i) {
        values.push_back(fmt::format("{}", from + step * i));
      }
      CHECK(form_of(values) == digit_form::count);
    }
  }
  std::vector<std::string> epochs;
  std::vector<std::string> dense;
  for (int i = 0; i < 100; ++i) {
    epochs.push_back(fmt::format("{}", 1421193600 + 863 * i));
    dense.push_back(fmt::format("20190114{:02}{:02}", i % 24, i % 60));
  }
  CHECK(form_of(epochs) == digit_form::count);
  CHECK(form_of(dense) == digit_form::count);
  CHECK(form_of({"25:10:00", "07:00:00"}) == digit_form::count);
  CHECK(form_of({}) == digit_form::count);
}

TEST_CASE("digit times: what is no such time is refused") {
  for (const char* const none : {"2460", "060", "7a", "", "99999"}) {
    INFO(none);
    CHECK_FALSE(read_digits_as(none, digit_form::hours_minutes));
  }
  CHECK_FALSE(read_digits_as("240000", digit_form::hours_minutes_seconds));
  CHECK_FALSE(read_digits_as("2015023014", digit_form::date_hours));
  CHECK_FALSE(read_digits_as("151301000000", digit_form::short_date_seconds));
}

}  // namespace dibs::text
