#include "world/trace_doubts.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace dibs::world {
namespace {

/// Fewer rows than these say nothing.
constexpr std::uint64_t rows_min = 10;
/// A column whose times are all of the first seconds after midnight, no more than a day has
/// minutes, holds something else.
constexpr sim_duration early = 1440s;
/// Numbers that count hours or days from some year are all of one minute if they are taken for
/// seconds.
constexpr sim_duration narrow = 1min;
/// Of the minutes since 1970, in days of as many seconds: 2008 to 2046.
constexpr std::int64_t minutes_from = 231;
constexpr std::int64_t minutes_to = 463;
/// Of spreadsheets: 1954 to 2119, and all within three years.
constexpr sim_duration days_from = 20'000s;
constexpr sim_duration days_to = 80'000s;
constexpr sim_duration days_span = 1000s;
/// Straight from end to end: no car is so fast, and whoever walks is faster.
constexpr double too_fast_m_per_s = 70;
constexpr double too_slow_m_per_s = 0.3;
constexpr double long_enough_m = 500;

}  // namespace

void trace_doubts::look_at_time(const text::clock_time& when) {
  ++times_;
  latest_ = std::max(latest_, when.time_of_day);
  earliest_ = std::min(earliest_, when.time_of_day);
  with_fraction_ += when.is_number && when.day == 0 && when.time_of_day % 1s != 0s ? 1U : 0U;
  has_met_numbers_ = has_met_numbers_ || when.is_number;
  all_are_numbers_ = all_are_numbers_ && when.is_number && !when.has_date;
  all_are_minutes_ =
      all_are_minutes_ && all_are_numbers_ && when.day >= minutes_from && when.day <= minutes_to;
  all_are_early_ = all_are_early_ && when.is_number && when.day == 0 && when.time_of_day < early;
}

void trace_doubts::look_at_trip(const point& from, const point& to, sim_duration trip) {
  const double straight_m = map_.distance_m(from, to);
  if (straight_m < long_enough_m) {
    return;
  }
  const double seconds = in_seconds(trip);
  ++trips_;
  too_fast_ += straight_m > too_fast_m_per_s * seconds ? 1 : 0;
  too_slow_ += straight_m < too_slow_m_per_s * seconds ? 1 : 0;
}

void trace_doubts::look_at_length(sim_duration trip) {
  ++lengths_;
  of_hours_ += trip > 1h ? 1U : 0U;
  lengths_s_ += in_seconds(trip);
}

/// Lengths of two times are their own evidence; else they are a column's.
std::string trace_doubts::source_of_lengths() const {
  return lengths_ > 0 ? fmt::format("the times up to `{}`", columns_.to_time)
                      : fmt::format("column `{}`", columns_.trip);
}

void trace_doubts::doubt_lengths(std::vector<std::string>& into) const {
  const bool are_of_hours = lengths_ >= rows_min && 100 * of_hours_ >= 95 * lengths_;
  if (are_of_hours) {
    into.push_back(
        fmt::format("by the times up to `{}`, {} of {} trips take more than an hour, {:.1f} h on "
                    "average: is one of the two columns in another zone?",
                    columns_.to_time,
                    of_hours_,
                    lengths_,
                    lengths_s_ / static_cast<double>(lengths_) / 3600));
  }
  if (trips_ >= rows_min && too_fast_ > trips_ / 2) {
    into.push_back(
        fmt::format("by {}, {} of {} trips are faster than {:.0f} km/h in a straight line{}",
                    source_of_lengths(),
                    too_fast_,
                    trips_,
                    too_fast_m_per_s * 3.6,
                    lengths_ > 0 ? ": is it when they ended?"
                                 : ": is it their length in seconds? If it counts minutes, call it "
                                   "so, as `duration_min`"));
  } else if (trips_ >= rows_min && too_slow_ > trips_ / 2) {
    into.push_back(fmt::format("by {}, {} of {} trips are slower than {:.1f} km/h{}",
                               source_of_lengths(),
                               too_slow_,
                               trips_,
                               too_slow_m_per_s * 3.6,
                               lengths_ > 0
                                   ? ": is it when they ended?"
                                   : ": is it their length in seconds? If it counts milliseconds, "
                                     "call it so, as `duration_ms`"));
  }
}

bool trace_doubts::look_like_days() const {
  // Midnight has no fraction.
  return times_ >= rows_min && 10 * with_fraction_ >= 9 * times_ && earliest_ >= days_from &&
         latest_ <= days_to && latest_ - earliest_ < days_span;
}

std::vector<std::string> trace_doubts::found() const {
  std::vector<std::string> all;
  if (times_ >= rows_min && all_are_early_ && latest_ < 1s && 10 * with_fraction_ >= 9 * times_) {
    all.push_back(
        fmt::format("all {} times in column `{}` are below 1, as parts of a day that spreadsheets "
                    "keep: write them as 08:30:00, for here they are seconds after midnight",
                    times_,
                    columns_.time));
  } else if (times_ >= rows_min && all_are_early_) {
    all.push_back(fmt::format(
        "all {} times in column `{}` lie within {:.0f} s after midnight: is it a time of day, in "
        "seconds? If it counts minutes or hours, call it so, as `time_min` or `time_hour`",
        times_,
        columns_.time,
        in_seconds(latest_)));
  } else if (times_ >= rows_min && all_are_minutes_) {
    all.push_back(
        fmt::format("all {} times in column `{}` are taken for seconds, and would count the "
                    "minutes since 1970 as well: if they do, write dates and times in their place",
                    times_,
                    columns_.time));
  } else if (times_ >= rows_min && all_are_numbers_ && latest_ - earliest_ < narrow) {
    all.push_back(
        fmt::format("all {} times in column `{}`, taken for seconds, lie within {:.3g} s: do they "
                    "count hours, days or another unit? Write dates and times in their place",
                    times_,
                    columns_.time,
                    in_seconds(latest_ - earliest_)));
  }
  doubt_lengths(all);
  return all;
}

}  // namespace dibs::world
