/// What drivers are told.
#pragma once

#include "base/ids.hpp"
#include "base/time.hpp"

#include <cstdint>

namespace dibs::messages {

struct offer {
  ride_id ride;
  token_id token;
  /// Counted from its arrival, or the instant on her wall clock, as the scenario says; `forever`
  /// for no deadline.
  sim_duration deadline{};
};

/// The lease manager has heard the driver; where the driver confirms.
struct answer_seen {
  ride_id ride;
};

struct withdraw_offer {
  ride_id ride;
  token_id token;
};

struct drive {
  ride_id ride;
  token_id token;
};

struct boarded {
  ride_id ride;
  token_id token;
};

struct trip_off {
  ride_id ride;
  token_id token;
};

/// She has made up her mind.
struct answer_due {
  token_id token;
};

/// The deadline of an offer, on her phone.
struct screen_over {
  token_id token;
};

struct at_pickup {
  token_id token;
};

struct at_drop_off {
  token_id token;
};

/// Her connection is lost, if the offer is still on her screen.
struct connection_lost {
  token_id token;
};

struct connection_back {};

struct shift_over {
  std::uint32_t person = 0;  ///< the how-manieth at this wheel
};

}  // namespace dibs::messages
