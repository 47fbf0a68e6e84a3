#include "stats/kim_nelson.hpp"

#include "base/ensure.hpp"
#include "base/real.hpp"
#include "stats/sample_mean.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace dibs::stats {
namespace {

std::vector<double> differences(std::span<const double> a, std::span<const double> b) {
  std::vector<double> d;
  for (std::size_t r = 0; r < std::min(a.size(), b.size()); ++r) {
    d.push_back(a[r] - b[r]);
  }
  return d;
}

}  // namespace

double h_squared(double alpha, std::size_t systems, std::size_t first) {
  const double k = static_cast<double>(systems);
  const double n0 = static_cast<double>(first);
  const double eta = 0.5 * (real::exp(-2 / (n0 - 1) * real::log(2 * alpha / (k - 1))) - 1);
  return 2 * eta * (n0 - 1);
}

kim_nelson::kim_nelson(std::span<const std::vector<double>> first, const selection_options& how)
    : systems_(first.size()),
      delta_(how.delta),
      variances_(systems_ * systems_),
      first_(first.empty() ? 0 : first[0].size()) {
  ensure(systems_ >= 2 && first_ >= 2, "a selection needs two systems and two samples");
  ensure(delta_ > 0, "a selection needs a difference that matters");
  h_squared_ = h_squared(how.alpha, systems_, first_);
  for (std::size_t i = 0; i < systems_; ++i) {
    for (std::size_t l = 0; l < systems_; ++l) {
      variances_[i * systems_ + l] = i == l ? 0 : variance_of(differences(first[i], first[l]));
    }
  }
}

std::size_t kim_nelson::most_replications(std::span<const std::size_t> among) const {
  double widest = 0;
  for (const std::size_t i : among) {
    for (const std::size_t l : among) {
      widest = std::max(widest, variance(i, l));
    }
  }
  constexpr double far_too_many = 1e9;
  const double most = std::floor(h_squared_ * widest / (delta_ * delta_)) + 1;
  return std::max(first_, static_cast<std::size_t>(std::min(most, far_too_many)));
}

double kim_nelson::allowance(std::size_t i, std::size_t l, std::size_t r) const {
  return std::max(0.0,
                  h_squared_ * variance(i, l) / (2 * delta_) - delta_ * static_cast<double>(r) / 2);
}

bool kim_nelson::eliminates(std::size_t l,
                            std::size_t i,
                            std::span<const double> samples_of_l,
                            std::span<const double> samples_of_i) const {
  const std::vector<double> d = differences(samples_of_i, samples_of_l);
  return std::accumulate(d.begin(), d.end(), 0.0) > allowance(i, l, d.size());
}

}  // namespace dibs::stats
