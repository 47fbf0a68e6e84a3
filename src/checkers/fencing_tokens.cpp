#include "checkers/fencing_tokens.hpp"

namespace dibs::checkers {

using events::lease_ending;

// A ledger that has seen token 7 refuses 6. Were the driver's next lease granted token 6 again, by
// a manager that counts anew after a restart or by one of two that count apart, the fence would
// turn its holder away and let a stale holder of 7 through.
void tokens::judge(const events::lease_granted& f, const event_context& s) const {
  const token_id highest = s.so_far.driver(f.driver).highest_granted;
  if (!f.token.is_leased()) {
    s.report_violation(invariant::tokens_increase,
                       "driver {} was granted {}, which is no token",
                       ordinal(f.driver),
                       f.token.value);
  } else if (f.token <= highest) {
    s.report_violation(invariant::tokens_increase,
                       "driver {} was granted token {} after token {}",
                       ordinal(f.driver),
                       f.token.value,
                       highest.value);
  }
  if (s.token() != nullptr && s.token()->at_manager == hold::over) {
    s.report_violation(invariant::ended_stays_ended,
                       "driver {} was granted token {}, which had ended",
                       ordinal(f.driver),
                       f.token.value);
  }
}

// A renewal needs a lease that still runs, its grace included. The instant at which it is over
// belongs to nobody: a manager that has not swept it yet must not revive it, since its holder may
// have been told that it is over. Of a trip it hears late, where nobody confirmed before the write,
// perhaps not before the trip is over.
void tokens::judge(const events::lease_renewed& f, const event_context& s) const {
  const bool current =
      s.token() != nullptr && (s.token() == s.so_far.holder_of(f.driver) || s.token()->committed) &&
      s.token()->at_manager == hold::leased && !s.so_far.manager_knows_of_trip(*s.token(), s.t);
  const bool in_time = current && s.local < s.token()->due;
  if (!current || !in_time) {
    s.report_violation(invariant::stale_changes_nothing,
                       "token {} of driver {} was renewed although it {}",
                       f.token.value,
                       ordinal(f.driver),
                       current ? "had expired" : "was not current");
  }
  if (s.token() != nullptr && (s.token()->at_manager == hold::over || (current && !in_time))) {
    s.report_violation(invariant::ended_stays_ended,
                       "token {} of driver {} became current again",
                       f.token.value,
                       ordinal(f.driver));
  }
}

void tokens::judge(const events::lease_reset& f, const event_context& s) const {
  judge(events::lease_renewed{f.token, f.driver, f.expires}, s);
}

// Token 4 expires while the driver's `decline` is under way, and token 5 is granted. The release of
// 4 arrives: if it ends 5, she is free while she looks at an offer that she may accept. The fact
// names 5, so it shows only in its cause: nobody declined 5, nor asked for its release.
void tokens::judge(const events::lease_ended& f, const event_context& s) const {
  if (s.token() == nullptr) {
    return;
  }
  const bool current = s.token() == s.so_far.holder_of(f.driver);
  const bool known_late = s.token()->committed && s.token()->at_manager != hold::over;
  if (!current && !known_late) {
    s.report_violation(invariant::stale_changes_nothing,
                       "token {} of driver {} ended although it was not current",
                       f.token.value,
                       ordinal(f.driver));
  } else if (f.cause == lease_ending::declined && !s.token()->declined) {
    s.report_violation(invariant::stale_changes_nothing,
                       "token {} of driver {} ended as declined, but she had not declined it",
                       f.token.value,
                       ordinal(f.driver));
  } else if (f.cause == lease_ending::released && !s.token()->given_back) {
    s.report_violation(invariant::stale_changes_nothing,
                       "token {} of driver {} ended as released, but nobody had given it back",
                       f.token.value,
                       ordinal(f.driver));
  }
}

void tokens::judge(const events::confirm_accepted& f, const event_context& s) const {
  if (!f.repeated && s.token() != nullptr && s.token()->at_manager == hold::over) {
    s.report_violation(invariant::ended_stays_ended,
                       "token {} of driver {} was confirmed after it had ended",
                       f.token.value,
                       ordinal(f.driver));
  }
}

// Only where the manager itself commits. A ledger takes a token that the manager gave up while the
// write was under way, and no protocol says that it will not.
void tokens::judge(const events::trip_committed& f, const event_context& s) const {
  if (s.what.commit_at_manager && s.token() != nullptr && s.token()->at_manager == hold::over) {
    s.report_violation(invariant::ended_stays_ended,
                       "token {} of driver {} became a trip after it had ended",
                       f.token.value,
                       ordinal(f.driver));
  }
}

}  // namespace dibs::checkers
