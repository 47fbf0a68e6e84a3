/// When a holder prolongs its lease.
///
/// Pure. The strategies are those of "Lease Pattern: time-bound resource ownership": eager at 50 %
/// of the TTL, lazy at 90 %, and adaptive, which leaves room for three round trips.
#pragma once

#include "base/time.hpp"

#include <cstdint>
#include <optional>

namespace dibs::lease {

enum class renewal : std::uint8_t { none, eager, lazy, adaptive };

/// A running mean of round trips, as TCP keeps one: each new one counts for an eighth (RFC 6298,
/// section 2). The first one counts whole.
class round_trips {
 public:
  void add(sim_duration measured);
  [[nodiscard]] sim_duration mean() const { return mean_; }

 private:
  sim_duration mean_{};
  bool has_any_ = false;
};

/// How long after its grant, or after the last renewal, a lease of `ttl` is renewed. `at` is the
/// share of the TTL that has passed by then, from 0 to 1; absent, 0.5 (eager), 0.9 (lazy) or
/// max(0.3, min(0.7, 1 - 3 * round_trip / ttl)) (adaptive, the threshold that the document's
/// calculator advises). `forever` where leases are not renewed or have no end.
[[nodiscard]] sim_duration renewal_interval(renewal kind,
                                            std::optional<double> at,
                                            sim_duration ttl,
                                            sim_duration round_trip);

}  // namespace dibs::lease
