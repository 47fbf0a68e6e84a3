#include "world/request_fields.hpp"

#include "text/csv_number.hpp"
#include "text/trimmed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <vector>

namespace dibs::world {

std::string shown_field(std::string_view found) {
  constexpr std::size_t length_max = 40;
  std::string text(found.substr(0, length_max));
  std::replace_if(
      text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }, '?');
  return found.size() > length_max ? text + "..." : text;
}

namespace {

/// A number that was read as seconds.
text::clock_time counted_in(const time_unit& unit, const text::clock_time& seconds) {
  constexpr std::int64_t day_of_1970 = 25'569;
  const double number =
      static_cast<double>(seconds.day) * in_seconds(24h) + in_seconds(seconds.time_of_day);
  // Spreadsheets keep days with some 10 digits: no finer than this.
  const std::int64_t all_s = std::llround(number * in_seconds(unit.one));
  const sim_duration since = unit.is_days
                                 ? sim_duration{1s} * all_s
                                 : sim_duration{std::llround(number * in_seconds(unit.one) * 1e9)};
  const std::int64_t days = since / sim_duration{24h};
  return {.day = days - (unit.is_days ? day_of_1970 : 0),
          .time_of_day = since - days * sim_duration{24h},
          .has_date = unit.is_days,
          .is_number = !unit.is_days};
}

std::optional<text::clock_time> read_time(text::clock_time_reader& times,
                                          std::string_view field,
                                          char separator) {
  const std::size_t comma = field.find(',');
  if (separator == ',' || comma == std::string_view::npos ||
      !text::number_in_field(field, separator)) {
    return times.read(field);
  }
  std::string with_point(field);
  with_point[comma] = '.';
  return times.read(with_point);
}

}  // namespace

std::vector<std::string> words_in(std::string_view column) {
  std::vector<std::string> words(1);
  for (std::size_t i = 0; i < column.size(); ++i) {
    const auto c = static_cast<unsigned char>(column[i]);
    const bool is_capital = std::isupper(c) != 0 && i > 0 &&
                            std::islower(static_cast<unsigned char>(column[i - 1])) != 0;
    if ((std::isalnum(c) == 0 || is_capital) && !words.back().empty()) {
      words.emplace_back();
    }
    if (std::isalnum(c) != 0) {
      words.back() += static_cast<char>(std::tolower(c));
    }
  }
  return words;
}

std::optional<text::clock_time> time_in_field(text::clock_time_reader& times,
                                              std::string_view field,
                                              char separator,
                                              const time_unit& unit) {
  const auto when = read_time(times, field, separator);
  return when && when->is_number && unit.one != 1s ? std::optional(counted_in(unit, *when)) : when;
}

time_unit time_unit_of(std::string_view column) {
  const std::vector<std::string> words = words_in(column);
  const auto has = [&](std::string_view word) {
    return std::ranges::find(words, word) != words.end();
  };
  if (has("minute") || has("hour")) {
    return has("minute") ? time_unit{1min, "minutes"} : time_unit{1h, "hours"};
  }
  const length_unit unit = length_unit_of(column);
  const bool says_seconds =
      has("s") || has("sec") || has("secs") || has("second") || has("seconds");
  return {unit.one, unit.name, unit.one == 1s && !says_seconds};
}

bool says_utc(std::string_view field) {
  field = text::trimmed(field);
  constexpr std::array<std::string_view, 6> zones{"Z", "UTC", "GMT", "+00:00", "+0000", "+00"};
  return std::ranges::any_of(zones, [&](std::string_view zone) { return field.ends_with(zone); });
}

length_unit length_unit_of(std::string_view column) {
  const std::vector<std::string> words = words_in(column);
  const auto has = [&](std::initializer_list<std::string_view> any) {
    return std::ranges::any_of(
        words, [&](std::string_view word) { return std::ranges::find(any, word) != any.end(); });
  };
  // A `min` in front is the least.
  // The normal time of a trip is so in what Didi published.
  const std::size_t n = words.size();
  if (has({"minute", "minutes", "mins", "minuten"}) ||
      (n >= 2 && words[n - 2] == "normal" && words[n - 1] == "time") ||
      std::ranges::find(words.begin() + 1, words.end(), "min") != words.end()) {
    return {1min, "minutes"};
  }
  if (has({"ms", "msec", "msecs", "millis", "millisecond", "milliseconds"})) {
    return {1ms, "milliseconds"};
  }
  if (has({"hours", "hrs", "h"})) {
    return {1h, "hours"};
  }
  return {};
}

std::optional<sim_duration> length_in_field(std::string_view field,
                                            char separator,
                                            const length_unit& unit) {
  constexpr double longest_s = 1e6;
  if (std::ranges::count(field, ':') == 2) {
    const auto hours = text::clock_time_reader().read(field);
    return hours && !hours->has_date
               ? std::optional(hours->day * sim_duration{24h} + hours->time_of_day)
               : std::nullopt;
  }
  const auto number = text::number_in_field(field, separator);
  const double seconds = number.value_or(-1) * in_seconds(unit.one);
  return seconds >= 0 && seconds <= longest_s
             ? std::optional(sim_duration{std::llround(seconds * 1e9)})
             : std::nullopt;
}

bool is_blank(std::string_view field) {
  constexpr auto nothing = std::to_array<std::string_view>(
      {"", "-", "NA", "N/A", "#N/A", "NaN", "nan", "null", "NULL", "None", "none", "\\N"});
  field = text::trimmed(field);
  // MySQL's date of nothing.
  return std::ranges::find(nothing, field) != nothing.end() || field.starts_with("0000-00-00");
}

std::string no_time(std::string_view field) {
  return fmt::format(
      "expected a time, such as 25210.5 (seconds since midnight), 07:00:10, "
      "2015-01-31 07:00:10 or 01/31/2015 07:00 AM, found '{}'",
      shown_field(field));
}

}  // namespace dibs::world
