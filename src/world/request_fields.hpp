/// Fields of a file of requests, as they are read and as messages show them.
#pragma once

#include "text/clock_time.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dibs::world {

/// The words that a column's name is made of, in small letters.
[[nodiscard]] std::vector<std::string> words_in(std::string_view column);

/// A value from the file, fit for a message: short, and without control characters.
[[nodiscard]] std::string shown_field(std::string_view found);

/// What the numbers in a column of times count, by its name: minutes since midnight those of
/// `minute_of_day`, hours those of `pickup_hour`; else seconds, or days since 1900 as spreadsheets
/// count, unless the name says seconds.
struct time_unit {
  sim_duration one{1s};
  const char* name = "seconds";
  bool may_be_days = false;
  bool is_days = false;
};
inline constexpr time_unit days_since_1900{24h, "days", true, true};
[[nodiscard]] time_unit time_unit_of(std::string_view column);

/// Also a number whose decimal comma parts no fields.
[[nodiscard]] std::optional<text::clock_time> time_in_field(text::clock_time_reader& times,
                                                            std::string_view field,
                                                            char separator,
                                                            const time_unit& unit = {});

/// Whether the time says that it is in UTC: `2015-01-31T07:00:10Z`, `... +00:00`.
[[nodiscard]] bool says_utc(std::string_view field);

/// What the lengths in a column count, by its name: minutes those of `Duration (min)`, hours those
/// of `Trip Hours`, milliseconds where it says ms; else seconds.
struct length_unit {
  sim_duration one{1s};
  const char* name = "seconds";
};
[[nodiscard]] length_unit length_unit_of(std::string_view column);

/// So many units, or `0:03:31`. Nothing if it is neither, is below 0, or above 1,000,000 s.
[[nodiscard]] std::optional<sim_duration> length_in_field(std::string_view field,
                                                          char separator,
                                                          const length_unit& unit);

/// Blank, or one of the words that programs write for nothing.
[[nodiscard]] bool is_blank(std::string_view field);

/// What to say of a field that is no time.
[[nodiscard]] std::string no_time(std::string_view field);

}  // namespace dibs::world
