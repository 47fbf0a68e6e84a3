/// Figures over replications, and paired differences between two sets of them, with 95 % intervals
/// by Student's t.
///
/// The same estimators as `dibs run --runs`: a count or a sum of seconds is the mean over
/// replications; a share, ratio, rate or mean is the ratio of the sums over all of them, with the
/// interval of its jackknife pseudo-values; a percentile is that of all values together, see
/// `stats/pooled_quantile.hpp`. Intervals end where the figure cannot be, and beyond 0 where none
/// was seen in all replications (`stats::clipped_margins`); there is none where replications that
/// do not vary tell of none (`stats::is_conclusive_without_variance`). A difference pairs
/// replications of one seed: its interval is that of the differences, or of the pseudo-values of
/// the difference of two ratios or percentiles, and as much wider as these may be wrong where their
/// values are not kept; where both sides count few cases, it is put together from their own (Zou
/// and Donner, "Construction of confidence limits about effect measures: a general approach",
/// Statistics in Medicine 27, 2008, with the correlation of the pairs). Pure.
#pragma once

#include "metrics/catalogue.hpp"
#include "results/run_record.hpp"
#include "stats/estimate.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace dibs::results {

/// Whether more replications can ever give a metric an interval: a bound has none.
[[nodiscard]] bool has_interval(std::string_view metric);

/// One metric over replications; null stands for a run without it. Nothing if it has no value;
/// without an interval of less than two, or with too few values beyond a percentile.
[[nodiscard]] std::optional<stats::estimate> estimate_of(
    std::string_view metric, std::span<const metric_sample* const> runs);

/// The same of the runs of one point.
[[nodiscard]] std::optional<stats::estimate> estimate_of(std::string_view metric,
                                                         std::span<const run_record> runs);

enum class difference_status : std::uint8_t {
  changed,  ///< the interval leaves 0 out
  unseen,   ///< the interval covers 0: no difference seen at this size
  same,     ///< every pair has equal values
  alike,    ///< every pair differs by the same, in too few pairs for that to be an interval
};

struct paired_difference {
  std::string_view metric;
  text::unit unit{};
  double a = 0;
  double b = 0;
  stats::estimate change{};  ///< b - a over the pairs; without an interval where all are `alike`
  difference_status what = difference_status::unseen;
  /// How many times less it varies on common seeds than it would on separate ones; nothing where
  /// nothing varies.
  std::optional<double> variance_ratio{};

  /// |change| over its standard error, that towards 0; infinite where every pair differs by the
  /// same, 0 where there are too few of them to say so.
  [[nodiscard]] double t_ratio() const;
  /// |change| over |a|; infinite where a is 0.
  [[nodiscard]] double relative() const;
};

/// `a[i]` and `b[i]` are runs of one seed. Nothing if fewer than two pairs have the metric, or one
/// side too few values beyond a percentile.
[[nodiscard]] std::optional<paired_difference> difference_of(
    std::string_view metric,
    std::span<const metric_sample* const> a,
    std::span<const metric_sample* const> b);

/// What changed most comes first: by strength, then by relative size, then by name.
[[nodiscard]] bool is_before(const paired_difference& x, const paired_difference& y);

}  // namespace dibs::results
