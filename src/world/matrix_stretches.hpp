/// In which stretches of the day each pair of a matrix rides, and how often.
#pragma once

#include "base/time.hpp"
#include "world/od_matrix.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace dibs::world {

/// What a row or a cell says.
struct said_rate {
  std::uint32_t from = 0;  ///< among the places
  std::uint32_t to = 0;
  std::int64_t day = 0;
  sim_duration begins{};
  sim_duration ends{};  ///< of the same day
  double rides = 0;
  sim_duration length{};  ///< of the whole period, of which this may be the part of one day
  std::uint64_t line = 0;
  std::uint64_t others = 0;  ///< a digest of what it says in columns that are not read
  std::uint64_t when = 0;    ///< the same, of those that are named as a day or an hour
};

/// Parts the day where some rate changes, and lays the rates over its parts. All that is given must
/// outlive it.
class stretch_builder {
 public:
  /// `pairs`: of each that is said, its place among those of the matrix.
  stretch_builder(const std::vector<said_rate>& said,
                  const std::vector<std::uint32_t>& pairs,
                  const matrix_format& format,
                  od_matrix& into)
      : said_(said), pairs_(pairs), format_(format), into_(into) {}

  void find_stretches();

  /// How many pairs ride, summed over the stretches. Requires: they were found.
  [[nodiscard]] std::uint64_t shares() const;

  void fill();

 private:
  /// The one that begins then; one past the last at midnight.
  [[nodiscard]] std::size_t stretch_at(sim_duration t) const;

  const std::vector<said_rate>& said_;
  const std::vector<std::uint32_t>& pairs_;
  const matrix_format& format_;
  od_matrix& into_;
};

}  // namespace dibs::world
