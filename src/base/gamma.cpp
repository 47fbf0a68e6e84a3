#include "base/gamma.hpp"

#include "base/ensure.hpp"
#include "base/real.hpp"

#include <array>
#include <cmath>  // std::sqrt and std::fabs: IEEE 754 fixes their every bit
#include <limits>

namespace dibs::real {
namespace {

constexpr double half_log_2_pi = 0.91893853320467274178;
constexpr double exact = 1e-15;  // a term of a sum, or a step, that no longer matters
constexpr int terms_max = 10'000;

/// Stirling's series of log gamma, to the seventh term. Requires: x >= 10.
double stirling(double x) {
  constexpr std::array<double, 7> terms{
      1.0 / 12, -1.0 / 360, 1.0 / 1260, -1.0 / 1680, 1.0 / 1188, -691.0 / 360360, 1.0 / 156};
  const double square = 1 / (x * x);
  double sum = 0;
  for (auto term = terms.rbegin(); term != terms.rend(); ++term) {
    sum = sum * square + *term;
  }
  return (x - 0.5) * log(x) - x + half_log_2_pi + sum / x;
}

/// x^shape e^-x / gamma(shape): what both series below are multiplied by.
double front(double shape, double x, double log_of_gamma) {
  return exp(shape * log(x) - x - log_of_gamma);
}

/// Below x, by the series. Requires: 0 < x < shape + 1, where its terms fall.
double by_series(double shape, double x, double log_of_gamma) {
  double term = 1 / shape;
  double sum = term;
  for (int n = 1; n < terms_max && term > sum * exact; ++n) {
    term *= x / (shape + n);
    sum += term;
  }
  return sum * front(shape, x, log_of_gamma);
}

/// Above x, by the continued fraction (Lentz's method, Press and others, Numerical Recipes, 6.2).
/// Requires: x >= shape + 1.
double by_fraction(double shape, double x, double log_of_gamma) {
  constexpr double least = 1e-300;
  double b = x + 1 - shape;
  double c = 1 / least;
  double d = 1 / b;
  double h = d;
  for (int n = 1; n < terms_max; ++n) {
    const double a = -n * (n - shape);
    b += 2;
    d = a * d + b;
    d = std::fabs(d) < least ? least : d;
    c = b + a / c;
    c = std::fabs(c) < least ? least : c;
    d = 1 / d;
    const double change = d * c;
    h *= change;
    if (std::fabs(change - 1) < exact) {
      break;
    }
  }
  return h * front(shape, x, log_of_gamma);
}

double share_below(double shape, double x, double log_of_gamma) {
  if (x <= 0) {
    return 0;
  }
  return x < shape + 1 ? by_series(shape, x, log_of_gamma)
                       : 1 - by_fraction(shape, x, log_of_gamma);
}

/// Where the search for a quantile begins: by Wilson and Hilferty's cube of a normal variable, or,
/// where that fails, by the first term of the series.
double first_guess(double shape, double p, double log_of_gamma) {
  const double ninth = 1 / (9 * shape);
  const double cube_root = 1 - ninth + normal_quantile(p) * std::sqrt(ninth);
  const double guess = shape * cube_root * cube_root * cube_root;
  const double by_first_term = exp((log(p) + log_of_gamma + log(shape)) / shape);
  return cube_root > 0 && shape >= 1 ? guess : by_first_term;
}

}  // namespace

double log_gamma(double x) {
  ensure(x > 0, "the gamma function is asked of what is above 0");
  constexpr double large = 10;
  double factors = 1;
  for (; x < large; x += 1) {
    factors *= x;
  }
  return stirling(x) - log(factors);
}

double gamma_share_below(double shape, double x) {
  ensure(shape > 0 && x >= 0, "a gamma distribution has a shape above 0, and nothing below 0");
  return share_below(shape, x, log_gamma(shape));
}

// Newton's steps, kept within what is known to hold the quantile; halved where they leave it.
double gamma_quantile(double shape, double p) {
  ensure(p > 0 && p < 1, "a quantile is asked of a probability strictly within 0 and 1");
  constexpr int steps_max = 200;
  constexpr double close = 1e-14;
  const double log_of_gamma = log_gamma(shape);
  double x = first_guess(shape, p, log_of_gamma);
  double low = 0;
  double high = std::numeric_limits<double>::max();
  for (int i = 0; i < steps_max && x > std::numeric_limits<double>::min(); ++i) {
    const double error = share_below(shape, x, log_of_gamma) - p;
    (error < 0 ? low : high) = x;
    const double slope = front(shape, x, log_of_gamma) / x;
    double next = slope > 0 ? x - error / slope : low;
    if (!(next > low && next < high)) {
      next = high < std::numeric_limits<double>::max() ? (low + high) * 0.5 : x * 2;
    }
    if (std::fabs(next - x) <= close * x) {
      return next;
    }
    x = next;
  }
  return x;
}

}  // namespace dibs::real
