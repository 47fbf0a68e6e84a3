#include "base/real.hpp"

#include "base/ensure.hpp"

#include <bit>
#include <cmath>  // std::sqrt alone: IEEE 754 fixes its every bit
#include <cstdint>
#include <limits>

namespace dibs::real {
namespace {

// Series are cut where the next term falls below a quarter of a unit in the last place. They are
// summed in pairs (Estrin's scheme), which is faster than Horner's rule and just as exact here,
// since the terms fall quickly. The order of operations is fixed by the parentheses.

constexpr double ln_2_high = 0x1.62e42fefa3800p-1;  // 43 bits: exact times any exponent
constexpr double ln_2_low = 0x1.ef35793c76730p-45;
constexpr double round_to_int = 0x1.8p52;  // adding it rounds to the nearest integer

constexpr double half_pi_high =
    0x1.921fb54400000p+0;  // pi / 2 in three parts of 33, 33 and 53 bits
constexpr double half_pi_mid = 0x1.0b4611a600000p-34;
constexpr double half_pi_low = 0x1.3198a2e037073p-69;

/// 2^n. Requires: -1022 <= n <= 1023.
double power_of_2(std::int64_t n) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(n + 1023) << 52);
}

/// An angle less its quarter turns: what is left, within pi / 4 of 0, as an unrounded sum.
struct reduced_angle {
  double high;
  double low;
  std::int64_t quarters;
};

reduced_angle reduce(double x) {
  const double n = (x * (2 / 3.14159265358979323846) + round_to_int) - round_to_int;
  const double first = x - n * half_pi_high;
  const double second = first - n * half_pi_mid;
  const double lost = (first - second) - n * half_pi_mid;
  const double rest = n * half_pi_low - lost;
  const double high = second - rest;
  return {high, (second - high) - rest, static_cast<std::int64_t>(n)};
}

/// sin(high + low), by Taylor's series to the 17th power.
double sin_near_0(double high, double low) {
  const double z = high * high;
  const double z2 = z * z;
  const double z4 = z2 * z2;
  const double from_11 = (-1.0 / 39916800 + z * (1.0 / 6227020800)) +
                         z2 * (-1.0 / 1307674368000 + z * (1.0 / 355687428096000));
  const double from_3 = (-1.0 / 6 + z * (1.0 / 120)) + z2 * (-1.0 / 5040 + z * (1.0 / 362880));
  const double series = from_3 + z4 * from_11;
  return high + (high * z * series + low * (1 - z * 0.5));
}

/// cos(high + low), by Taylor's series to the 16th power.
double cos_near_0(double high, double low) {
  const double z = high * high;
  const double z2 = z * z;
  const double z4 = z2 * z2;
  const double from_12 = (1.0 / 479001600 - z * (1.0 / 87178291200)) + z2 * (1.0 / 20922789888000);
  const double from_4 = (1.0 / 24 - z * (1.0 / 720)) + z2 * (1.0 / 40320 - z * (1.0 / 3628800));
  const double half = z * 0.5;
  const double head = 1 - half;
  const double lost = (1 - head) - half;
  return head + (lost + (z2 * (from_4 + z4 * from_12) - high * low));
}

/// asin(x) for x <= 0.26, by its series to the power 27 (to the power 7 where that is enough:
/// distances within a city never need more).
double asin_near_0(double x) {
  const double z = x * x;
  if (z < 0x1p-15) {
    return x + x * z * (1.0 / 6 + z * (3.0 / 40 + z * (5.0 / 112)));
  }
  const double z2 = z * z;
  const double z4 = z2 * z2;
  const double from_3 = (1.0 / 6 + z * (3.0 / 40)) + z2 * (5.0 / 112 + z * (35.0 / 1152));
  const double from_11 =
      (63.0 / 2816 + z * (231.0 / 13312)) + z2 * (143.0 / 10240 + z * (6435.0 / 557056));
  const double from_19 = (12155.0 / 1245184 + z * (46189.0 / 5505024)) +
                         z2 * (88179.0 / 12058624 + z * (676039.0 / 104857600));
  const double from_27 = 1300075.0 / 226492416;
  return x + x * z * (from_3 + z4 * (from_11 + z4 * (from_19 + z4 * from_27)));
}

