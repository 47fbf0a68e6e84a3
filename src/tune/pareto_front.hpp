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
struct harm_samples {
  std::vector<double> missed;  ///< accepts a ride
  std::vector<double> hidden;  ///< seconds a ride
};

/// The rows for which no other one has less of both, by their means.
[[nodiscard]] std::vector<bool> non_dominated(std::span<const harm_samples> rows);

/// The corners of the hull, from the least hidden to the least missed.
[[nodiscard]] std::vector<std::size_t> pareto_hull(std::span<const harm_samples> rows);

/// The weight of a missed accept at which one corner is as good as the next.
struct trade_off_weight {
  double at = 0;           ///< in seconds of a hidden driver
  stats::interval within;  ///< the 95 % interval; not below 0
};

/// From each corner to the next. Requires: two runs, as many of every row.
[[nodiscard]] std::vector<trade_off_weight> trade_off_weights(std::span<const harm_samples> rows,
                                                              std::span<const std::size_t> front);

}  // namespace dibs::tune
