/// How often rides go from each place to each other, by the time of day: an origin-destination
/// matrix, as planners and traffic models have it, for each period.
///
/// A matrix is one notional day: that of the file, or the mean of its days. Within a stretch of the
/// day no rate changes. Reading draws nothing.
#pragma once

#include "base/result.hpp"
#include "base/time.hpp"
#include "text/clock_time.hpp"
#include "world/geography.hpp"
#include "world/matrix_format.hpp"
#include "world/trace.hpp"
#include "world/zones.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dibs::world {

struct matrix_options {
  matrix_format format{};
  double lost_max = 0.2;  ///< the share of rows (of a square: cells) that may lack what is needed
  std::optional<zone_file> zones{};  ///< of the places that are ids; with its folder
  std::uint64_t bytes_max = std::uint64_t{4} << 30;
  std::uint64_t rows_max = 30'000'000;
  std::uint64_t shares_max = 20'000'000;  ///< pairs that ride, summed over the stretches
};

struct od_matrix {
  struct stretch {
    sim_duration begins{};  ///< it ends where the next one begins, the last at midnight
    double rate_per_s = 0;  ///< of all pairs together
    std::size_t first = 0;  ///< of its shares
  };

  std::vector<trace_row> pairs;        ///< that ride at all, with both ends; never empty
  std::vector<double> rides_up_to;     ///< of a day, of the pairs up to each
  std::vector<stretch> stretches;      ///< from midnight to midnight
  std::vector<std::uint32_t> pair_of;  ///< of each share
  std::vector<double> rate_up_to;      ///< of the shares of one stretch up to each
  std::uint64_t rows = 0;              ///< that count, also those of no rides
  std::uint64_t rows_dropped = 0;      ///< an end lies outside the bounds
  std::uint64_t rows_lost = 0;         ///< lack what is needed
  std::vector<std::string> lost{};     ///< the first of them: `line 7: rides: expected ...`
  std::uint64_t days = 1;              ///< whose mean it is
  std::vector<std::string> doubts{};   ///< how it was read where it may mean else; a sentence each

  /// Of the stretch at this place among them, as below.
  [[nodiscard]] sim_duration end_of(std::size_t place) const;
  [[nodiscard]] double rides_a_day() const { return rides_up_to.back(); }
  /// How many are expected in so much time from this time of day on.
  [[nodiscard]] double rides_within(sim_duration from, sim_duration length) const;
  /// By weight. `u` is uniform from 0 to 1. Requires: some pair rides in the stretch.
  [[nodiscard]] const trace_row& pair_in(std::size_t place, double u) const;
  [[nodiscard]] const trace_row& pair_of_day(double u) const;
};

/// Errors name the file and the line: unreadable or too large, a column that is missing, more rows
/// than `lost_max` allows that lack what is needed (a place that is not known, a number of rides
/// below 0, a period that ends before it begins), two rows of one pair whose periods overlap, or
/// no ride at all. Rows of one pair and the same period are added up where they differ in another
/// column, unless it is named as a day or an hour.
[[nodiscard]] result<od_matrix> read_matrix(const std::filesystem::path& path,
                                            const matrix_options& options,
                                            const geography& map);

}  // namespace dibs::world
