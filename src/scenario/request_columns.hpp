/// Which column of a file of requests is what, by its name.
#pragma once

#include "base/time.hpp"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace dibs::scenario {

/// `start`: when a ride began, not when it was asked for. Of a matrix `rides`: how many; `period`:
/// of the day; `date`: which day.
enum class column_kind : std::uint8_t {
  time,
  start,
  latitude,
  longitude,
  duration,
  place,
  rides,
  period,
  date
};
enum class trip_end : std::uint8_t { from, to };

/// How well a column's name fits: 0 not at all, more is better.
[[nodiscard]] int fit_of(std::string_view name, column_kind kind, trip_end end);

/// Some names that fit, for messages.
[[nodiscard]] std::vector<std::string_view> names_of(column_kind kind, trip_end end);

/// Whether it says how many ride and no more, as `trips`, `trip_count`, not `Trips Pooled`.
[[nodiscard]] bool is_count_of_rides(std::string_view name);
/// The words of a name, in English, small and apart.
[[nodiscard]] std::vector<std::string> plain_words_of(std::string_view name);

/// Whether a column has means of how long trips take, or how these spread: of no trip its own.
[[nodiscard]] bool is_mean_travel_time(std::string_view name);

/// The length of what it names, a month or a year: `YEAR_MONTH`, `year`.
[[nodiscard]] std::optional<sim_duration> months_or_years_in(std::string_view name);

/// Whether what it names is one trip's own: its id, fare or distance.
[[nodiscard]] bool is_of_one_trip(std::string_view name);
/// Whether a time is that of somebody's request or pick-up, not of an hour of these.
[[nodiscard]] bool is_of_pickup(std::string_view name);
/// Whether a number of this name may be how many ride: no fare, length or degree is.
[[nodiscard]] bool may_count(std::string_view name);
/// Whether it is where or when a driver was.
[[nodiscard]] bool is_of_driver(std::string_view name);
/// Whether somebody arrives, and no more is said: at the end of the trip, or at its beginning.
[[nodiscard]] bool is_bare_arrival(std::string_view name);
/// Whether it is what was meant to be, and not what was.
[[nodiscard]] bool is_planned(std::string_view name);
[[nodiscard]] bool is_hour(std::string_view name);

/// Of a column of rides, the time in which so many ride, where its name tells: an hour of "trips
/// per h", of "hourly trips" or of a plain rate.
[[nodiscard]] std::optional<sim_duration> time_in_name(std::string_view name);

}  // namespace dibs::scenario
