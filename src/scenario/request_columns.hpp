/// Which column of a file of requests is what, by its name.
#pragma once

#include "base/time.hpp"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace dibs::scenario {

/// `rides`: how many, of a matrix; `period`: of the day, of a matrix.
enum class column_kind : std::uint8_t { time, latitude, longitude, duration, place, rides, period };
enum class trip_end : std::uint8_t { from, to };

/// How well a column's name fits: 0 not at all, more is better.
[[nodiscard]] int fit_of(std::string_view name, column_kind kind, trip_end end);

/// Some names that fit, for messages.
[[nodiscard]] std::vector<std::string_view> names_of(column_kind kind, trip_end end);

/// Of a column of rides, the time in which so many ride, where its name tells: an hour of "trips
/// per h", of "hourly trips" or of a plain rate.
[[nodiscard]] std::optional<sim_duration> time_in_name(std::string_view name);

}  // namespace dibs::scenario
