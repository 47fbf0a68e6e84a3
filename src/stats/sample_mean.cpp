#include "stats/sample_mean.hpp"

#include "base/ensure.hpp"
#include "stats/confidence_interval.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace dibs::stats {

double sample_mean::below(double tail) const {
  return mean - student_t_quantile(count - 1, tail) * error - unsure;
}

double sample_mean::above(double tail) const {
  return mean + student_t_quantile(count - 1, tail) * error + unsure;
}

double sample_mean::half_width() const { return student_t_quantile(count - 1) * error + unsure; }

double variance_of(std::span<const double> samples) {
  ensure(samples.size() >= 2, "a variance needs two samples");
  const double n = static_cast<double>(samples.size());
  const double mean = std::accumulate(samples.begin(), samples.end(), 0.0) / n;
  double squares = 0;
  for (const double x : samples) {
    squares += (x - mean) * (x - mean);
  }
  return squares / (n - 1);
}

sample_mean mean_of(std::span<const double> samples) {
  const double n = static_cast<double>(samples.size());
  const double mean = std::accumulate(samples.begin(), samples.end(), 0.0) / n;
  return {mean, std::sqrt(variance_of(samples) / n), samples.size()};
}

interval fieller_interval(std::span<const double> numerators,
                          std::span<const double> denominators) {
  ensure(numerators.size() == denominators.size(), "a quotient is of common samples");
  const sample_mean top = mean_of(numerators);
  const sample_mean bottom = mean_of(denominators);
  std::vector<double> together;
  for (std::size_t i = 0; i < numerators.size(); ++i) {
    together.push_back(numerators[i] + denominators[i]);
  }
  const auto squared = [](double x) { return x * x; };
  const double covariance =
      (squared(mean_of(together).error) - squared(top.error) - squared(bottom.error)) / 2;
  const double t2 = squared(student_t_quantile(numerators.size() - 1));
  const double a = squared(bottom.mean) - t2 * squared(bottom.error);
  const double b = top.mean * bottom.mean - t2 * covariance;
  const double c = squared(top.mean) - t2 * squared(top.error);
  if (bottom.mean <= 0 || a <= 0) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    return {-infinity, infinity};
  }
  const double root = std::sqrt(std::max(0.0, b * b - a * c));
  return {(b - root) / a, (b + root) / a};
}

std::vector<double> paired_differences(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> d;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    d.push_back(a[i] - b[i]);
  }
  return d;
}

}  // namespace dibs::stats
