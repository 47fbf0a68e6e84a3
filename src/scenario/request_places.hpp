/// Where the requests of a file lie, though some rows, or all, may say it wrongly.
#pragma once

#include "scenario/file_sample.hpp"
#include "scenario/request_file.hpp"
#include "world/trace.hpp"
#include "world/zones.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace dibs::scenario {

/// Latitudes beyond are none: Tromso lies at 69.6, Ushuaia at -54.8.
inline constexpr double inhabited_to = 70;

/// Of one end of the trips: latitude and longitude, or twice the column that says both.
using place_columns = std::pair<std::size_t, std::size_t>;

/// In how many rows a latitude is none that is lived at, and the longitude may be one.
[[nodiscard]] std::size_t rows_exchanged(const file_sample& s, const place_columns& at);

/// What is wrong with most places, which no other reading of the columns mends: WKT points that
/// hold latitude first, or one end, if two are given, whose latitude and longitude are exchanged.
/// Empty if nothing is.
[[nodiscard]] std::string fault_of_ends(const file_sample& s,
                                        const std::vector<place_columns>& ends,
                                        const world::zone_map& zones);

/// What holds 99 % of the places, a hundredth of a degree wider. Places that lie beyond what a city
/// spans, or where they lie if latitude and longitude are exchanged, do not count as long as most
/// of the others lie together.
[[nodiscard]] bounds_options bounds_of(const file_sample& s,
                                       const std::vector<place_columns>& ends,
                                       const world::zone_map& zones);

/// Says where a part of the places lies far from the others, as those of another city do.
void doubt_cities(const file_sample& s,
                  const std::vector<place_columns>& ends,
                  const world::zone_map& zones,
                  request_file& found);

/// Says where nearly all requests begin at one place, or come at one time.
void doubt_sameness(const world::trace& rows, request_file& found);

}  // namespace dibs::scenario
