#include "checkers/promises.hpp"

namespace dibs::checkers {

// A rider who is told at the accept, before the commit, is told of a driver whom the ledger may yet
// refuse: the promise breaks without any fault.
void promises::judge(const events::ride_promised& f, const scene& s) const {
  if (s.token == nullptr || !s.token->committed) {
    s.breach(invariant::promised_after_confirm,
             "ride {} was promised driver {}, who was not committed (token {})",
             f.ride.value,
             f.driver.value,
             f.token.value);
  } else if (s.token->ride != f.ride) {
    s.breach(invariant::promised_after_confirm,
             "ride {} was promised driver {}, who was committed to ride {} (token {})",
             f.ride.value,
             f.driver.value,
             s.token->ride.value,
             f.token.value);
  }
}

// A driver with two trips drives one of them, so her no-show is the price of a double commit: S4
// judges that. If the word of the trip was lost on its way, or she lost it herself, no protocol
// could have kept the promise: such a fault voids it. But a driver who had only this trip to drive
// and knew of it comes.
void promises::judge(const events::assignment_revoked& f, const scene& s) const {
  if (s.token == nullptr || !s.token->committed) {
    s.breach(invariant::promised_after_confirm,
             "driver {} was withdrawn from ride {}, to which she was not committed (token {})",
             f.driver.value,
             f.ride.value,
             f.token.value);
  } else if (f.cause == events::revocation::no_show && !s.token->hindered) {
    s.breach(invariant::promised_after_confirm,
             "driver {} never came for ride {} although nothing hindered her (token {})",
             f.driver.value,
             f.ride.value,
             f.token.value);
  }
}

}  // namespace dibs::checkers
