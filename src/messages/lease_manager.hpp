/// What the lease manager is told: leases, their renewal, and its own life and that of its standby.
#pragma once

#include "base/ids.hpp"
#include "base/time.hpp"
#include "events/facts.hpp"

#include <cstdint>

namespace dibs::messages {

struct acquire {
  ride_id ride;
  driver_id driver;
  matcher_id holder;
  std::uint32_t request = 0;  ///< the same in every copy of this request, and in no other
  zone_id zone;               ///< where the driver is, where zones are leased
};

struct confirm {
  ride_id ride;
  driver_id driver;
  token_id token;
};

struct release {
  ride_id ride;
  driver_id driver;
  token_id token;
  events::lease_ending cause{};
};

/// The ledger took or refused a write.
struct write_outcome {
  ride_id ride;
  driver_id driver;
  token_id token;
  bool taken = false;
};

struct trip_closed {
  ride_id ride;
  driver_id driver;
  token_id token;
  bool was_over = false;  ///< before the manager told the ledger of it
};

struct lease_due {
  driver_id driver;
  token_id token;
};

struct sweep_due {};

/// A sweep ends what it has read some time ago.
struct sweep_acts_due {};

// -- renewals and the handshake -------------------------------------------------------------------

/// To the lease manager: the holder wants its lease for a whole TTL more.
struct renew {
  ride_id ride;
  driver_id driver;
  token_id token;
  std::uint32_t nth = 0;      ///< of this lease, from 1; a repeat has the number of what it repeats
  std::uint32_t attempt = 0;  ///< counts repeats too
};

struct lease_extended {
  token_id token;
  sim_duration deadline{};  ///< as in `lease_given`
  ride_id ride;
  driver_id driver;
  std::uint32_t attempt = 0;
};

struct renewal_denied {
  ride_id ride;
  driver_id driver;
  token_id token;
  std::uint32_t attempt = 0;
};

struct renew_due {
  ride_id ride;
  token_id token;
  std::uint32_t after = 0;       ///< the latest attempt when this was set
  bool unless_answered = false;  ///< it repeats that attempt
};

/// The holder has waited long enough for the answer to this attempt.
struct renewal_timeout_due {
  ride_id ride;
  token_id token;
  std::uint32_t attempt = 0;
};

/// To a driver's phone: is anybody there?
struct greet {
  ride_id ride;
  token_id token;
};

struct phone_there {
  ride_id ride;
  token_id token;
};

struct ping_timeout_due {
  ride_id ride;
  std::uint32_t step = 0;
};

// -- the sweeper, and the life of the lease manager -----------------------------------------------

struct sweeper_due {};

/// Ends what is over by the sender's wall clock.
struct sweep {
  local_time wall{};
};

struct checkpoint_due {};

/// To the ledger, from a lease manager that was away: is this trip still open?
struct whose_trip {
  driver_id driver;
  ride_id ride;
  token_id token;
};

/// What the leader knows of one driver's lease, for the manager that follows it.
struct follow_lease {
  token_id token;
  local_time due{};
  ride_id ride;
  driver_id driver;
  std::uint16_t holder = 0;
  std::uint8_t state = 0;
  bool was_committed = false;
  std::uint32_t nth = 0;  ///< of the words about her lease, over all leaders; higher is newer
};

/// And of her trip; no token: she is on none.
struct follow_trip {
  token_id token;
  driver_id driver;
  std::uint32_t nth = 0;  ///< of the words about her trips
};

struct lead_heartbeat {
  std::uint32_t term = 0;
};

struct heartbeat_due {
  std::uint32_t term = 0;
};

struct leader_silent {
  std::uint32_t heard = 0;
};

/// To matchers.
struct leader_is {
  std::uint32_t manager = 0;
  std::uint32_t term = 0;
};

/// To the ledger.
struct ledger_leader_is {
  std::uint32_t manager = 0;
  std::uint32_t term = 0;
};

/// To the leader, from a manager whose table is out of date.
struct catch_up {};

/// To the leader, from a manager that it replaced and that may have granted this lease afterwards.
struct lease_in_doubt {
  ride_id ride;
  driver_id driver;
  token_id token;
  matcher_id holder;
};

/// From a leader that was replaced: it has seen this lease run out.
struct revoke {
  driver_id driver;
  token_id token;
};

// -- a store outside ------------------------------------------------------------------------------

/// The store has answered what the lease manager asked it under this number.
struct lease_store_answered {
  std::uint64_t request = 0;
};

/// The answer was lost, and the command has to take effect: it is asked for again.
struct lease_store_retry_due {
  std::uint64_t request = 0;
};

}  // namespace dibs::messages
