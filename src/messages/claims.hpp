/// Rides as work, and zones: what matchers and the lease manager tell each other of them.
#pragma once

#include "base/ids.hpp"

#include <cstdint>

namespace dibs::messages {

/// To the lease manager: a claim, a heartbeat or the renewal before a completion.
struct claim_ride {
  ride_id ride;
  matcher_id holder;
  std::uint32_t wait = 0;  ///< as in `want_ride`, here and below
  bool must_hold = false;  ///< only prolongs what the holder has
};

struct claim_given {
  ride_id ride;
};

struct claim_refused {
  ride_id ride;
};

struct claim_done {
  ride_id ride;
  matcher_id holder;
  std::uint32_t wait = 0;
  bool is_served = false;  ///< the ride has a driver, and is nobody's work any more in this wait
};

struct claim_due {
  ride_id ride;
};

/// To a matcher: the ride's last matcher is gone.
struct take_over {
  ride_id ride;
  std::uint32_t wait = 0;
};

struct claim_heartbeat_due {
  ride_id ride;
};

/// To the lease manager: a lease on a zone, or its renewal.
struct claim_zone {
  zone_id zone;
  matcher_id holder;
};

struct zone_given {
  zone_id zone;
};

struct zone_refused {
  zone_id zone;
  matcher_id holder;  ///< who has it
};

struct zone_due {
  zone_id zone;
};

struct zone_renewal_due {
  zone_id zone;
  std::uint32_t grant = 0;  ///< for which of those that the matcher was told of
};

struct zone_over {
  zone_id zone;
};

struct zone_reply_timeout_due {
  zone_id zone;
  std::uint32_t ask = 0;
};

/// A driver has become free while rides wait in line.
struct someone_free {};

}  // namespace dibs::messages
