#include "study/interval.hpp"

#include "base/ensure.hpp"
#include "report/interval.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace dibs::study {

double mean_of_samples::below(double tail) const {
  return mean - report::student_t(count - 1, tail) * error;
}

double mean_of_samples::above(double tail) const {
  return mean + report::student_t(count - 1, tail) * error;
}

double mean_of_samples::half_width() const { return report::student_t(count - 1) * error; }

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

mean_of_samples mean_of(std::span<const double> samples) {
  const double n = static_cast<double>(samples.size());
  const double mean = std::accumulate(samples.begin(), samples.end(), 0.0) / n;
  return {mean, std::sqrt(variance_of(samples) / n), samples.size()};
}

std::vector<double> minus(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> d;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    d.push_back(a[i] - b[i]);
  }
  return d;
}

}  // namespace dibs::study