/// asin(x) for x <= 1/2; above 0.26 through half the angle.
double asin_to_half(double x) {
  if (x <= 0.26) {
    return asin_near_0(x);
  }
  const double cosine = std::sqrt((1 - x) * (1 + x));
  return 2 * asin_near_0(x / std::sqrt(2 * (1 + cosine)));
}

/// The coefficients of Wichura's rational functions, from the constant term up.
struct ratio {
  double numerator[8];
  double denominator[8];
};

constexpr ratio central{{3.3871328727963666080e0,
                         1.3314166789178437745e2,
                         1.9715909503065514427e3,
                         1.3731693765509461125e4,
                         4.5921953931549871457e4,
                         6.7265770927008700853e4,
                         3.3430575583588128105e4,
                         2.5090809287301226727e3},
                        {1.0,
                         4.2313330701600911252e1,
                         6.8718700749205790830e2,
                         5.3941960214247511077e3,
                         2.1213794301586595867e4,
                         3.9307895800092710610e4,
                         2.8729085735721942674e4,
                         5.2264952788528545610e3}};

constexpr ratio shoulder{{1.42343711074968357734e0,
                          4.63033784615654529590e0,
                          5.76949722146069140550e0,
                          3.64784832476320460504e0,
                          1.27045825245236838258e0,
                          2.41780725177450611770e-1,
                          2.27238449892691845833e-2,
                          7.74545014278341407640e-4},
                         {1.0,
                          2.05319162663775882187e0,
                          1.67638483018380384940e0,
                          6.89767334985100004550e-1,
                          1.48103976427480074590e-1,
                          1.51986665636164571966e-2,
                          5.47593808499534494600e-4,
                          1.05075007164441684324e-9}};

constexpr ratio tail{{6.65790464350110377720e0,
                      5.46378491116411436990e0,
                      1.78482653991729133580e0,
                      2.96560571828504891230e-1,
                      2.65321895265761230930e-2,
                      1.24266094738807843860e-3,
                      2.71155556874348757815e-5,
                      2.01033439929228813265e-7},
                     {1.0,
                      5.99832206555887937690e-1,
                      1.36929880922735805310e-1,
                      1.48753612908506148525e-2,
                      7.86869131145613259100e-4,
                      1.84631831751005468180e-5,
                      1.42151175831644588870e-7,
                      2.04426310338993978564e-15}};

double polynomial(const double (&c)[8], double x) {
  const double x2 = x * x;
  const double x4 = x2 * x2;
  return ((c[0] + x * c[1]) + x2 * (c[2] + x * c[3])) +
         x4 * ((c[4] + x * c[5]) + x2 * (c[6] + x * c[7]));
}

double evaluate(const ratio& r, double x) {
  return polynomial(r.numerator, x) / polynomial(r.denominator, x);
}

}  // namespace

double log(double x) {
  ensure(x >= std::numeric_limits<double>::min() && x <= std::numeric_limits<double>::max(),
         "the logarithm is asked of a positive, finite, normal number");
  // x = 2^k m with m in [sqrt(1/2), sqrt(2)), so that the series below converges quickly and x
  // near 1 has k = 0: no cancellation.
  const auto bits = std::bit_cast<std::uint64_t>(x);
  const std::uint64_t above = bits - 0x3fe6a09e667f3bcdULL;  // the bits of sqrt(1/2)
  const auto exponent = static_cast<std::int64_t>(above) >> 52;
  const double m = std::bit_cast<double>(bits - (static_cast<std::uint64_t>(exponent) << 52));
  const auto k = static_cast<double>(exponent);

  // log(1+f) = 2 atanh(s), s = f / (2+f); written so that f, which is exact, leads the sum.
  const double f = m - 1;
  const double s = f / (2 + f);
  const double z = s * s;
  const double z2 = z * z;
  const double z4 = z2 * z2;
  const double from_3 = (2.0 / 3 + z * (2.0 / 5)) + z2 * (2.0 / 7 + z * (2.0 / 9));
  const double from_11 = (2.0 / 11 + z * (2.0 / 13)) + z2 * (2.0 / 15 + z * (2.0 / 17));
  const double from_19 = 2.0 / 19 + z * (2.0 / 21);
  const double series = z * (from_3 + z4 * (from_11 + z4 * from_19));
  const double half_square = 0.5 * f * f;
  return k * ln_2_high + (f - (half_square - (s * (half_square + series) + k * ln_2_low)));
}

