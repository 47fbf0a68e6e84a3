/// What one matcher is to do: the scenario's options, and what its protocol makes of them.
#pragma once

#include "base/ids.hpp"
#include "base/time.hpp"
#include "lease/protocol.hpp"
#include "match/options.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>

namespace dibs::match {

struct matcher_rules {
  matcher_id self{};
  std::uint64_t seed = 1;
  matcher_options matching{};
  lease::lease_options lease{};
  bool hears_late_answers = false;               ///< of drivers whose time was over
  std::optional<sim_duration> rider_confirms{};  ///< within so long, where riders are asked
  lease::rules protocol = lease.rules();

  [[nodiscard]] bool renews() const {
    return protocol.leases && lease.renewal.kind != lease::renewal::none;
  }
  [[nodiscard]] bool holder_judges() const {
    return protocol.leases && lease.judge != lease::judge::manager;
  }
  /// It is asked to confirm.
  [[nodiscard]] bool manager_judges() const {
    return protocol.leases && lease.judge != lease::judge::holder;
  }
  /// How long after its expiry a lease is still good, where the manager alone judges.
  [[nodiscard]] sim_duration grace() const {
    return lease.judge == lease::judge::manager ? std::max(lease.grace, sim_duration::zero())
                                                : sim_duration::zero();
  }
  /// Whether a matcher only looks, and leaves drivers to those that hold their zone alone.
  [[nodiscard]] bool only_looks(matcher_id m) const {
    return lease.zones && lease.zones->only_looks(m, matching.count);
  }
};

}  // namespace dibs::match
