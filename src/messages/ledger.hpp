/// What the ledger is told.
#pragma once

#include "base/ids.hpp"
#include "events/facts.hpp"

#include <cstdint>

namespace dibs::messages {

struct write {
  ride_id ride;
  driver_id driver;
  token_id token;
  std::uint32_t version = 0;  ///< of the driver's record, as read at the pick
};

struct raise_fence {
  ride_id ride;
  driver_id driver;
  token_id token;
};

/// With `commit: manager`: to be recorded, not judged.
struct record_commit {
  ride_id ride;
  driver_id driver;
  token_id token;
};

struct trip_done {
  ride_id ride;
  driver_id driver;
  token_id token;
};

/// The rider wants no more of this driver.
struct call_off {
  ride_id ride;
  token_id token;
  events::revocation cause{};
};

/// The store has answered what the ledger asked it under this number.
struct ledger_store_answered {
  std::uint64_t request = 0;
};

/// The answer was lost, and the command has to take effect: it is asked for again.
struct ledger_store_retry_due {
  std::uint64_t request = 0;
};

}  // namespace dibs::messages
