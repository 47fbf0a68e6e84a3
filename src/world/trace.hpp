/// Real requests, read from a file: when, from where, to where, and how long the trip took.
///
/// A trace is one notional day. Reading draws nothing: jitter and scale are the demand's business.
/// Rows are ordered by (time of day, position in the file).
#pragma once

#include "base/point.hpp"
#include "base/result.hpp"
#include "base/time.hpp"
#include "world/geography.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace dibs::world {

/// What the columns are called in the file's first line. Places are not read in a world without
/// geography, nor trips if that name is empty.
struct trace_columns {
  std::string time;  ///< seconds since midnight
  std::string lat;   ///< degrees, as are all places
  std::string lon;
  std::string to_lat;
  std::string to_lon;
  std::string trip;  ///< seconds
};

struct trace_limits {
  std::uint64_t bytes_max = std::uint64_t{1} << 30;
  std::uint64_t rows_max = 10'000'000;
};

struct trace_row {
  sim_duration time_of_day{};
  point origin;
  point destination;
  sim_duration trip{};
  std::uint32_t number = 0;  ///< of the row in the file, from 0: its key, whatever was dropped
};

struct trace {
  std::vector<trace_row> rows;     ///< never empty
  std::uint64_t rows_dropped = 0;  ///< an end of the trip lies outside the bounds
  bool has_trips = false;
};

/// Errors name the file and the line: unreadable or too large, a column that is missing, a value
/// that is not what its column holds, a record of the wrong length, or no rows within the bounds.
[[nodiscard]] result<trace> read_trace(const std::filesystem::path& path,
                                       const trace_columns& columns,
                                       const geography& map,
                                       const trace_limits& limits = {});

}  // namespace dibs::world
