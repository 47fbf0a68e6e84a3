/// How long a lease should be, by what it costs: the lease-economics calculator of the document
/// "Lease Pattern: time-bound resource ownership" as it stands, and as it should be.
///
/// A short lease is renewed often, and each renewal may take a living owner for a dead one. A long
/// lease keeps what a dead owner held from everybody else. Both harms cost money; somewhere between
/// them lies the cheapest lease.
///
/// Pure: reads no clock, draws nothing, does no I/O. Throws nothing.
#pragma once

#include "base/result.hpp"

#include <cstdint>

namespace dibs::economics {

/// What a lease protects, and what goes wrong at which price.
struct parameters {
  double operation_s = 0;          ///< how long an owner works under the lease
  double rtt_s = 0;                ///< a round trip between owner and lease manager
  double failures_per_hour = 0;    ///< of an owner
  double false_positive_cost = 0;  ///< $ for each living owner who is taken for dead
  double unavailability_cost = 0;  ///< $ a second while a dead owner holds the lease
};

/// What the document returns, under its own names for things.
struct compat_answer {
  std::int64_t lease_s = 0;
  double renewal_threshold = 0;  ///< the share of the lease that has passed, within 0.3 .. 0.7
  double renewal_interval_s = 0;
  double expected_cost_per_hour = 0;  ///< as the document says; its two parts differ in unit
};

struct corrected_answer {
  double minimum_lease_s = 0;    ///< an operation and three round trips
  double best_lease_s = 0;       ///< the cheapest of all, if it were long enough
  double lease_s = 0;            ///< the cheapest that is long enough
  double renewal_threshold = 0;  ///< the share of the lease that has passed, 0.3 .. 0.7
  double renewal_interval_s = 0;
  double false_positives_per_hour = 0;    ///< expected number; may exceed 1
  double false_positive_probability = 0;  ///< of at least one in an hour, within 0 .. 1
  double residual_s = 0;                  ///< mean time left when an owner fails, with renewals
  double expected_cost_per_hour = 0;      ///< $/h, at lease_s, by `cost_per_hour`
  double renewed_cost_per_hour = 0;       ///< $/h, by `cost_per_hour_renewed`
};

/// The document's calculation bit for bit, in IEEE 754 double and its order of operations: whole
/// seconds d from int(m) up to, but without, int(10 m), where m = 3 rtt + operation; the first d of
/// the lowest cost. Checks no argument, as the document does not.
///
/// Errors (exit_code::usage): the text opens with the Python exception that the document's code
/// raises, as in `ZeroDivisionError: ...`: ValueError if m is no number, OverflowError if m or 10 m
/// is infinite, ZeroDivisionError if 0 is among the durations, TypeError if no duration has a cost.
/// A range too long to search (from some 10^15 s) is refused in words of our own; the document's
/// loop would not end within a lifetime.
[[nodiscard]] result<compat_answer> compat(const parameters& p);

/// The same question with checked arguments, one unit of money per time, and any length of lease.
///
/// With 0.001 false positives a renewal, a renewal every d seconds, and half of the lease left when
/// an owner fails, a lease of d seconds costs, in $/h,
///
///     C(d) = 0.001 * 3600/d * fp  +  rate * d/2 * un
///            [1/h] * [$]             [1/h] * [s] * [$/s]
///
/// dC/dd = -3.6 fp/d^2 + rate un/2 = 0 gives d = sqrt(7.2 fp / (rate un)); C is convex, so that the
/// cheapest lease that is long enough is the larger of this and the minimum.
///
/// Errors (exit_code::usage): an argument that is not finite or is negative; no failures or free
/// unavailability, which leave no reason to end a lease; neither operation nor round trip; an
/// answer beyond floating point. The text names the argument, its range and what it was.
[[nodiscard]] result<corrected_answer> corrected(const parameters& p);

/// C(d) above: what a lease of so many seconds costs in $/h. Requires: lease_s > 0.
[[nodiscard]] double cost_per_hour(const parameters& p, double lease_s);

/// The same if the lease is renewed whenever the share `threshold` of it has passed: a renewal
/// every threshold * d seconds, and `residual(d, threshold)` left when an owner fails. In $/h.
/// Requires: lease_s > 0, 0 < threshold <= 1.
[[nodiscard]] double cost_per_hour_renewed(const parameters& p, double lease_s, double threshold);

/// The expected number in an hour, with one chance for each lease of that length; may exceed 1.
/// Requires: lease_s > 0.
[[nodiscard]] double false_positives_per_hour(double lease_s);

/// The mean time left on a lease at a moment chosen at random, in the unit of `lease_s`: from d
/// right after a renewal down to d (1 - f) at the next one, hence d (1 - f/2).
/// Requires: 0 < threshold <= 1, after which share of the lease it is renewed.
[[nodiscard]] double residual(double lease_s, double threshold);

/// An operation and three round trips, in seconds.
[[nodiscard]] double minimum_lease(const parameters& p);

}  // namespace dibs::economics
