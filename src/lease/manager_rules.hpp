/// What one lease manager is to do: the scenario's options, as its decisions need them. What its
/// table of leases needs are the `machine_options`.
#pragma once

#include "base/distribution.hpp"
#include "base/ids.hpp"
#include "base/time.hpp"
#include "events/claim_facts.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace dibs::lease {

/// A second manager follows the first, and leads when it no longer hears of it.
struct standby_rules {
  sim_duration after{};          ///< without word from the leader
  sim_duration heartbeat{};      ///< of the leader
  bool old_leader_acts = false;  ///< a leader that was replaced still ends leases in the new table
};

/// Matchers take drivers of zones that they hold.
struct zone_rules {
  sim_duration ttl{};
  std::uint32_t first_reader = 0;  ///< from this matcher on they only take read leases

  [[nodiscard]] events::zone_mode mode_of(matcher_id m) const {
    return m.value >= first_reader ? events::zone_mode::read : events::zone_mode::write;
  }
};

/// What a manager that comes back knows of the leases that it had granted.
enum class recovery : std::uint8_t { keeps, extends, restores_checkpoint, forgets };

struct manager_rules {
  std::uint32_t self = 0;  ///< its number among the managers
  std::uint64_t seed = 1;
  std::uint32_t drivers = 0;
  std::uint32_t matchers = 0;

  sim_duration grace{};
  sim_duration jitter{};  ///< each lease is up to so much longer
  /// How long before it takes effect a command's transaction began, by whose clock it judges;
  /// nothing where it takes no time.
  std::optional<distribution> transaction{};
  bool is_absolute = false;   ///< deadlines travel as instants on wall clocks
  bool raises_fence = false;  ///< at each grant
  bool manager_commits = false;
  bool release_frees = true;  ///< else a lease that was given back runs to its end

  bool times_expiries = false;  ///< by a timer for each lease
  bool notices_late = false;    ///< only when it is asked about a lease, as readers do
  std::optional<sim_duration> sweep_every{};
  std::size_t sweep_most = SIZE_MAX;  ///< leases that one sweep ends

  recovery comes_back = recovery::keeps;
  bool keeps_tokens = true;  ///< the counter survives
  std::optional<sim_duration> checkpoint_every{};

  std::optional<standby_rules> standby{};
  std::optional<zone_rules> zones{};
  std::optional<sim_duration> claim_ttl{};  ///< of rides, where they are claimed

  /// Whether what it decides about a ride depends on draws.
  [[nodiscard]] bool draws() const { return transaction || jitter > sim_duration::zero(); }
};

}  // namespace dibs::lease
