/// When something was, in the ways in which other programs write it into files.
///
/// A number is seconds since midnight, which may go on beyond the first day; from 100,000,000 on it
/// is seconds, milliseconds, microseconds or nanoseconds since 1970 (UTC), by its size. A time is
/// `7:05`, `07:05:09.5`, `7:05 PM`, or `25:10:00` of the day after. A date before it is
/// `2015-01-31`, `2015/01/31`, `01/31/2015` (the month first), `31.01.2015`, `31-Jan-2015` or `Jan
/// 31, 2015`, and `31/01/2015` if the reader takes the day first, also with `-` for the slashes;
/// `20150131070010` is a date with its time. A zone at the end leaves the time as it is on the
/// clocks there; which one it is stands beside it.
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
  /// Of its zone, ahead of UTC, where it says one.
  std::optional<sim_duration> offset{};

  friend bool operator==(const clock_time&, const clock_time&) = default;
};

/// From the one to the other: between the instants where both say their zone, else on the clocks.
[[nodiscard]] sim_duration between(const clock_time& from, const clock_time& to);

/// What digits alone are, which are no count of seconds: `143756` is 14:37:56.
enum class digit_form : std::uint8_t {
  count,
  hours_minutes,          ///< HHMM
  hours_minutes_seconds,  ///< HHMMSS
  date_hours,             ///< yyyymmddHH
  date_minutes,           ///< yyyymmddHHMM, which is read so in any case
  short_date_minutes,     ///< yymmddHHMM
  short_date_seconds      ///< yymmddHHMMSS
};

/// Remembers how the last one was written, since a column is written one way.
class clock_time_reader {
 public:
  /// Which of the two numbers of `03/04/2015` is the day.
  enum class slashes : std::uint8_t { month_first, day_first };
  explicit clock_time_reader(slashes how = slashes::month_first,
                             digit_form digits = digit_form::count)
      : how_(how), digits_(digits) {}

  /// Nothing if it is written in no such way, is no such time, or no such date.
  [[nodiscard]] std::optional<clock_time> read(std::string_view text);

  /// Whether such a date was read, and whether one that has no month but a day there.
  [[nodiscard]] bool has_read_slashes() const { return has_read_slashes_; }
  [[nodiscard]] bool has_met_other_order() const { return has_met_other_order_; }
  /// Whether such a date was read that has no month where its day is: no doubt is left.
  [[nodiscard]] bool has_met_this_order() const { return has_met_this_order_; }
  /// The day of the last one read, were month and day the other way round: the same where its date
  /// is written without doubt. Requires: something was read.
  [[nodiscard]] std::int64_t other_day() const { return other_day_; }
  /// Of the last one read: equal where dates, or what stands for them, are written in one way.
  [[nodiscard]] int way() const { return way_; }
  /// Whether some time was of a clock of 12 hours that says which half of the day it is.
  [[nodiscard]] bool has_read_halves() const { return has_read_halves_; }

 private:
  std::optional<clock_time> read_written(std::string_view text);

  slashes how_;
  digit_form digits_;
  bool has_read_slashes_ = false;
  bool has_met_other_order_ = false;
  bool has_met_this_order_ = false;
  bool has_read_halves_ = false;
  std::int64_t other_day_ = 0;
  int way_ = 0;
  std::size_t last_ = 0;
  std::string buffer_;
};

/// `2015-01-31`, or `day 3` of times without dates: the first is day 1.
[[nodiscard]] std::string text_of_day(std::int64_t day, bool has_date);

}  // namespace dibs::text
