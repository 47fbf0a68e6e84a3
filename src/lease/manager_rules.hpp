/// What one lease manager is to do: the scenario's options, and what its protocol makes of them.
#pragma once

#include "base/time.hpp"
#include "lease/options.hpp"
#include "lease/protocol.hpp"

#include <cstdint>
#include <optional>

namespace dibs::lease {

struct manager_rules {
  std::uint32_t self = 0;  ///< its number among the managers; the first one leads
  std::uint64_t seed = 1;
  std::uint32_t drivers = 0;
  std::uint32_t matchers = 0;
  lease_options lease{};
  std::optional<claim_options> claims{};  ///< of rides
  rules protocol = lease.rules();

  /// At each grant, in the ledger.
  [[nodiscard]] bool raises_fence() const {
    return protocol.ledger == ledger_rule::fence && lease.fence == fence::grant &&
           !lease.manager_commits();
  }
  /// Whether what it decides about a ride depends on draws.
  [[nodiscard]] bool draws() const {
    return lease.transactions_take_time() || lease.jitter > sim_duration::zero();
  }
};

}  // namespace dibs::lease
