/// A quantile of what several runs measured, of all their values together, with what each run
/// contributes to it. Pure.
///
/// The mean of the runs' own quantiles would be biased, and the more the shorter they are: an order
/// statistic of 20 values is no 95th percentile. Uncertainty is by the share of all values that lie
/// below: runs are independent, so its interval is that of a ratio of sums, and where the pooled
/// values reach the ends of that interval, the interval of the quantile ends (Woodruff, "Confidence
/// intervals for medians and other position measures", JASA 47, 1952). It is lopsided where values
/// are denser on one side: beside a gap one side spans the gap and the other is narrow, and an
/// interval of both halves alike would miss the truth. Pseudo-values spread each run's part in it
/// along the slope between both ends, so that differences of two quantiles on the same seeds have
/// the differences of their pseudo-values.
///
/// Where the values of every run are kept, each of these is one of them, as `stats/histogram.hpp`
/// says; else it lies on a line through the bucket, and its interval reaches to the outer ends of
/// the buckets in which it begins and ends.
#pragma once

#include "stats/confidence_interval.hpp"
#include "stats/sparse_histogram.hpp"

#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace dibs::stats {

struct pooled_quantile {
  /// In seconds; where it is not bounded, its interval is as far as it is unsure, if it is.
  stats::estimate of;
  std::vector<double> pseudo;  ///< one for each run; their mean is the value
  /// Whether there are values enough on both sides for an interval of 95 %.
  bool bounded = false;
};

/// Null stands for a run without values. Nothing if there are none at all. Requires: 0 < q < 1.
[[nodiscard]] std::optional<pooled_quantile> quantile_of(
    std::span<const sparse_histogram* const> runs, double q);

}  // namespace dibs::stats
