#include "economics/calculator.hpp"

#include "base/real.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>  // std::sqrt, std::trunc and their like alone: IEEE 754 fixes their every bit
#include <limits>
#include <optional>
#include <string_view>

namespace dibs::economics {
namespace {

constexpr double seconds_per_hour = 3600;
constexpr double false_positives_per_renewal = 0.001;
constexpr double threshold_min = 0.3;
constexpr double threshold_max = 0.7;

/// The share of a lease after which to renew, leaving three round trips. Comparisons stand as in
/// Python's min and max, which keep their first argument unless the second is strictly better.
double renewal_threshold(double rtt_s, double lease_s) {
  const double leaves_three_round_trips = 1 - (rtt_s * 3 / lease_s);
  const double at_most =
      leaves_three_round_trips < threshold_max ? leaves_three_round_trips : threshold_max;
  return at_most > threshold_min ? at_most : threshold_min;
}

/// The document's cost of a lease, part by part, in its order of operations.
///
/// Each part rises or falls with d throughout, also after rounding, since rounding keeps order. So
/// the ends of a block of durations bound everything between them, exactly and not up to an error.
class document_cost {
 public:
  explicit document_cost(const parameters& p)
      : p_(p), failures_per_second_(p.failures_per_hour / seconds_per_hour) {}

  [[nodiscard]] double of(std::int64_t d) const { return renewals(d) + unavailability(d); }

  /// Nothing from `first` to `last` costs less; NaN if that cannot be told.
  [[nodiscard]] double least(std::int64_t first, std::int64_t last) const {
    return lower(renewals(first), renewals(last)) +
           lower(unavailability(first), unavailability(last));
  }

 private:
  static double lower(double a, double b) {
    return std::isnan(a) || std::isnan(b) ? std::numeric_limits<double>::quiet_NaN()
                                          : std::min(a, b);
  }

  [[nodiscard]] double renewals(std::int64_t d) const {
    const double renewals_needed = seconds_per_hour / static_cast<double>(d);
    return (false_positives_per_renewal * renewals_needed) * p_.false_positive_cost;
  }

  [[nodiscard]] double unavailability(std::int64_t d) const {
    return (failures_per_second_ * static_cast<double>(d) * 0.5) * p_.unavailability_cost;
  }

  parameters p_;
  double failures_per_second_ = 0;
};

/// Finds what the document's loop finds, the first duration of the lowest cost, without trying
/// every one: a block is passed over if none in it can be the first or the lowest.
class search {
 public:
  search(const parameters& p, std::int64_t first, std::int64_t last) : cost_(p) {
    for (const std::int64_t d : {first, last, likely(p, first, last)}) {
      const double cost = cost_.of(d);
      reachable_ = cost < reachable_ ? cost : reachable_;
    }
    look_into(first, last);
  }

  [[nodiscard]] bool gave_up() const { return tried_ > tries_max; }
  [[nodiscard]] std::optional<std::int64_t> duration() const { return best_; }
  [[nodiscard]] double cost() const { return best_cost_; }

 private:
  static constexpr std::int64_t tries_max = 30'000'000;  // well under a second
  static constexpr std::int64_t block = 64;

  /// Where the cost is lowest if durations were no whole numbers; anything will do.
  static std::int64_t likely(const parameters& p, std::int64_t first, std::int64_t last) {
    const double d =
        std::sqrt(25920 * p.false_positive_cost / (p.failures_per_hour * p.unavailability_cost));
    const bool is_inside = d > static_cast<double>(first) && d < static_cast<double>(last);
    return is_inside ? static_cast<std::int64_t>(d) : first;
  }

  void look_into(std::int64_t first, std::int64_t last) {
    ++tried_;
    const double least = cost_.least(first, last);
    if (least > reachable_ || least >= best_cost_ || gave_up()) {
      return;
    }
    if (last - first >= block) {
      const std::int64_t middle = first + (last - first) / 2;
      look_into(first, middle);
      look_into(middle + 1, last);
      return;
    }
    for (std::int64_t d = first; d <= last; ++d) {
      ++tried_;
      const double cost = cost_.of(d);
      if (cost < best_cost_) {
        best_cost_ = cost;
        best_ = d;
      }
    }
  }

