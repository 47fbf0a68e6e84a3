/// What the numbers in a matrix's columns of periods are: hours of the day, seconds or minutes
/// since midnight, or the digits of a clock.
#pragma once

#include "text/clock_time.hpp"

#include <cstdint>
#include <optional>
#include <set>
#include <string_view>

namespace dibs::world {

enum class period_numbers : std::uint8_t {
  hours,    ///< up to 24, and seconds beyond
  minutes,  ///< since midnight
  clock     ///< 715 is 07:15
};

/// By the name of the column: minutes of `minute_of_day` and `time_min`, a clock of `hhmm`.
[[nodiscard]] period_numbers numbers_in_name(std::string_view column);

/// In a matrix a number of at most 24 is an hour of the day, and other times are as in traces,
/// unless the numbers are something else.
[[nodiscard]] std::optional<text::clock_time> matrix_time(
    text::clock_time_reader& times,
    std::string_view field,
    char separator,
    period_numbers how = period_numbers::hours);

/// What the numbers are by all of them, where the name says nothing.
class periods_seen {
 public:
  void look_at(std::string_view field, char separator);

  /// Steps of a part of a minute are none of seconds. They are digits of a clock if the last two
  /// are below 60 and multiples of five, else minutes if they fit into a day.
  [[nodiscard]] period_numbers telling() const;

 private:
  bool are_whole_ = true;
  std::set<std::int64_t> numbers_;
};

}  // namespace dibs::world
