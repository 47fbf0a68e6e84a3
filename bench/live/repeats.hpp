/// Several measurements of one figure: what to report, and how far they lie apart.
#pragma once

#include <vector>

namespace dibs::bench {

/// Of the time of one measurement: what passes before it counts.
inline constexpr double warmup_share = 0.2;

struct repeats_summary {
  double median = 0;
  double least = 0;
  double most = 0;

  /// How far the extremes lie apart, as a share of the median.
  [[nodiscard]] double noise() const { return median > 0 ? (most - least) / median : 0; }
};

/// Requires: at least one value.
[[nodiscard]] repeats_summary spread_of(std::vector<double> values);

}  // namespace dibs::bench