  document_cost cost_;
  double reachable_ = std::numeric_limits<double>::infinity();  ///< some duration costs this
  double best_cost_ = std::numeric_limits<double>::infinity();
  std::optional<std::int64_t> best_;
  std::int64_t tried_ = 0;
};

tl::unexpected<error> raised(std::string_view exception, std::string_view why) {
  return failure(exit_code::usage, fmt::format("{}: {}", exception, why));
}

tl::unexpected<error> no_cost() {
  return raised("TypeError", "unsupported operand type(s) for /: 'float' and 'NoneType'");
}

/// Durations from `first` to `last`; empty if last < first.
struct range {
  std::int64_t first = 0;
  std::int64_t last = -1;
};

result<range> range_of(double minimum_s) {
  // Beyond, neighbouring whole seconds are no longer different numbers.
  constexpr double seconds_max = 0x1p53;
  const double end = minimum_s * 10;
  if (std::isnan(minimum_s)) {
    return raised("ValueError", "cannot convert float NaN to integer");
  }
  if (std::isinf(minimum_s) || std::isinf(end)) {
    return raised("OverflowError", "cannot convert float infinity to integer");
  }
  if (std::trunc(end) <= std::trunc(minimum_s)) {
    return range{};
  }
  if (end >= seconds_max) {
    return failure(exit_code::usage,
                   fmt::format("no answer: the document's calculator would try each second from "
                               "{:.3g} to {:.3g}",
                               minimum_s,
                               end));
  }
  return range{static_cast<std::int64_t>(minimum_s), static_cast<std::int64_t>(end) - 1};
}

struct bounded {
  std::string_view name;
  std::string_view unit;
  double value = 0;
  bool may_be_zero = true;
  std::string_view why_not_zero = {};
};

result<void> check(const bounded& b) {
  if (std::isfinite(b.value) && (b.may_be_zero ? b.value >= 0 : b.value > 0)) {
    return {};
  }
  return failure(exit_code::usage,
                 fmt::format("{} must be a finite number {}, in {} (got {:g}){}",
                             b.name,
                             b.may_be_zero ? "of 0 or more" : "above 0",
                             b.unit,
                             b.value,
                             b.value == 0 ? b.why_not_zero : ""));
}

result<void> check(const parameters& p) {
  for (const bounded& b : {
           bounded{"the time of an operation", "s", p.operation_s},
           bounded{"the round trip", "s", p.rtt_s},
           bounded{"the rate of failures",
                   "1/h",
                   p.failures_per_hour,
                   false,
                   ": without failures no lease need ever end"},
           bounded{"the cost of a false positive", "$", p.false_positive_cost},
           bounded{"the cost of unavailability",
                   "$/s",
                   p.unavailability_cost,
                   false,
                   ": if it costs nothing no lease need ever end"},
       }) {
    if (auto fine = check(b); !fine) {
      return fine;
    }
  }
  return check(bounded{
      "the minimum lease, an operation and three round trips,", "s", minimum_lease(p), false});
}

/// Of at least one false positive among so many renewals, each on its own.
double probability_of_one(double renewals) {
  const double x = -renewals * real::log(1 - false_positives_per_renewal);
  // Below, 1 - exp(-x) would lose more digits than this series leaves out.
  constexpr double small = 1e-4;
  return x < small ? x - x * x / 2 + x * x * x / 6 : 1 - real::exp(-x);
}

}  // namespace

double minimum_lease(const parameters& p) { return (p.rtt_s * 3) + p.operation_s; }

double residual(double lease_s, double threshold) { return lease_s * (1 - threshold / 2); }

double false_positives_per_hour(double lease_s) {
  return false_positives_per_renewal * (seconds_per_hour / lease_s);
}

double cost_per_hour(const parameters& p, double lease_s) {
  return cost_per_hour_renewed(p, lease_s, 1);
}

double cost_per_hour_renewed(const parameters& p, double lease_s, double threshold) {
  const double renewals = seconds_per_hour / (threshold * lease_s);
  return false_positives_per_renewal * renewals * p.false_positive_cost +
         p.failures_per_hour * residual(lease_s, threshold) * p.unavailability_cost;
}

result<compat_answer> compat(const parameters& p) {
  const auto durations = range_of(minimum_lease(p));
  if (!durations) {
    return tl::unexpected<error>(durations.error());
  }
  if (durations->last < durations->first) {
    return no_cost();
  }
  if (durations->first == 0) {
    return raised("ZeroDivisionError", "division by zero");
  }
  const search found(p, durations->first, durations->last);
  if (found.gave_up()) {
    return failure(exit_code::usage,
                   fmt::format("no answer: too many of the durations from {} s to {} s cost the "
                               "same, or nothing that can be compared",
                               durations->first,
                               durations->last));
  }
  if (!found.duration()) {
    return no_cost();
  }
  const std::int64_t lease = *found.duration();
  const double threshold = renewal_threshold(p.rtt_s, static_cast<double>(lease));
  return compat_answer{lease, threshold, static_cast<double>(lease) * threshold, found.cost()};
}

result<corrected_answer> corrected(const parameters& p) {
  if (const auto fine = check(p); !fine) {
    return tl::unexpected<error>(fine.error());
  }
  corrected_answer a;
  a.minimum_lease_s = minimum_lease(p);
  a.best_lease_s =
      std::sqrt(7.2 * p.false_positive_cost / (p.failures_per_hour * p.unavailability_cost));
  a.lease_s = std::max(a.minimum_lease_s, a.best_lease_s);
  a.renewal_threshold = renewal_threshold(p.rtt_s, a.lease_s);
  a.renewal_interval_s = a.lease_s * a.renewal_threshold;
  a.false_positives_per_hour = false_positives_per_hour(a.lease_s);
  a.false_positive_probability = probability_of_one(seconds_per_hour / a.lease_s);
  a.residual_s = residual(a.lease_s, a.renewal_threshold);
  a.expected_cost_per_hour = cost_per_hour(p, a.lease_s);
  a.renewed_cost_per_hour = cost_per_hour_renewed(p, a.lease_s, a.renewal_threshold);
  if (!std::isfinite(a.best_lease_s) || !std::isfinite(a.false_positives_per_hour) ||
      !std::isfinite(a.expected_cost_per_hour) || !std::isfinite(a.renewed_cost_per_hour)) {
    return failure(exit_code::usage,
                   "the lease or its cost does not fit a floating-point number; are all arguments "
                   "in the units that are asked for?");
  }
  return a;
}

}  // namespace dibs::economics
