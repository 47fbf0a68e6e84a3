/// 95 % confidence intervals over replications, by Student's t; of what is counted and rare, by
/// gamma quantiles.
///
/// Replications are independent: each has a seed of its own. A mean over them gets the textbook
/// interval; a ratio of sums gets the interval of its jackknife pseudo-values (Tukey 1958; Efron,
/// "The Jackknife, the Bootstrap and Other Resampling Plans", 1982), which needs no variance
/// formula for each ratio. Neither holds for a count of a few cases, see `clipped_margins`.
#pragma once

#include "stats/estimate.hpp"

#include <cstdint>
#include <optional>
#include <span>

namespace dibs::stats {

/// What lies above either end of a two-sided interval of 95 %.
inline constexpr double tail_of_95 = 0.025;

/// The quantile of Student's t that leaves `tail` above it. Requires: degrees >= 1, 0 < tail < 1.
[[nodiscard]] double student_t_quantile(std::uint64_t degrees, double tail = tail_of_95);

/// Requires: at least two samples.
[[nodiscard]] stats::estimate t_interval(std::span<const double> samples);

/// `whole` is the estimate from all replications, `without[i]` the one that leaves out the i-th.
/// Requires: at least two of them.
[[nodiscard]] stats::estimate jackknife_interval(double whole, std::span<const double> without);

/// Where the 95 % interval of a figure ends that cannot be below 0, nor above `most`.
struct possible_range {
  std::optional<double> most{};  ///< 1 of a share
  /// How many times one of what is counted adds 1/chances to the figure, at most: the replications
  /// of a count, all that a share is of. Nothing for what is no count.
  std::optional<double> chances{};
};

/// Fewer replications may agree by chance, as counts of few do.
inline constexpr std::size_t agreeing_to_be_certain = 5;

/// From so many cases on, Student's t covers what it says.
inline constexpr double normal_cases_min = 20;

/// Whether replications that did not vary tell how far the truth may be from them: some that agree
/// on what there is, or any that saw none of what is counted. How much there would be of seconds
/// that none saw, nothing tells.
[[nodiscard]] bool is_conclusive_without_variance(double value,
                                                  const possible_range& l,
                                                  std::size_t replications);

/// Both sides of an interval, cut where the figure could not be.
///
/// Where few cases were counted (fewer than 20 Poisson cases would vary as much, for their mean)
/// the ends are those of Fay and Feuer, "Confidence intervals for directly standardized rates",
/// Statistics in Medicine 16, 1997: gamma quantiles of mean and variance, to the upper of which one
/// case more is added. Student's t covers 87 to 93 % there where it should 95. The variance is that
/// of which `half_width` is 1.96 standard errors, so it is the larger the fewer the replications.
/// Where all replications saw none (or of a share all), they do not vary, and the interval ends
/// where none would be seen with probability 2.5 %, at -ln(0.025) / chances (Poisson). A share of
/// more than half counts what it lacks. Nothing where the interval is as Student's t has it.
/// Requires: value >= 0.
[[nodiscard]] std::optional<stats::margins> clipped_margins(double value,
                                                            double half_width,
                                                            const possible_range& l);

/// What Student's t says, cut where the figure could not be; without an interval where the
/// replications did not vary and tell of none (`is_conclusive_without_variance`).
[[nodiscard]] stats::estimate possible_interval(const stats::estimate& by_student,
                                                const possible_range& l);

/// The exact interval of a count of rare things, each on its own (Poisson). Requires: n > 0.
[[nodiscard]] stats::margins count_interval(double n);

/// The upper bound, at 99.9 %, of a rate of which none was seen in `n`: 6.908 / n (Poisson).
/// Requires: n > 0.
[[nodiscard]] double zero_event_bound(double n);

}  // namespace dibs::stats
