/// Real requests, read from a file: when, from where, to where, and how long the trip took.
///
/// A trace is one notional day: that of the file, one of its days, or all of them laid over each
/// other. Reading draws nothing: jitter and scale are the demand's business. Rows are ordered by
/// (time of day, position in the file).
#pragma once

#include "base/point.hpp"
#include "base/result.hpp"
#include "base/time.hpp"
#include "world/geography.hpp"
#include "world/trace_columns.hpp"
#include "world/zones.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace dibs::world {

struct trace_options {
  trace_columns columns{};
  std::string day{};      ///< `2015-01-15`, or `day 2` of times without dates; all days if empty
  double lost_max = 0.2;  ///< the share of rows that may lack what is needed
  sim_duration shift{};   ///< added to each time: from the file's clock to the city's
  /// Of the places that are ids; with its folder.
  std::optional<zone_file> zones{};
  std::uint64_t bytes_max = std::uint64_t{4} << 30;
  std::uint64_t rows_max = 30'000'000;
  /// Called every 100,000 rows with how many were read.
  std::function<void(std::uint64_t)> on_rows{};
};

struct trace_row {
  sim_duration time_of_day{};
  point origin;
  point destination;
  sim_duration trip{};
  std::uint32_t number = 0;  ///< of the row in the file, from 0: its key, whatever was dropped
};

struct trace {
  std::vector<trace_row> rows;        ///< never empty
  std::uint64_t rows_dropped = 0;     ///< an end of the trip lies outside the bounds
  std::uint64_t rows_lost = 0;        ///< lack what is needed
  std::vector<std::string> lost{};    ///< the first of them: `line 7: trip: expected ...`
  std::vector<std::string> days{};    ///< that are laid over each other, in order
  sim_duration first_from{};          ///< the first of these is in the file from here on
  sim_duration last_until{24h};       ///< and the last up to here
  std::vector<std::string> doubts{};  ///< what looks wrong, with evidence; a sentence each
  bool has_trips = false;

  /// How many of its days have this time of day; 1 or more.
  [[nodiscard]] double days_at(sim_duration time_of_day) const;
};

/// Whether a file may lack the column: it has its standard name.
[[nodiscard]] bool may_lack(const trace_columns& columns, std::string trace_columns::*which);

/// Errors name the file and the line: unreadable or too large, a column that is missing, more rows
/// than `lost_max` allows that lack what is needed, or no rows within the bounds or on the day.
[[nodiscard]] result<trace> read_trace(const std::filesystem::path& path,
                                       const trace_options& options,
                                       const geography& map);

}  // namespace dibs::world
