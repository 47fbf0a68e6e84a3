/// The trade-off of two harms, of which less is better: missed accepts against hidden supply.
///
/// All rows were run on the same seeds, and a difference between two of them is taken run by run.
/// If a missed accept weighs as much as w seconds of a hidden driver, the row with the least w
/// missed + hidden is the best: for some w these are the corners of the lower left hull. Pure.
#pragma once

#include "stats/sample_mean.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace dibs::tune {

/// Of one row, in each run.
struct harms {
  std::vector<double> missed;  ///< accepts a ride
  std::vector<double> hidden;  ///< seconds a ride
};

/// The rows for which no other one has less of both, by their means.
[[nodiscard]] std::vector<bool> not_beaten(std::span<const harms> rows);

/// The corners of the hull, from the least hidden to the least missed.
[[nodiscard]] std::vector<std::size_t> front_of(std::span<const harms> rows);

/// The weight of a missed accept at which one corner is as good as the next.
struct turn {
  double at = 0;       ///< in seconds of a hidden driver
  stats::ends within;  ///< the 95 % interval; not below 0
};

/// From each corner to the next. Requires: two runs, as many of every row.
[[nodiscard]] std::vector<turn> turns_of(std::span<const harms> rows,
                                         std::span<const std::size_t> front);

}  // namespace dibs::tune
