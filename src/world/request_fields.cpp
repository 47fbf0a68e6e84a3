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

std::optional<text::clock_time> time_in_field(text::clock_time_reader& times,
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

length_unit length_unit_of(std::string_view column) {
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
  const auto has = [&](std::initializer_list<std::string_view> any) {
    return std::ranges::any_of(
        words, [&](std::string_view word) { return std::ranges::find(any, word) != any.end(); });
  };
  // A `min` in front is the least.
  if (has({"minute", "minutes", "mins", "minuten"}) ||
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
  constexpr std::array<std::string_view, 10> nothing{
      "", "NA", "N/A", "NaN", "nan", "null", "NULL", "None", "none", "\\N"};
  return std::ranges::find(nothing, text::trimmed(field)) != nothing.end();
}

std::string no_time(std::string_view field) {
  return fmt::format(
      "expected a time, such as 25210.5 (seconds since midnight), 07:00:10, "
      "2015-01-31 07:00:10 or 01/31/2015 07:00 AM, found '{}'",
      shown_field(field));
}

}  // namespace dibs::world
