#include "economics/calculator_errors.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string_view>

namespace dibs::economics {
namespace {

constexpr double seconds_per_hour = 3600;

/// Three significant digits, and every digit before the point: `0.072`, `50.7`, `12346`.
std::string number(double x) {
  const bool is_long = std::fabs(x) >= 1000 && std::fabs(x) < 1e15;
  return is_long ? fmt::format("{:.0f}", x) : fmt::format("{:.3g}", x);
}

/// A bound must not be rounded into another: `5.15`, not `5.1`.
std::string exact(double x) { return fmt::format("{:.10g}", x); }

/// The longest duration that the document tries. Requires: it answered.
double last_tried(const parameters& p) { return std::trunc(minimum_lease(p) * 10) - 1; }

std::string of_units(const parameters& p,
                     const compat_answer& said,
                     const corrected_answer& right) {
  const auto lease = static_cast<double>(said.lease_s);
  const double in_one_unit = cost_per_hour(p, lease);
  return fmt::format(
      "It adds dollars an hour for false positives to dollars a second for unavailability, which "
      "is 3,600 times too little: by its own model in one unit, its lease of {} s costs ${}/h, not "
      "${}/h, and the best one, of {} s, ${}/h.",
      said.lease_s,
      number(in_one_unit),
      number(said.expected_cost_per_hour),
      number(right.lease_s),
      number(right.expected_cost_per_hour));
}

/// sqrt(3600) = 60: what the unit error does to the optimum.
std::string of_optimum(const parameters& p,
                       const compat_answer& said,
                       const corrected_answer& right) {
  std::string text = fmt::format(
      "So it aims at sqrt(25920 fp/(rate un)) = {} s, 60 times the sqrt(7.2 fp/(rate un)) = {} s "
      "of "
      "its own model in one unit",
      number(60 * right.best_lease_s),
      number(right.best_lease_s));
  if (static_cast<double>(said.lease_s) == last_tried(p)) {
    text += fmt::format(", and stops at {} s only because it tries nothing longer", said.lease_s);
  }
  return text + ".";
}

std::string of_truncation(const parameters& p, const compat_answer& said) {
  const double minimum = minimum_lease(p);
  return fmt::format(
      "It cuts its minimum lease of {} s down to {} s, and so tries leases that are too short{}.",
      exact(minimum),
      exact(std::trunc(minimum)),
      static_cast<double>(said.lease_s) < minimum
          ? fmt::format(" and chooses one, of {} s", said.lease_s)
          : "");
}

std::string of_grid(const parameters& p) {
  return fmt::format(
      "It tries whole seconds alone, and none beyond {} s: ten minimum leases are a limit without "
      "a "
      "reason, and the end of the range is left out.",
      exact(last_tried(p)));
}

std::string of_probability(const corrected_answer& right) {
  return fmt::format(
      "Its false_positive_prob is no probability but an expected number an hour, above 1 for "
      "leases "
      "under 3.6 s, and the same on every network: for {} s it is {}, where at least one has the "
      "probability {}.",
      number(right.lease_s),
      number(right.false_positives_per_hour),
      number(right.false_positive_probability));
}

std::string of_residual(double lease_s, double threshold) {
  const double left = residual(lease_s, threshold);
  return fmt::format(
      "It takes half of the lease to be left when an owner fails, {} s of {} s; renewed after {} "
      "of "
      "it, as it advises, d (1 - f/2) are left on average: {} of it, {} s.",
      number(lease_s / 2),
      number(lease_s),
      number(threshold),
      number(left / lease_s),
      number(left));
}

std::string of_renewals(double lease_s, double threshold) {
  return fmt::format(
      "It pays for a renewal every {} s and advises one every {} s: {} an hour, not {}.",
      number(lease_s),
      number(lease_s * threshold),
      number(seconds_per_hour / (lease_s * threshold)),
      number(seconds_per_hour / lease_s));
}

std::string of_threshold(double threshold) {
  return fmt::format(
      "Its renewal_threshold of {} is the share of the lease that has passed; the document's own "
      "Lease.should_renew takes the share that is left, which is {}.",
      number(threshold),
      number(1 - threshold));
}

constexpr std::string_view of_checks =
    "It checks no argument: a negative cost is taken, a minimum lease under 1 s divides by zero, "
    "and "
    "one under 0.1 s leaves no duration to try, which ends in a TypeError.";

}  // namespace

std::vector<std::string> faults(const parameters& p,
                                const result<compat_answer>& said,
                                const corrected_answer& right) {
  std::vector<std::string> all;
  // Without an answer of its own, the document's reasoning is shown on the right one.
  double lease = right.lease_s;
  double threshold = right.renewal_threshold;
  if (said) {
    lease = static_cast<double>(said->lease_s);
    threshold = said->renewal_threshold;
    all.push_back(of_units(p, *said, right));
    all.push_back(of_optimum(p, *said, right));
    if (std::trunc(minimum_lease(p)) < minimum_lease(p)) {
      all.push_back(of_truncation(p, *said));
    }
    all.push_back(of_grid(p));
  } else {
    all.push_back(
        fmt::format("It has no answer for a minimum lease of {} s ({}); the best is {} s.",
                    exact(minimum_lease(p)),
                    said.error().text,
                    number(right.lease_s)));
    all.emplace_back(
        "It adds dollars an hour for false positives to dollars a second for unavailability, which "
        "is 3,600 times too little, and so aims at a lease 60 times too long.");
  }
  all.push_back(of_probability(right));
  all.push_back(of_residual(lease, threshold));
  all.push_back(of_renewals(lease, threshold));
  all.push_back(of_threshold(threshold));
  all.emplace_back(of_checks);
  return all;
}

}  // namespace dibs::economics
