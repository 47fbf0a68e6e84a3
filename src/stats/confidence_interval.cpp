#include "stats/confidence_interval.hpp"

#include "base/ensure.hpp"

#include <algorithm>
#include <boost/math/distributions/gamma.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace dibs::stats {

double student_t_quantile(std::uint64_t degrees, double tail) {
  ensure(degrees >= 1 && tail > 0 && tail < 1, "an interval needs two replications and a level");
  const boost::math::students_t spread(static_cast<double>(degrees));
  return boost::math::quantile(boost::math::complement(spread, tail));
}

namespace {

/// What rounding alone makes of equal samples is no width.
double without_noise(double half_width, double value) {
  return half_width > 1e-9 * std::fabs(value) ? half_width : 0;
}

}  // namespace

stats::estimate t_interval(std::span<const double> samples) {
  ensure(samples.size() >= 2, "an interval needs two replications");
  const double n = static_cast<double>(samples.size());
  double sum = 0;
  for (const double x : samples) {
    sum += x;
  }
  const double mean = sum / n;
  double squares = 0;
  for (const double x : samples) {
    squares += (x - mean) * (x - mean);
  }
  return stats::within(
      mean,
      without_noise(student_t_quantile(samples.size() - 1) * std::sqrt(squares / (n - 1) / n),
                    mean),
      samples.size());
}

stats::estimate jackknife_interval(double whole, std::span<const double> without) {
  const double n = static_cast<double>(without.size());
  std::vector<double> pseudo;
  pseudo.reserve(without.size());
  for (const double left_out : without) {
    pseudo.push_back(n * whole - (n - 1) * left_out);
  }
  return stats::within(
      whole, without_noise(t_interval(pseudo).half_width(), whole), without.size());
}

namespace {

double squared(double x) { return x * x; }

/// Of a gamma distribution with this mean and variance.
double gamma_quantile(double mean, double variance, double below) {
  const boost::math::gamma_distribution<double> g(squared(mean) / variance, variance / mean);
  return boost::math::quantile(g, below);
}

double standard_error_of(double half_width) {
  const boost::math::normal_distribution<double> normal;
  return half_width / boost::math::quantile(boost::math::complement(normal, tail_of_95));
}

bool is_of_few_cases(double mean, double error) {
  return error > 0 ? squared(mean / error) < normal_cases_min : mean == 0;
}

/// `one` is what one case more adds to the mean.
stats::margins around_few_cases(double mean, double error, double one) {
  const double lower = mean > 0 ? gamma_quantile(mean, squared(error), tail_of_95) : 0;
  const double upper = gamma_quantile(mean + one, squared(error) + squared(one), 1 - tail_of_95);
  return {mean - lower, upper - mean, true};
}

}  // namespace

std::optional<stats::margins> clipped_margins(double value,
                                              double half_width,
                                              const possible_range& l) {
  const double most = l.most.value_or(std::numeric_limits<double>::infinity());
  const bool counts_what_lacks = value > most / 2;
  const double mean = counts_what_lacks ? most - value : value;
  stats::margins reach{half_width, half_width};
  const double error = standard_error_of(half_width);
  if (l.chances && *l.chances > 0 && is_of_few_cases(mean, error)) {
    reach = around_few_cases(mean, error, 1 / *l.chances);
    if (counts_what_lacks) {
      std::swap(reach.below, reach.above);
    }
  }
  const stats::margins possible{
      std::min(reach.below, value), std::min(reach.above, most - value), true};
  return possible.below == half_width && possible.above == half_width ? std::nullopt
                                                                      : std::optional(possible);
}

bool is_conclusive_without_variance(double value,
                                    const possible_range& l,
                                    std::size_t replications) {
  return value == 0 || value == l.most ? l.chances.has_value() && *l.chances > 0
                                       : replications >= agreeing_to_be_certain;
}

stats::estimate possible_interval(const stats::estimate& by_student, const possible_range& l) {
  const double half_width = by_student.half_width();
  stats::estimate e = by_student;
  if (half_width == 0 && !is_conclusive_without_variance(e.value, l, e.samples)) {
    e.margin.reset();
  } else if (const auto possible = clipped_margins(e.value, half_width, l)) {
    e.margin = possible;
  }
  return e;
}

stats::margins count_interval(double n) {
  ensure(n > 0, "of nothing that was seen there is a bound alone");
  return around_few_cases(n, std::sqrt(n), 1);
}

double zero_event_bound(double n) {
  ensure(n > 0, "a bound needs something that was seen");
  constexpr double minus_log_of_one_in_thousand = 6.908;
  return minus_log_of_one_in_thousand / n;
}

}  // namespace dibs::stats
