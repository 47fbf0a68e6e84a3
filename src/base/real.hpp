/// Elementary functions built from IEEE +, -, *, / and sqrt alone, so that they return the same
/// bits on every CPU and compiler (the C library's exp, log and sin choose variants by CPU).
/// Accurate to a few units in the last place over the ranges that dibs uses.
#pragma once

namespace dibs::real {

/// Natural logarithm. Requires: x > 0, finite and normal.
[[nodiscard]] double log(double x);

/// e^x, 0 below about -745, infinity above about 709.8.
[[nodiscard]] double exp(double x);

/// Sine and cosine. Requires: |x| <= 2 pi.
[[nodiscard]] double sin(double x);
[[nodiscard]] double cos(double x);

/// Arc sine. Requires: 0 <= x <= 1.
[[nodiscard]] double asin(double x);

/// The angle within half a turn of 0 whose sine and cosine have this proportion; 0 if both are 0.
[[nodiscard]] double angle_of(double sine, double cosine);

/// The standard normal quantile (Wichura, Algorithm AS 241, 1988). Requires: 0 < p < 1.
[[nodiscard]] double normal_quantile(double p);

}  // namespace dibs::real
