#include "checkers/confirms.hpp"

#include <string_view>

namespace dibs::checkers {
namespace {

using events::confirm_refusal;

/// Why a confirm of this token, now, must not be taken; empty if it must be.
std::string_view objection(driver_id d, ride_id r, const event_context& s) {
  if (s.token() == nullptr) {
    return "was never granted";
  }
  if (s.token() != s.so_far.holder_of(d) || !s.token()->is_live()) {
    return "was not current";
  }
  if (s.token()->ride != r) {
    return "was granted for another ride";
  }
  if (s.local >= s.token()->due && s.token()->at_manager == hold::leased) {
    return "had expired";
  }
  return {};
}

/// The two reasons to turn down a live lease in time: its ride has a driver already, or its driver
/// is on a trip that the ledger took from an earlier holder. The manager hears of the end of either
/// late, so one that is over since excuses as well.
bool is_excused(const events::confirm_refused& f, const event_context& s) {
  switch (f.cause) {
    case confirm_refusal::ride_taken:
      return s.so_far.ride(f.ride).was_taken;
    case confirm_refusal::on_trip:
      return s.so_far.other_trip_of(f.driver, f.token) != no_record ||
             s.so_far.driver(f.driver).last_trip_over >= s.token()->since;
    case confirm_refusal::no_lease:
    case confirm_refusal::other_token:
    case confirm_refusal::expired:
    case confirm_refusal::other_count:
      return false;
  }
  return false;
}

}  // namespace

// A repeated confirm changes nothing, so only this is asked: was this very token confirmed? An
// answer remembered for the driver instead would tell the holder of token 8 "yes" for token 7.
void confirms::judge(const events::confirm_accepted& f, const event_context& s) const {
  if (f.repeated) {
    if (s.token() == nullptr || !s.token()->was_confirmed) {
      s.report_violation(
          invariant::confirm_only_live,
          "a repeated confirm of token {} of driver {} was taken, but there was no first",
          f.token.value,
          ordinal(f.driver));
    }
    return;
  }
  if (const auto why = objection(f.driver, f.ride, s); !why.empty()) {
    s.report_violation(invariant::confirm_only_live,
                       "a confirm of token {} of driver {} for ride {} was taken, but the token {}",
                       f.token.value,
                       ordinal(f.driver),
                       ordinal(f.ride),
                       why);
  }
}

void confirms::judge(const events::confirm_refused& f, const event_context& s) const {
  if (!objection(f.driver, f.ride, s).empty() || s.token()->at_manager != hold::leased) {
    return;
  }
  if (!is_excused(f, s)) {
    s.report_violation(
        invariant::confirm_only_live,
        "a confirm of token {} of driver {} for ride {} was refused, but its lease was live",
        f.token.value,
        ordinal(f.driver),
        ordinal(f.ride));
  }
}

// The holder of token 4 stops; 5 is granted, driven and done; 4 wakes up and writes. Nobody is on
// two trips, yet the driver is sent to a rider who was given up long ago. A token that the ledger
// has not heard of yet excuses it: how early it learns of one is the scenario's choice.
void confirms::judge(const events::trip_committed& f, const event_context& s) const {
  const token_id highest = s.so_far.driver(f.driver).highest_taken;
  if (s.what.ledger == lease::ledger_rule::fence && f.token < highest) {
    s.report_violation(invariant::confirm_only_live,
                       "the ledger took token {} of driver {} after token {}",
                       f.token.value,
                       ordinal(f.driver),
                       highest.value);
  }
}

}  // namespace dibs::checkers
