/// Distributions of durations that give the same bits on every compiler and CPU.
///
/// Each draw inverts the distribution function at one uniform number, so a draw grows with its
/// uniform whatever the parameters: the same random numbers stay comparable across scenarios.
/// Logarithm and exponential are our own (`base/real.hpp`), since the C library picks variants by
/// CPU; results are rounded to whole nanoseconds.
#pragma once

#include "base/random.hpp"
#include "base/time.hpp"

#include <algorithm>
#include <type_traits>
#include <utility>
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

struct normal_duration {
  sim_duration mean{};
  sim_duration sd{};
};

struct lognormal_duration {
  sim_duration median{};
  double sigma = 0;
};

/// The scale times the (1 / shape)-th power of an exponential variable of mean 1.
struct weibull_duration {
  sim_duration scale{};
  double shape = 1;
};

struct gamma_duration {
  sim_duration mean{};
  double shape = 1;
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
                                  never_duration,
                                  weibull_duration,
                                  gamma_duration>;

/// A distribution of differences, such as the offset of a clock, which may be below 0.
struct signed_distribution {
  signed_distribution() = default;
  template <class Shape>
  requires std::is_constructible_v<distribution, Shape>
  // NOLINTNEXTLINE(google-explicit-constructor): as a distribution is made of its kinds
  signed_distribution(Shape of) : shape(std::move(of)) {}

  distribution shape = constant_duration{};
};

/// No draw is further from 0, but for `forever`: longer than any run, and so short that times and
/// draws can be added by the dozen before 64 bits of nanoseconds, 292 years, are over.
inline constexpr sim_duration draw_max = 24h * 365 * 10;

/// `length`, or the nearest that a draw may be: for what is made of draws, or adds them up without
/// end. `forever` stays.
[[nodiscard]] constexpr sim_duration as_if_drawn(sim_duration length) {
  return length == forever ? forever : std::clamp(length, -draw_max, draw_max);
}

/// One draw of how long something takes, from 0 up to `draw_max`; `forever` from `never_duration`.
/// What the distribution has below 0 counts as 0.
[[nodiscard]] sim_duration draw(const distribution& from, stream& random);

/// One draw of a difference, within `draw_max` either way.
[[nodiscard]] sim_duration draw_signed(const signed_distribution& from, stream& random);

/// The mean of what `draw` gives, by formula and but for `draw_max`; `forever` for
/// `never_duration`.
[[nodiscard]] sim_duration mean_of(const distribution& of);

}  // namespace dibs
