/// What a file of requests from elsewhere holds, or of rates of requests between places: which
/// column is what, in which hours and where.
///
/// A guess, from the names of the columns and from what stands in them. Whoever uses it says what
/// was taken for what.
#pragma once

#include "base/result.hpp"
#include "base/time.hpp"
#include "scenario/scenario.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
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
  std::optional<matrix_format> matrix{};  ///< of a file of rates instead of requests
  std::optional<world::zone_file> zones{};
  std::vector<finding> findings;
  bounds_options bounds;      ///< hold 99 % of the rows, a hundredth of a degree wider
  sim_duration begins{};      ///< of the busiest two hours, on the hour
  sim_duration lasts{};       ///< two hours, or as long as the file has rides
  double rides_per_hour = 0;  ///< in these, of one day
  sim_duration mean_trip{};   ///< 0 if the file does not say
  std::uint64_t rows = 0;     ///< within the bounds; of a square matrix: cells
  std::uint64_t days = 0;
  sim_duration time_jitter{};  ///< by which rides are moved that stand on a coarse step
  double place_jitter_m = 0;   ///< by which they are, from the middles of zones
  std::vector<std::string> doubts;
};

/// From which on it and the next have most; of equals the first that has any itself, so that no
/// empty time leads.
[[nodiscard]] std::size_t busiest_hour(const std::array<double, 24>& of_hour);

/// Says what looks wrong about its bounds.
void doubt_bounds(request_file& found);

/// `zones`: a file with the middles of the zones that the requests name, if any. Errors (exit 3):
/// one of them cannot be read; it has no column of times, or none of places, and which it has.
/// `on_rows`: as of `world::trace_options`.
[[nodiscard]] result<request_file> look_at_requests(
    const std::filesystem::path& path,
    const std::optional<std::filesystem::path>& zones = {},
    const std::function<void(std::uint64_t)>& on_rows = {});

/// A commented scenario that replays the file, or draws from its rates, in its busiest hours, with
/// as many drivers as it takes to serve them. `written_as`, `zones_as`: the files, from the
/// scenario's folder.
[[nodiscard]] std::string scenario_of(const request_file& requests,
                                      const std::filesystem::path& written_as,
                                      const std::filesystem::path& zones_as,
                                      std::string_view name);

}  // namespace dibs::scenario