double exp(double x) {
  if (x > 709.79) {
    return std::numeric_limits<double>::infinity();
  }
  if (x < -745.14) {
    return 0;
  }
  ensure(x <= 709.79, "the exponential is asked of a number");  // not of a NaN
  const double n = (x * 1.44269504088896340736 + round_to_int) - round_to_int;
  const double r = (x - n * ln_2_high) - n * ln_2_low;

  // Taylor's series to the 13th power for |r| <= ln(2) / 2.
  const double r2 = r * r;
  const double r4 = r2 * r2;
  const double from_2 = (1.0 / 2 + r * (1.0 / 6)) + r2 * (1.0 / 24 + r * (1.0 / 120));
  const double from_6 = (1.0 / 720 + r * (1.0 / 5040)) + r2 * (1.0 / 40320 + r * (1.0 / 362880));
  const double from_10 =
      (1.0 / 3628800 + r * (1.0 / 39916800)) + r2 * (1.0 / 479001600 + r * (1.0 / 6227020800));
  const double power = 1 + (r + r2 * (from_2 + r4 * (from_6 + r4 * from_10)));

  // In two steps, since 2^n alone may lie outside the normal numbers.
  const auto whole = static_cast<std::int64_t>(n);
  const std::int64_t first = whole / 2;
  return power * power_of_2(first) * power_of_2(whole - first);
}

double sin(double x) {
  ensure(x >= -6.2831853071795865 && x <= 6.2831853071795865, "an angle is within one turn of 0");
  const reduced_angle a = reduce(x);
  const double value =
      (a.quarters & 1) != 0 ? cos_near_0(a.high, a.low) : sin_near_0(a.high, a.low);
  return (a.quarters & 2) != 0 ? -value : value;
}

double cos(double x) {
  ensure(x >= -6.2831853071795865 && x <= 6.2831853071795865, "an angle is within one turn of 0");
  const reduced_angle a = reduce(x);
  const double value =
      (a.quarters & 1) != 0 ? sin_near_0(a.high, a.low) : cos_near_0(a.high, a.low);
  return ((a.quarters + 1) & 2) != 0 ? -value : value;
}

double asin(double x) {
  ensure(x >= 0 && x <= 1, "an arc sine is asked of a number from 0 to 1");
  if (x <= 0.5) {
    return asin_to_half(x);
  }
  const double complement = 2 * asin_to_half(std::sqrt((1 - x) * 0.5));
  return half_pi_high - ((complement - half_pi_mid) - half_pi_low);
}

double angle_of(double sine, double cosine) {
  constexpr double pi = 3.14159265358979323846;
  const double length = std::sqrt(sine * sine + cosine * cosine);
  if (length == 0) {
    return 0;
  }
  const double s = std::fabs(sine) / length;
  const double c = std::fabs(cosine) / length;
  // The arc sine of the smaller of the two: near 1 it loses its digits.
  const double acute = s < c ? asin(s) : pi / 2 - asin(c);
  const double above = cosine < 0 ? pi - acute : acute;
  return sine < 0 ? -above : above;
}

double normal_quantile(double p) {
  ensure(p > 0 && p < 1, "a normal quantile is asked of a probability strictly within 0 and 1");
  const double q = p - 0.5;
  if (q >= -0.425 && q <= 0.425) {
    return q * evaluate(central, 0.180625 - q * q);
  }
  const double r = std::sqrt(-log(q < 0 ? p : 1 - p));
  const double value = r <= 5 ? evaluate(shoulder, r - 1.6) : evaluate(tail, r - 5);
  return q < 0 ? -value : value;
}

}  // namespace dibs::real
