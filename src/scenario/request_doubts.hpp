/// What the rows of a file of requests look like, taken together, that a request does not.
#pragma once

#include "scenario/file_sample.hpp"
#include "scenario/request_file.hpp"
#include "world/geography.hpp"
#include "world/trace.hpp"

#include <cstddef>
#include <optional>
#include <set>
#include <vector>

namespace dibs::scenario {

/// Columns of a file of requests, as far as they were found.
struct request_places {
  std::size_t time = 0;
  std::size_t lat = 0;
  std::size_t lon = 0;
  std::optional<std::size_t> to_lat{};
  std::optional<std::size_t> to_lon{};
  std::set<std::size_t> used{};  ///< these and all others that are read
};

/// Says where the rows are positions of vehicles on their way, where they stand twice, and where
/// they look like counts of rides.
void doubt_rows(const file_sample& many, const request_places& at, request_file& found);

/// Says where trips without a destination, by which a speed could be told, take seconds.
void doubt_short_lengths(const world::trace& rows, request_file& found);

/// Rides from the middles of zones are moved over these, by half of what lies between two of them.
/// Requires: the points are such middles.
void spread_over_zones(const std::vector<point>& middles,
                       const world::geography& map,
                       request_file& found);

/// Where the column of lengths parts its thousands, so that they would be read as decimals. Empty
/// where that is not so.
[[nodiscard]] std::string fault_of_thousands(const file_sample& s, std::size_t length);

/// Rows of several days that are told by a number or a word, beside a clock alone.
void doubt_days(const file_sample& s, std::size_t time, request_file& found);

}  // namespace dibs::scenario
