/// Facts of supply, demand, assignments and trips.
#pragma once

#include "base/ids.hpp"
#include "base/point.hpp"
#include "events/causes.hpp"
#include "events/field.hpp"

#include <cstdint>
#include <string_view>

namespace dibs::events {

struct driver_came_online {
  static constexpr std::string_view name = "driver_came_online";
  static constexpr auto fields = names("driver", "place", "class");
  driver_id driver;
  point place;
  std::uint8_t driver_class = 0;
};

struct driver_went_offline {
  static constexpr std::string_view name = "driver_went_offline";
  static constexpr auto fields = names("driver");
  driver_id driver;
};

struct ride_requested {
  static constexpr std::string_view name = "ride_requested";
  static constexpr auto fields = names("ride", "origin");
  ride_id ride;
  point origin;
};

/// The rider, who still waits, asked her matchers once more.
struct ride_asked_again {
  static constexpr std::string_view name = "ride_asked_again";
  static constexpr auto fields = names("ride", "times");
  ride_id ride;
  std::uint32_t times = 0;  ///< that she has asked by now, from 2
};

/// A driver has accepted, and the matcher asked the rider whether she takes her.
struct rider_asked {
  static constexpr std::string_view name = "rider_asked";
  static constexpr auto fields = names("token", "driver", "ride", "matcher");
  token_id token;
  driver_id driver;
  ride_id ride;
  matcher_id matcher;
};

/// The rider takes the driver. Whether she gets her is still for the lease manager and the ledger.
struct rider_confirmed {
  static constexpr std::string_view name = "rider_confirmed";
  static constexpr auto fields = names("ride", "token");
  ride_id ride;
  token_id token;
};

/// The rider left without a driver.
struct ride_abandoned {
  static constexpr std::string_view name = "ride_abandoned";
  static constexpr auto fields = names("ride", "cause");
  ride_id ride;
  abandonment cause{};
};

/// The rider called the ride off although a driver was promised.
struct ride_cancelled {
  static constexpr std::string_view name = "ride_cancelled";
  static constexpr auto fields = names("ride");
  ride_id ride;
};

// -- assignments and trips -----------------------------------------------------------------------

/// The commit: the assignment became a fact, and the trip began.
struct trip_committed {
  static constexpr std::string_view name = "trip_committed";
  static constexpr auto fields = names("token", "driver", "ride", "matcher");
  token_id token;
  driver_id driver;
  ride_id ride;
  matcher_id matcher;
};

struct write_refused {
  static constexpr std::string_view name = "write_refused";
  static constexpr auto fields = names("token", "driver", "ride", "cause");
  token_id token;
  driver_id driver;
  ride_id ride;
  write_refusal cause{};
};

/// The rider was told that this driver is coming.
struct ride_promised {
  static constexpr std::string_view name = "ride_promised";
  static constexpr auto fields = names("ride", "token", "driver");
  ride_id ride;
  token_id token;
  driver_id driver;
};

/// An assignment was withdrawn; the trip ends here if it had not ended.
struct assignment_revoked {
  static constexpr std::string_view name = "assignment_revoked";
  static constexpr auto fields = names("ride", "token", "driver", "cause");
  ride_id ride;
  token_id token;
  driver_id driver;
  revocation cause{};
};

struct rider_picked_up {
  static constexpr std::string_view name = "rider_picked_up";
  static constexpr auto fields = names("ride", "token", "driver");
  ride_id ride;
  token_id token;
  driver_id driver;
};

struct trip_ended {
  static constexpr std::string_view name = "trip_ended";
  static constexpr auto fields = names("token", "driver", "ride", "place");
  token_id token;
  driver_id driver;
  ride_id ride;
  point place;  ///< where the driver is now
};

}  // namespace dibs::events
