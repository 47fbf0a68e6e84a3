/// Distributions of durations that give the same bits on every compiler and CPU.
///
/// Each draw inverts the distribution function at one uniform number, so a draw grows with its
/// uniform whatever the parameters: the same random numbers stay comparable across scenarios.
/// Logarithm and exponential are our own (`base/real.hpp`), since the C library picks variants by
/// CPU; results are rounded to whole nanoseconds.
#pragma once

#include "base/random.hpp"
#include "base/time.hpp"

#include <string_view>
#include <variant>
#include <vector>

namespace dibs {

struct constant_duration {
  sim_duration value{};
};

struct uniform_duration {
  sim_duration min{};
  sim_duration max{};
};

struct exponential_duration {
  sim_duration mean{};
};

/// May be negative: for clock offsets. Latencies drawn from it are cut off at 0.
struct normal_duration {
  sim_duration mean{};
  sim_duration sd{};
};

struct lognormal_duration {
  sim_duration median{};
  double sigma = 0;
};

/// Straight lines between known quantiles. Requires: probabilities rise from 0 to 1, values do not
/// fall.
struct quantiles_duration {
  struct knot {
    double probability = 0;
    sim_duration value{};
  };
  std::vector<knot> knots;
};

struct never_duration {};

using distribution = std::variant<constant_duration,
                                  uniform_duration,
                                  exponential_duration,
                                  normal_duration,
                                  lognormal_duration,
                                  quantiles_duration,
                                  never_duration>;

/// One draw; `forever` from `never_duration`.
[[nodiscard]] sim_duration draw(const distribution& from, stream& random);

/// The mean, by formula; `forever` for `never_duration`.
[[nodiscard]] sim_duration mean_of(const distribution& of);

}  // namespace dibs
