/// Whether the rows of a file are trips, one each, or say how many ride from where to where.
///
/// Both have places and a time, and some number beside them. Evidence for and against is weighed:
/// what a trip has of its own (an id, a fare, a length, an instant, exact coordinates) against what
/// counts have (fractions, large numbers, a name that counts rides, each pair and period once).
#pragma once

#include "scenario/file_sample.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace dibs::scenario {

/// Columns of a file by which it may be a matrix.
struct count_columns {
  std::optional<std::size_t> lat{};
  std::optional<std::size_t> lon{};
  std::optional<std::size_t> to_lat{};
  std::optional<std::size_t> to_lon{};
  std::optional<std::size_t> rides{};
  std::optional<std::size_t> time{};
  std::optional<std::size_t> date{};

  [[nodiscard]] bool has_origin() const { return lat && lon; }
  [[nodiscard]] bool has_ends() const { return has_origin() && to_lat && to_lon; }
};

struct row_evidence {
  int trips = 0;
  int counts = 0;
  std::vector<std::string> of_trips;  ///< what speaks for trips, a clause each
  std::vector<std::string> of_counts;

  [[nodiscard]] bool are_counts() const { return counts > trips; }
  /// Nothing to speak of is on the other side.
  [[nodiscard]] bool is_plain() const { return (are_counts() ? trips : counts) < 2; }
};

/// Requires: `c` has an origin and rides.
[[nodiscard]] row_evidence evidence_in(const file_sample& s, const count_columns& c);

}  // namespace dibs::scenario
