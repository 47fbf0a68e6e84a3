/// What holds for every lease of a store: the part of the lease machine's options that a store
/// outside knows too.
#pragma once

#include "base/time.hpp"
#include "lease/lease_machine.hpp"

namespace dibs::store {

/// A store keeps leases as protocol `fenced` has them: known by their tokens, checked at the
/// confirm, ended on sight.
struct terms {
  sim_duration ttl{15s};  ///< `forever` is allowed
  sim_duration grace{};
  sim_duration confirm_hold{30s};
  sim_duration lock_delay{};  ///< after an expiry nobody gets the driver for so long
  sim_duration jitter{};      ///< by so much may one grant or renewal be longer than another
};

[[nodiscard]] inline lease::machine_options machine_options_of(const terms& t) {
  lease::machine_options o;
  o.protocol = lease::rules_of(lease::protocol::fenced);
  o.ttl = t.ttl;
  o.grace = t.grace;
  o.confirm_hold = t.confirm_hold;
  o.lock_delay = t.lock_delay;
  o.jitter = t.jitter;
  return o;
}

}  // namespace dibs::store
