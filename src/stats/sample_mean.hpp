/// Intervals by Student's t at any level. Pure.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace dibs::stats {

/// A mean of independent samples with its standard error.
struct sample_mean {
  double mean = 0;
  double error = 0;
  std::size_t count = 0;
  double unsure = 0;  ///< how far all samples may be wrong, either way; intervals allow for it

  /// The end of a one-sided interval that misses the truth with probability `tail`.
  [[nodiscard]] double below(double tail) const;
  [[nodiscard]] double above(double tail) const;
  /// Of the two-sided 95 % interval.
  [[nodiscard]] double half_width() const;
};

/// Requires: at least two samples.
[[nodiscard]] sample_mean mean_of(std::span<const double> samples);

/// Requires: at least two samples.
[[nodiscard]] double variance_of(std::span<const double> samples);

struct interval {
  double low = 0;
  double high = 0;
};

/// The 95 % interval of a quotient of two means on common samples: every q at which the mean of
/// numerator - q denominator is not shown to be other than 0 (Fieller 1954). Infinite to both sides
/// unless the denominator is shown to be above 0. Requires: at least two samples, as many of both.
[[nodiscard]] interval fieller_interval(std::span<const double> numerators,
                                        std::span<const double> denominators);

/// One by one, as far as both go.
[[nodiscard]] std::vector<double> paired_differences(const std::vector<double>& a,
                                                     const std::vector<double>& b);

}  // namespace dibs::stats
