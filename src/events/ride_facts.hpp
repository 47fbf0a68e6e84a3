/// Facts of supply, demand, assignments and trips.
#pragma once

#include "base/ids.hpp"
#include "base/point.hpp"
#include "events/causes.hpp"
#include "events/field.hpp"

#include <cstdint>
#include <string_view>
#include <tuple>

namespace dibs::events {

struct driver_came_online {
  static constexpr std::string_view name = "driver_came_online";
  driver_id driver;
  point place;
  std::uint8_t driver_class = 0;
  static constexpr auto fields() {
    using self = driver_came_online;
    return std::tuple{field{"driver", &self::driver},
                      field{"place", &self::place},
                      field{"class", &self::driver_class}};
  }
};

struct driver_went_offline {
  static constexpr std::string_view name = "driver_went_offline";
  driver_id driver;
  static constexpr auto fields() {
    return std::tuple{field{"driver", &driver_went_offline::driver}};
  }
};

struct ride_requested {
  static constexpr std::string_view name = "ride_requested";
  ride_id ride;
  point origin;
  static constexpr auto fields() {
    return std::tuple{field{"ride", &ride_requested::ride},
                      field{"origin", &ride_requested::origin}};
  }
};

/// The rider, who still waits, asked her matchers once more.
struct ride_asked_again {
  static constexpr std::string_view name = "ride_asked_again";
  ride_id ride;
  std::uint32_t times = 0;  ///< that she has asked by now, from 2
  static constexpr auto fields() {
    using self = ride_asked_again;
    return std::tuple{field{"ride", &self::ride}, field{"times", &self::times}};
  }
};

/// The rider left without a driver.
struct ride_abandoned {
  static constexpr std::string_view name = "ride_abandoned";
  ride_id ride;
  abandonment cause{};
  static constexpr auto fields() {
    return std::tuple{field{"ride", &ride_abandoned::ride}, field{"cause", &ride_abandoned::cause}};
  }
};

/// The rider called the ride off although a driver was promised.
struct ride_cancelled {
  static constexpr std::string_view name = "ride_cancelled";
  ride_id ride;
  static constexpr auto fields() { return std::tuple{field{"ride", &ride_cancelled::ride}}; }
};

// -- assignments and trips -----------------------------------------------------------------------

/// The commit: the assignment became a fact, and the trip began.
struct trip_committed {
  static constexpr std::string_view name = "trip_committed";
  token_id token;
  driver_id driver;
  ride_id ride;
  matcher_id matcher;
  static constexpr auto fields() {
    using self = trip_committed;
    return std::tuple{field{"token", &self::token},
                      field{"driver", &self::driver},
                      field{"ride", &self::ride},
                      field{"matcher", &self::matcher}};
  }
};

struct write_refused {
  static constexpr std::string_view name = "write_refused";
  token_id token;
  driver_id driver;
  ride_id ride;
  write_refusal cause{};
  static constexpr auto fields() {
    using self = write_refused;
    return std::tuple{field{"token", &self::token},
                      field{"driver", &self::driver},
                      field{"ride", &self::ride},
                      field{"cause", &self::cause}};
  }
};

/// The rider was told that this driver is coming.
struct ride_promised {
  static constexpr std::string_view name = "ride_promised";
  ride_id ride;
  token_id token;
  driver_id driver;
  static constexpr auto fields() {
    using self = ride_promised;
    return std::tuple{
        field{"ride", &self::ride}, field{"token", &self::token}, field{"driver", &self::driver}};
  }
};

/// An assignment was withdrawn; the trip ends here if it had not ended.
struct assignment_revoked {
  static constexpr std::string_view name = "assignment_revoked";
  ride_id ride;
  token_id token;
  driver_id driver;
  revocation cause{};
  static constexpr auto fields() {
    using self = assignment_revoked;
    return std::tuple{field{"ride", &self::ride},
                      field{"token", &self::token},
                      field{"driver", &self::driver},
                      field{"cause", &self::cause}};
  }
};

struct rider_picked_up {
  static constexpr std::string_view name = "rider_picked_up";
  ride_id ride;
  token_id token;
  driver_id driver;
  static constexpr auto fields() {
    using self = rider_picked_up;
    return std::tuple{
        field{"ride", &self::ride}, field{"token", &self::token}, field{"driver", &self::driver}};
  }
};

struct trip_ended {
  static constexpr std::string_view name = "trip_ended";
  token_id token;
  driver_id driver;
  ride_id ride;
  point place;  ///< where the driver is now
  static constexpr auto fields() {
    using self = trip_ended;
    return std::tuple{field{"token", &self::token},
                      field{"driver", &self::driver},
                      field{"ride", &self::ride},
                      field{"place", &self::place}};
  }
};

}  // namespace dibs::events
