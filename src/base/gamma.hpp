/// The gamma function and the gamma distribution, from `base/real.hpp` alone, so that they return
/// the same bits on every CPU and compiler. Accurate to about 12 digits.
#pragma once

namespace dibs::real {

/// The logarithm of the gamma function. Requires: x > 0.
[[nodiscard]] double log_gamma(double x);

/// The share of a gamma distribution of this shape and scale 1 that lies below x (the regularised
/// lower incomplete gamma function). Requires: shape > 0, x >= 0.
[[nodiscard]] double gamma_share_below(double shape, double x);

/// Below which value the share `p` of it lies. Requires: shape > 0, 0 < p < 1.
[[nodiscard]] double gamma_quantile(double shape, double p);

}  // namespace dibs::real
