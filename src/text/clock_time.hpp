/// When something was, in the ways in which other programs write it into files.
///
/// A number is seconds since midnight, which may go on beyond the first day; from 100,000,000 on it
/// is seconds, milliseconds, microseconds or nanoseconds since 1970 (UTC), by its size. A time is
/// `7:05`, `07:05:09.5`, `7:05 PM`, or `25:10:00` of the day after. A date before it is
/// `2015-01-31`, `2015/01/31`, `01/31/2015` (the month first), `31.01.2015`, `31-Jan-2015` or `Jan
/// 31, 2015`, and `31/01/2015` if the reader takes the day first; `20150131070010` is a date with
/// its time. A zone at the end is left out: it is the time on the clocks there.
///
/// Dates are read by strptime of the C library, in its standard locale.
#pragma once

#include "base/time.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace dibs::text {

struct clock_time {
  std::int64_t day = 0;        ///< since 1970 where there is a date, else since the first day
  sim_duration time_of_day{};  ///< 0 to below 24 h
  bool has_date = false;
  bool is_number = false;  ///< of seconds since midnight

  friend bool operator==(const clock_time&, const clock_time&) = default;
};

/// Remembers how the last one was written, since a column is written one way.
class clock_time_reader {
 public:
  /// Which of the two numbers of `03/04/2015` is the day.
  enum class slashes : std::uint8_t { month_first, day_first };
  explicit clock_time_reader(slashes how = slashes::month_first) : how_(how) {}

  /// Nothing if it is written in no such way, is no such time, or no such date.
  [[nodiscard]] std::optional<clock_time> read(std::string_view text);

  /// Whether such a date was read, and whether one that has no month but a day there.
  [[nodiscard]] bool has_read_slashes() const { return has_read_slashes_; }
  [[nodiscard]] bool has_met_other_order() const { return has_met_other_order_; }
  /// Whether such a date was read that has no month where its day is: no doubt is left.
  [[nodiscard]] bool has_met_this_order() const { return has_met_this_order_; }

 private:
  slashes how_;
  bool has_read_slashes_ = false;
  bool has_met_other_order_ = false;
  bool has_met_this_order_ = false;
  std::size_t last_ = 0;
  std::string buffer_;
};

/// `2015-01-31`, or `day 3` of times without dates: the first is day 1.
[[nodiscard]] std::string text_of_day(std::int64_t day, bool has_date);

}  // namespace dibs::text
