#include "world/trace_doubts.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace dibs::world {
namespace {

/// Fewer rows than these say nothing.
constexpr std::uint64_t rows_min = 10;
/// A time column whose times are all of the first ten minutes after midnight holds something else.
constexpr sim_duration early = 10min;
/// Straight from end to end: no car is so fast, and whoever walks is faster.
constexpr double too_fast_m_per_s = 70;
constexpr double too_slow_m_per_s = 0.3;
constexpr double long_enough_m = 500;

}  // namespace

void trace_doubts::look_at_time(const text::clock_time& when) {
  ++times_;
  latest_ = std::max(latest_, when.time_of_day);
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

std::vector<std::string> trace_doubts::found() const {
  std::vector<std::string> all;
  if (times_ >= rows_min && all_are_early_) {
    all.push_back(fmt::format(
        "all {} times in column `{}` lie within {:.0f} s after midnight: is it a time of day, in "
        "seconds?",
        times_,
        columns_.time,
        in_seconds(latest_)));
  }
  if (trips_ >= rows_min && too_fast_ > trips_ / 2) {
    all.push_back(
        fmt::format("by column `{}`, {} of {} trips are faster than {:.0f} km/h in a straight "
                    "line: is it their "
                    "length in seconds?",
                    columns_.trip,
                    too_fast_,
                    trips_,
                    too_fast_m_per_s * 3.6));
  } else if (trips_ >= rows_min && too_slow_ > trips_ / 2) {
    all.push_back(
        fmt::format("by column `{}`, {} of {} trips are slower than {:.1f} km/h: is it their "
                    "length in seconds?",
                    columns_.trip,
                    too_slow_,
                    trips_,
                    too_slow_m_per_s * 3.6));
  }
  return all;
}

}  // namespace dibs::world
