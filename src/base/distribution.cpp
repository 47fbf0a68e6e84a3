#include "base/distribution.hpp"

#include "base/ensure.hpp"
#include "base/gamma.hpp"
#include "base/real.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>

namespace dibs {
namespace {

constexpr sim_duration longest{forever.count() - 1};  // `forever` itself means "never"

double in_ns(sim_duration d) { return static_cast<double>(d.count()); }

/// To the nearest whole number, halves away from zero: what `std::llround` gives, without a call.
/// Requires: it is in range.
std::int64_t rounded(double ns) {
  const auto whole = static_cast<std::int64_t>(ns);
  const double rest =
      ns - static_cast<double>(whole);  // exact: where it is not zero, both are small
  return whole + (rest >= 0.5 ? 1 : 0) - (rest <= -0.5 ? 1 : 0);
}

/// Rounded to whole nanoseconds; what lies out of range becomes the longest that there is.
sim_duration of_ns(double ns) {
  constexpr double limit = 0x1p63;
  if (ns >= limit) {
    return longest;
  }
  if (ns <= -limit) {
    return -longest;
  }
  return sim_duration{rounded(ns)};
}

/// `start + share (end - start)`, to the nanosecond also where doubles are coarser than that.
sim_duration between(sim_duration start, sim_duration end, double share) {
  ensure(start <= end, "a distribution's values do not fall");
  // Unsigned, since the two may lie further apart than a signed number can say.
  const auto first = static_cast<std::uint64_t>(start.count());
  const std::uint64_t width = static_cast<std::uint64_t>(end.count()) - first;
  const double offset = share * static_cast<double>(width) + 0.5;
  if (offset >= static_cast<double>(width)) {
    return end;
  }
  return sim_duration{static_cast<std::int64_t>(first + static_cast<std::uint64_t>(offset))};
}

struct at_probability {
  double u;

  sim_duration operator()(const constant_duration& d) const { return d.value; }

  sim_duration operator()(const uniform_duration& d) const { return between(d.min, d.max, u); }

  sim_duration operator()(const exponential_duration& d) const {
    return of_ns(-in_ns(d.mean) * real::log(1 - u));
  }

  sim_duration operator()(const normal_duration& d) const {
    return of_ns(in_ns(d.mean) + in_ns(d.sd) * real::normal_quantile(u));
  }

  sim_duration operator()(const lognormal_duration& d) const {
    return of_ns(in_ns(d.median) * real::exp(d.sigma * real::normal_quantile(u)));
  }

  sim_duration operator()(const weibull_duration& d) const {
    return of_ns(in_ns(d.scale) * real::exp(real::log(-real::log(1 - u)) / d.shape));
  }

  sim_duration operator()(const gamma_duration& d) const {
    return of_ns(in_ns(d.mean) / d.shape * real::gamma_quantile(d.shape, u));
  }

  sim_duration operator()(const quantiles_duration& d) const {
    ensure(!d.knots.empty(), "a distribution of quantiles has knots");
    // A handful of knots: a scan beats a binary search.
    for (std::size_t i = 1; i < d.knots.size(); ++i) {
      const auto& left = d.knots[i - 1];
      const auto& right = d.knots[i];
      if (u < right.probability) {
        const double share = (u - left.probability) / (right.probability - left.probability);
        return between(left.value, right.value, share);
      }
    }
    return d.knots.back().value;
  }

  sim_duration operator()(const never_duration&) const { return forever; }
};

struct mean {
  sim_duration operator()(const constant_duration& d) const { return d.value; }

  sim_duration operator()(const uniform_duration& d) const { return between(d.min, d.max, 0.5); }

  sim_duration operator()(const exponential_duration& d) const { return d.mean; }

  // Of what is drawn: of a normal variable cut off at 0 (Greene, Econometric Analysis,
  // theorem 19.3).
  sim_duration operator()(const normal_duration& d) const {
    if (d.sd == sim_duration::zero()) {
      return std::max(d.mean, sim_duration::zero());
    }
    const double z = in_ns(d.mean) / in_ns(d.sd);
    const double share_above = 0.5 * std::erfc(-z / std::numbers::sqrt2);
    const double density = real::exp(-0.5 * z * z) * std::numbers::inv_sqrtpi / std::numbers::sqrt2;
    return of_ns(in_ns(d.mean) * share_above + in_ns(d.sd) * density);
  }

  sim_duration operator()(const lognormal_duration& d) const {
    return of_ns(in_ns(d.median) * real::exp(d.sigma * d.sigma * 0.5));
  }

  sim_duration operator()(const weibull_duration& d) const {
    return of_ns(in_ns(d.scale) * real::exp(real::log_gamma(1 + 1 / d.shape)));
  }

  sim_duration operator()(const gamma_duration& d) const { return d.mean; }

  sim_duration operator()(const quantiles_duration& d) const {
    double sum = 0;
    for (std::size_t i = 1; i < d.knots.size(); ++i) {
      const auto& left = d.knots[i - 1];
      const auto& right = d.knots[i];
      const double middle = (in_ns(left.value) + in_ns(right.value)) * 0.5;
      sum += (right.probability - left.probability) * middle;
    }
    return of_ns(sum);
  }

  sim_duration operator()(const never_duration&) const { return forever; }
};

}  // namespace

sim_duration draw(const distribution& from, stream& random) {
  // Every kind takes one number, also those that need none: what is drawn next from the stream
  // then stays the same when the scenario exchanges one kind for another.
  const at_probability drawn{random.unit()};
  if (const auto* hop = std::get_if<exponential_duration>(&from)) [[likely]] {
    return std::min(drawn(*hop), draw_max);
  }
  return std::max(as_if_drawn(std::visit(drawn, from)), sim_duration::zero());
}

sim_duration draw_signed(const signed_distribution& from, stream& random) {
  return as_if_drawn(std::visit(at_probability{random.unit()}, from.shape));
}

sim_duration mean_of(const distribution& of) { return std::visit(mean{}, of); }

}  // namespace dibs
