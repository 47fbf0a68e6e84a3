/// Which column of a file of requests is what, by its name.
#pragma once

#include <cstdint>
#include <string_view>

namespace dibs::scenario {

enum class column_kind : std::uint8_t { time, latitude, longitude, duration, place };
enum class trip_end : std::uint8_t { from, to };

/// How well a column's name fits: 0 not at all, more is better.
[[nodiscard]] int fit_of(std::string_view name, column_kind kind, trip_end end);

}  // namespace dibs::scenario
