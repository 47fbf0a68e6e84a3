/// What riders are told, and what the source of demand tells itself.
#pragma once

#include "base/ids.hpp"
#include "base/time.hpp"
#include "events/facts.hpp"

#include <cstdint>

namespace dibs::messages {

// -- to the source of demand ---------------------------------------------------------------------

struct next_ride {};

// -- to riders -----------------------------------------------------------------------------------

/// A person wants to go somewhere: the life of this ride begins.
struct appear {
  ride_id ride;
};

/// A driver is coming, and should be there after `eta`.
struct assigned {
  ride_id ride;
  driver_id driver;
  token_id token;
  sim_duration eta{};
};

/// No driver will come: tries or time ran out.
struct unserved {
  ride_id ride;
  events::abandonment cause{};
};

/// A driver has accepted: does the rider take her?
struct confirm_wanted {
  ride_id ride;
  driver_id driver;
  token_id token;
};

struct arrived {
  ride_id ride;
  driver_id driver;
  token_id token;
};

struct dropped_off {
  ride_id ride;
  token_id token;
};

struct patience_over {
  ride_id ride;
  std::uint32_t ask = 0;
};

struct ask_again {
  ride_id ride;
  std::uint32_t ask = 0;
};

/// While the offers before are open, the next of the matchers is asked.
struct ask_next {
  ride_id ride;
  std::uint32_t wait = 0;   ///< which of her waits
  std::uint32_t place = 0;  ///< of the matcher among those that are asked
};

struct cancellation_due {
  ride_id ride;
  token_id token;
};

struct still_waiting {
  ride_id ride;
  token_id token;
};

/// She has made up her mind to take the driver whom a matcher asked about.
struct confirm_due {
  ride_id ride;
  token_id token;
  node_id matcher;
};

/// The time in which she should have taken a driver is over.
struct confirm_missed {
  ride_id ride;
  std::uint32_t wait = 0;  ///< which of her waits
};

/// She calls the ride off, whatever has become of it.
struct late_cancellation_due {
  ride_id ride;
};

}  // namespace dibs::messages
