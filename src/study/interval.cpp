#include "study/interval.hpp"

#include "base/ensure.hpp"

#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <numeric>

namespace dibs::study {

double student_t(std::size_t degrees, double tail) {
  ensure(degrees >= 1 && tail > 0 && tail < 1, "a quantile needs two samples and a level");
  const boost::math::students_t t(static_cast<double>(degrees));
  return boost::math::quantile(boost::math::complement(t, tail));
}

double mean_of_samples::below(double tail) const {
  return mean - student_t(count - 1, tail) * error;
}

double mean_of_samples::above(double tail) const {
  return mean + student_t(count - 1, tail) * error;
}

double mean_of_samples::half_width() const {
  constexpr double tail_of_95 = 0.025;
  return student_t(count - 1, tail_of_95) * error;
}

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

}  // namespace dibs::study
