/// What matchers are told.
#pragma once

#include "base/ids.hpp"
#include "base/time.hpp"
#include "events/facts.hpp"
#include "sim/triggers.hpp"

#include <cstdint>

namespace dibs::messages {

struct want_ride {
  ride_id ride;
  std::uint32_t nth = 0;   ///< how often the rider has asked before
  std::uint32_t wait = 0;  ///< which of her waits this is, from 1; each ends with one driver
};

struct withdraw_ride {
  ride_id ride;
};

struct lease_given {
  ride_id ride;
  driver_id driver;
  std::uint32_t request = 0;  ///< as asked, here and below
  token_id token;
  /// What is left of the lease, or the instant of its end on the lease manager's wall clock, as the
  /// scenario says; `forever` without end.
  sim_duration deadline{};
};

struct lease_refused {
  ride_id ride;
  driver_id driver;
  std::uint32_t request = 0;
};

/// The lease manager ended the lease of its own accord.
struct lease_over {
  ride_id ride;
  driver_id driver;
  token_id token;
  events::lease_ending cause{};
};

struct confirm_taken {
  ride_id ride;
  driver_id driver;
  token_id token;
};

struct confirm_denied {
  ride_id ride;
  driver_id driver;       ///< whose trip the ride has, if it has one
  token_id token;         ///< of the refused confirm
  token_id holder_token;  ///< of that trip, if any
};

/// Where the driver confirms: the holder learns that its lease became a trip.
struct lease_converted {
  ride_id ride;
  driver_id driver;
  token_id token;
};

struct release_seen {
  ride_id ride;
  driver_id driver;
  token_id token;
};

struct offer_answer {
  ride_id ride;
  driver_id driver;
  token_id token;
  events::offer_response answer{};
};

/// The rider takes the driver.
struct rider_confirmed {
  ride_id ride;
  token_id token;
};

struct write_taken {
  ride_id ride;
  driver_id driver;
  token_id token;
};

struct write_denied {
  ride_id ride;
  driver_id driver;       ///< whose trip the ride has, if it has one
  token_id token;         ///< of the refused write
  token_id holder_token;  ///< of that trip, if any
};

struct search_timeout_due {
  ride_id ride;
  std::uint32_t nth = 0;
};

struct retry_due {
  ride_id ride;
  std::uint32_t step = 0;
};

/// The wait for an answer in this step is over by the holder's clock.
struct try_timeout_due {
  ride_id ride;
  std::uint32_t step = 0;
};

struct reply_timeout_due {
  ride_id ride;
  std::uint32_t step = 0;
};

/// What a matcher was about to do when a fault stopped it.
struct resume_step {
  ride_id ride;
  driver_id driver;
  std::uint32_t step = 0;
  sim::life_step after{};
  token_id token;
  sim_duration left{};  ///< of the lease, as it was seen then
};

}  // namespace dibs::messages
