#include "checkers/mutual_exclusion.hpp"

namespace dibs::checkers {

using events::lease_ending;

// A confirmed lease still holds the driver. Were she granted to another while the ledger has not
// answered, both writes could arrive, and two riders would be promised one driver.
void holding::judge(const events::lease_granted& f, const event_context& s) const {
  const token_record* const holder = s.so_far.holder_of(f.driver);
  if (holder == nullptr) {
    return;
  }
  if (holder->committed) {
    s.report_violation(
        invariant::legal_transitions,
        "driver {} was leased to ride {} (token {}) while on the trip of ride {} (token {})",
        ordinal(f.driver),
        ordinal(f.ride),
        f.token.value,
        ordinal(holder->ride),
        holder->token.value);
    return;
  }
  s.report_violation(invariant::one_live_lease,
                     "driver {} is held by rides {} and {} (tokens {} and {}{})",
                     ordinal(f.driver),
                     ordinal(holder->ride),
                     ordinal(f.ride),
                     holder->token.value,
                     f.token.value,
                     holder->at_manager == hold::confirmed ? "; the first awaits the ledger" : "");
}

// Each ending leads from one state only. A timer that a confirm left armed shows as an expiry of a
// confirmed lease: the driver would be free again while the ledger makes her someone's. One that a
// commit left armed shows as the end of a lease that is a trip, for want of a write that came; it
// is no fault of a manager to whom nobody told of the trip.
void holding::judge(const events::lease_ended& f, const event_context& s) const {
  if (s.token() == nullptr || s.token()->at_manager == hold::over) {
    return;  // no arrow at all: `endings` says so
  }
  const bool confirmed = s.token()->at_manager == hold::confirmed;
  const bool by_expiry = f.cause == lease_ending::expired || f.cause == lease_ending::swept;
  const bool knows_of_trip =
      s.token()->committed &&
      (s.what.commit_at_manager || s.so_far.manager_knows_of_trip(*s.token(), s.t));
  if (knows_of_trip) {
    s.report_violation(invariant::legal_transitions,
                       "the lease of driver {} ended (token {}) after it had become her trip",
                       ordinal(f.driver),
                       f.token.value);
  } else if (confirmed && by_expiry) {
    s.report_violation(invariant::legal_transitions,
                       "token {} of driver {} expired although it was confirmed",
                       f.token.value,
                       ordinal(f.driver));
  } else if (!confirmed && f.cause == lease_ending::unwritten) {
    s.report_violation(invariant::legal_transitions,
                       "token {} of driver {} ended for want of a write without a confirm",
                       f.token.value,
                       ordinal(f.driver));
  } else if (f.cause == lease_ending::denied_by_ledger && !s.token()->refused) {
    s.report_violation(
        invariant::legal_transitions,
        "token {} of driver {} ended as denied by the ledger, which had not refused it",
        f.token.value,
        ordinal(f.driver));
  }
}

// A trip begins from a lease that was granted and, unless the holder judges for itself, confirmed.
// That lease may be over by then: the manager gave it up for want of a write which was only slow.
void holding::judge(const events::trip_committed& f, const event_context& s) const {
  if (s.token() == nullptr || s.token()->at_manager == hold::never) {
    s.report_violation(invariant::legal_transitions,
                       "driver {} went on the trip of ride {} without a lease (token {})",
                       ordinal(f.driver),
                       ordinal(f.ride),
                       f.token.value);
  } else if (s.what.confirms && !s.token()->was_confirmed) {
    s.report_violation(invariant::legal_transitions,
                       "driver {} went on the trip of ride {} without a confirm (token {})",
                       ordinal(f.driver),
                       ordinal(f.ride),
                       f.token.value);
  }
}

// A trip that was called off may still be driven to its end by a driver who heard of it late.
void holding::judge(const events::trip_ended& f, const event_context& s) const {
  if (s.trip() == nullptr && !s.was_revoked()) {
    s.report_violation(invariant::legal_transitions,
                       "the trip of driver {} for ride {} ended (token {}) without being under way",
                       ordinal(f.driver),
                       ordinal(f.ride),
                       f.token.value);
  }
}

}  // namespace dibs::checkers
