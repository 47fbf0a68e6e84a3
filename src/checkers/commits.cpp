#include "checkers/commits.hpp"

namespace dibs::checkers {

// Half-open time: a trip that ends at 40 s and one that begins at 40 s only touch, whichever of
// the two facts came first in the history. So a second trip is a possible violation, and a certain
// one only if both are open when the instant is over.
void commits::judge(const events::trip_committed& f, const event_context& s) {
  if (s.token() != nullptr && s.token()->committed) {
    s.report_violation(invariant::one_commit_per_token,
                       "token {} of driver {} was committed twice",
                       f.token.value,
                       ordinal(f.driver));
    return;
  }
  if (s.token() != nullptr && s.token()->refused) {
    s.report_violation(invariant::one_commit_per_token,
                       "the ledger took token {} of driver {} after it had refused it",
                       f.token.value,
                       ordinal(f.driver));
  }
  if (s.token() != nullptr && s.token()->ride != f.ride) {
    s.report_violation(invariant::one_commit_per_token,
                       "token {} of driver {} was for ride {} and was committed to ride {}",
                       f.token.value,
                       ordinal(f.driver),
                       ordinal(s.token()->ride),
                       ordinal(f.ride));
  }
  suspect(s.so_far.other_trip_of(f.driver, f.token), f, s);
  suspect(s.so_far.other_driver_of(f.ride, f.driver), f, s);
}

// A write is taken and the answer is lost. If the retry is refused, the holder tries another driver
// for a ride that has one.
void commits::judge(const events::write_refused& f, const event_context& s) const {
  if (s.token() != nullptr && s.token()->committed) {
    s.report_violation(invariant::one_commit_per_token,
                       "the ledger refused token {} of driver {} after it had taken it",
                       f.token.value,
                       ordinal(f.driver));
  }
}

void commits::judge(const events::confirm_accepted& f, const event_context& s) const {
  if (!f.repeated && s.token() != nullptr && s.token()->was_confirmed) {
    s.report_violation(invariant::one_commit_per_token,
                       "a retry of the confirm of token {} of driver {} was taken for a new one",
                       f.token.value,
                       ordinal(f.driver));
  }
}

// Once the trip is over the manager may have forgotten; until then it must stand by its word.
void commits::judge(const events::confirm_refused& f, const event_context& s) const {
  if (s.token() != nullptr && s.token()->at_manager == hold::confirmed &&
      (!s.token()->committed || s.trip() != nullptr)) {
    s.report_violation(invariant::one_commit_per_token,
                       "a retry of the confirm of token {} of driver {} was refused",
                       f.token.value,
                       ordinal(f.driver));
  }
}

void commits::report_certain(const observed_state& so_far, violation_log& violations) {
  for (const possible_violation& of : possible_) {
    const token_record& first = so_far.at(of.first);
    const bool first_lasts = so_far.trip_of(of.first, first.driver) != nullptr;
    // A token that was granted again, to another driver, is not found.
    if (!first_lasts || so_far.find_trip(of.second, of.second_driver) == nullptr) {
      continue;
    }
    if (first.driver == of.second_driver) {
      for (const invariant broken : {invariant::no_double_commit, invariant::commits_kept_apart}) {
        violations.enter(broken,
                         of.t,
                         of.index,
                         "driver {} is on the trips of rides {} and {} (tokens {} and {})",
                         ordinal(of.second_driver),
                         ordinal(first.ride),
                         ordinal(of.ride),
                         first.token.value,
                         of.second.value);
      }
    } else {
      violation* told = violations.enter(invariant::no_double_commit,
                                         of.t,
                                         of.index,
                                         "ride {} has drivers {} and {} (tokens {} and {})",
                                         ordinal(of.ride),
                                         ordinal(first.driver),
                                         ordinal(of.second_driver),
                                         first.token.value,
                                         of.second.value);
      if (told != nullptr) {
        told->of_one_ride = true;
      }
    }
  }
  possible_.clear();
}

void commits::suspect(record_index other, const events::trip_committed& f, const event_context& s) {
  if (other != no_record) {
    possible_.push_back({other, f.token, f.driver, f.ride, s.t, s.index});
  }
}

}  // namespace dibs::checkers
