/// The table of remedies: features of a protocol or of its environment, each as a change of the
/// scenario that may prevent a harm.
///
/// Whether a remedy does prevent a harm is tried (`counterfactual.hpp`), never guessed.
#pragma once

#include "scenario/read.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace dibs::explain {

/// A change of the scenario that should prevent the harm, and the figure in which that shows.
struct remedy {
  std::string feature;  ///< what it does, in a sentence
  std::vector<scenario::override_value> set;
  std::string metric;  ///< of the catalogue; less of it is better
  /// No feature, but a run in which the fault, or the wrong clock, of the cause is not there.
  bool is_without_fault = false;
};

enum class remedy_kind : std::uint8_t {
  fence,             ///< a fenced ledger, for a protocol that has leases
  lease,             ///< leases and a fenced ledger, for one that has none
  ride_as_key,       ///< `idempotent`
  version,           ///< `optimistic`
  token,             ///< holders are known by the token
  expiry_looked,     ///< the expiry is looked at with every confirm
  durations,         ///< deadlines travel as durations
  monotonic_timers,  ///< nobody measures time on a wall clock
  unfrozen_clock,    ///< no transaction begins before it takes effect
  no_late_end,       ///< no lease lasts beyond the expiry that its holder knows
  no_early_end,      ///< no lease ends before the expiry that its holder knows
  no_margin,         ///< a holder trusts its lease up to its end
  one_offer,         ///< of a ride at a time
  claim_renewed,     ///< before an assignment is written
  driver_confirms,
  confirm_is_commit,
  holder_judges,
  old_leader_yields,
  fence_at_grant,
  every_write_fenced,
  release_frees,
  releases_held,    ///< and nothing else
  renewed_early,    ///< at half of its time
  renewal_repeats,  ///< a renewal that is repeated is no other one
  leases_kept,      ///< over a restart
  tokens_kept,      ///< the last token, over a restart
  leases_checkpointed,
  leases_forgotten,
  timed_cleanup,
  first_offer_stays,
  accept_is_enough,  ///< no rider is asked after it
};

/// Those of the measures that have a meaning in the scenario; some may change nothing of it.
[[nodiscard]] std::vector<remedy> remedies_by(std::span<const remedy_kind> measures,
                                              const scenario::scenario& s,
                                              const std::string& metric);
[[nodiscard]] std::vector<remedy> remedies_by(std::initializer_list<remedy_kind> measures,
                                              const scenario::scenario& s,
                                              const std::string& metric);

}  // namespace dibs::explain
