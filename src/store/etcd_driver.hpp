/// What a command does to a driver's keys in etcd, decided on what was read of them.
///
/// Pure: no clock, no network. What is decided is carried out in one transaction that compares the
/// revisions that were read; if they have moved on, it is read and decided anew. So no decision
/// rests on what is no longer so.
///
/// A driver has two keys. One is attached to a lease of etcd's: it is there while her lease, or its
/// hold after a confirm, has not run out, and the revision that made it is the token. The other is
/// her record. A lease is over when the record names it and the first key is gone.
#pragma once

#include "base/ids.hpp"
#include "base/time.hpp"
#include "lease/commands.hpp"
#include "store/terms.hpp"

#include <cstdint>
#include <optional>

namespace dibs::store::etcd {

enum class phase : std::uint8_t { free, leased, confirmed };

struct driver_record {
  phase state = phase::free;
  token_id token;  ///< of the lease; if free, of the last one
  ride_id ride;
  matcher_id holder;
  std::uint32_t request = 0;
  bool was_committed = false;
  token_id trip;
  token_id last_trip;
};

struct driver_keys {
  std::int64_t record_revision = 0;  ///< of its last change, here and below; 0: there is no key
  std::int64_t live_revision = 0;
  std::int64_t lease = 0;  ///< etcd's number of the lease that the key is attached to; 0: to none
  driver_record record;
  local_time due{};  ///< when the lease, or the hold, is over at the earliest

  [[nodiscard]] bool is_live() const { return live_revision != 0; }
};

enum class next_step : std::uint8_t {
  answer,  ///< nothing changes
  write,   ///< the record, as given here
  keep,    ///< the record, and the live key under a new lease of `length`
  drop,    ///< the record, and the live key goes
  extend,  ///< the lease of the live key
  wait,    ///< for etcd, which has yet to end it
};

struct plan {
  next_step step = next_step::answer;
  driver_record record;
  sim_duration length{};
  /// Once the step is done. A lease that is given or extended then lacks its times, and a new one
  /// its token.
  lease::any_outcome outcome;
};

/// `now` and `due` by the same clock. Requires: no command for a ledger.
[[nodiscard]] plan decide(const lease::any_command& c,
                          const driver_keys& keys,
                          const terms& t,
                          local_time now);

/// The outcome of a plan that has been carried out: the lease has this token, and is over at `due`
/// at the earliest.
[[nodiscard]] lease::any_outcome concluded(lease::any_outcome planned,
                                           token_id token,
                                           local_time due,
                                           local_time now);

}  // namespace dibs::store::etcd
