/// What a file of requests from elsewhere holds: which column is what, in which hours and where.
///
/// A guess, from the names of the columns and from what stands in them. Whoever uses it says what
/// was taken for what.
#pragma once

#include "base/result.hpp"
#include "base/time.hpp"
#include "scenario/scenario.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace dibs::scenario {

struct request_file {
  struct finding {
    std::string what;    ///< `time`, as in `columns`
    std::string column;  ///< empty: there is none
    std::string said;    ///< the first value, or what is done without the column
  };

  trace_columns columns;
  std::vector<finding> findings;
  bounds_options bounds;      ///< hold 99 % of the rows, a hundredth of a degree wider
  sim_duration begins{};      ///< of the busiest two hours, on the hour
  sim_duration lasts{};       ///< two hours, or as long as the file has rows
  double rides_per_hour = 0;  ///< in these, of one day
  sim_duration mean_trip{};   ///< 0 if the file does not say
  std::uint64_t rows = 0;     ///< within the bounds
  std::uint64_t days = 0;
  std::vector<std::string> doubts;
};

/// Errors (exit 3): it cannot be read; it has no column of times, or none of places, and which it
/// has.
[[nodiscard]] result<request_file> look_at_requests(const std::filesystem::path& path);

/// A commented scenario that replays the file, `written_as` beside it, in its busiest hours, with
/// as many drivers as it takes to serve them.
[[nodiscard]] std::string scenario_of(const request_file& requests,
                                      const std::filesystem::path& written_as,
                                      std::string_view name);

}  // namespace dibs::scenario
