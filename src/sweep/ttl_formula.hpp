/// The closed form that design documents give for how long a lease must be:
///
///   TTL >= decision + 2 latency + skew + clean-up
///
/// A driver's decision and an offer's way there and back have to fit into the lease, clocks may
/// disagree, and whoever frees leases may come late. It knows nothing of who judges by which clock,
/// of fences, or of what else happens on a busy evening: `dibs region` shows where that matters.
/// Pure.
#pragma once

#include "scenario/scenario.hpp"

namespace dibs::sweep {

/// A quantile is that of so many draws: the 95th percentile then lies between the 94.7th and the
/// 95.3rd of the distribution, at 95 %.
inline constexpr int bound_draws = 20'000;

/// Times that are drawn count with the quantile `of`: of the decisions of drivers who accept, of
/// the latencies of both ways between matchers and drivers, and of how far the two clocks are apart
/// that are farthest: those of two who judge one lease, such as a matcher and a driver.
struct ttl_bound {
  sim_duration decision{};
  sim_duration latency{};  ///< both ways together
  /// With steps, strobes, and what clocks drift apart: over one TTL, and where deadlines travel as
  /// instants up to the end of the run.
  sim_duration skew{};
  sim_duration cleanup{};  ///< between two sweeps, if leases are freed by sweeps

  [[nodiscard]] sim_duration ttl() const { return decision + latency + skew + cleanup; }
};

/// `forever` where a decision never comes or a lease never ends. Requires: 0 < of < 1.
[[nodiscard]] ttl_bound bound_of(const scenario::scenario& s, double of);

}  // namespace dibs::sweep
