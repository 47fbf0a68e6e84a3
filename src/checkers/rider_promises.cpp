#include "checkers/rider_promises.hpp"

namespace dibs::checkers {

// A rider who is told at the accept, before the commit, is told of a driver whom the ledger may yet
// refuse: the promise breaks without any fault.
void promises::judge(const events::ride_promised& f, const event_context& s) const {
  if (s.token() == nullptr || !s.token()->committed) {
    s.report_violation(invariant::promised_after_confirm,
                       "ride {} was promised driver {}, who was not committed (token {})",
                       ordinal(f.ride),
                       ordinal(f.driver),
                       f.token.value);
  } else if (s.token()->ride != f.ride) {
    s.report_violation(invariant::promised_after_confirm,
                       "ride {} was promised driver {}, who was committed to ride {} (token {})",
                       ordinal(f.ride),
                       ordinal(f.driver),
                       ordinal(s.token()->ride),
                       f.token.value);
  }
}

// A driver with two trips drives one of them, so her no-show is the price of a double commit: S4
// judges that. If the word of the trip was lost on its way, or she lost it herself, no protocol
// could have kept the promise: such a fault voids it. Where delays are unbounded a
// rider may also lose patience with a driver who is on her way. But else a driver who had only this
// trip to drive, and knew of it, comes.
void promises::judge(const events::assignment_revoked& f, const event_context& s) const {
  if (s.token() == nullptr || !s.token()->committed) {
    s.report_violation(
        invariant::promised_after_confirm,
        "driver {} was withdrawn from ride {}, to which she was not committed (token {})",
        ordinal(f.driver),
        ordinal(f.ride),
        f.token.value);
  } else if (f.cause == events::revocation::no_show && s.what.no_show_tells &&
             !(s.trip() != nullptr ? s.trip()->hindered : s.token()->hindered)) {
    s.report_violation(invariant::promised_after_confirm,
                       "driver {} never came for ride {} although nothing hindered her (token {})",
                       ordinal(f.driver),
                       ordinal(f.ride),
                       f.token.value);
  }
}

}  // namespace dibs::checkers
