/// Facts of leases, at the lease manager.
#pragma once

#include "base/ids.hpp"
#include "base/time.hpp"
#include "events/causes.hpp"
#include "events/field.hpp"

#include <string_view>
#include <tuple>

namespace dibs::events {

struct lease_granted {
  static constexpr std::string_view name = "lease_granted";
  token_id token;
  driver_id driver;
  ride_id ride;
  matcher_id matcher;
  sim_duration ttl{};    ///< as granted; the nominal deadline is the instant of the grant plus this
  local_time expires{};  ///< on the lease manager's clock
  static constexpr auto fields() {
    using self = lease_granted;
    return std::tuple{field{"token", &self::token},
                      field{"driver", &self::driver},
                      field{"ride", &self::ride},
                      field{"matcher", &self::matcher},
                      field{"ttl", &self::ttl},
                      field{"expires", &self::expires}};
  }
};

struct lease_denied {
  static constexpr std::string_view name = "lease_denied";
  driver_id driver;
  ride_id ride;
  matcher_id matcher;
  denial cause{};
  static constexpr auto fields() {
    using self = lease_denied;
    return std::tuple{field{"driver", &self::driver},
                      field{"ride", &self::ride},
                      field{"matcher", &self::matcher},
                      field{"cause", &self::cause}};
  }
};

struct lease_renewed {
  static constexpr std::string_view name = "lease_renewed";
  token_id token;
  driver_id driver;
  local_time expires{};  ///< the new expiry, on the lease manager's clock
  static constexpr auto fields() {
    using self = lease_renewed;
    return std::tuple{field{"token", &self::token},
                      field{"driver", &self::driver},
                      field{"expires", &self::expires}};
  }
};

/// The lease manager took a confirm. With `commit: manager` a `trip_committed` of the same instant
/// follows the first one.
struct confirm_accepted {
  static constexpr std::string_view name = "confirm_accepted";
  token_id token;
  driver_id driver;
  ride_id ride;
  bool repeated = false;  ///< a retry of a confirm that had been taken before
  static constexpr auto fields() {
    using self = confirm_accepted;
    return std::tuple{field{"token", &self::token},
                      field{"driver", &self::driver},
                      field{"ride", &self::ride},
                      field{"repeated", &self::repeated}};
  }
};

struct confirm_refused {
  static constexpr std::string_view name = "confirm_refused";
  token_id token;
  driver_id driver;
  ride_id ride;
  confirm_refusal cause{};
  static constexpr auto fields() {
    using self = confirm_refused;
    return std::tuple{field{"token", &self::token},
                      field{"driver", &self::driver},
                      field{"ride", &self::ride},
                      field{"cause", &self::cause}};
  }
};

/// A lease ended at the lease manager without becoming a trip.
struct lease_ended {
  static constexpr std::string_view name = "lease_ended";
  token_id token;
  driver_id driver;
  ride_id ride;
  lease_ending cause{};
  static constexpr auto fields() {
    using self = lease_ended;
    return std::tuple{field{"token", &self::token},
                      field{"driver", &self::driver},
                      field{"ride", &self::ride},
                      field{"cause", &self::cause}};
  }
};

/// The lease manager refused to extend a lease.
struct renewal_refused {
  static constexpr std::string_view name = "renewal_refused";
  token_id token;
  driver_id driver;
  ride_id ride;
  confirm_refusal cause{};
  static constexpr auto fields() {
    using self = renewal_refused;
    return std::tuple{field{"token", &self::token},
                      field{"driver", &self::driver},
                      field{"ride", &self::ride},
                      field{"cause", &self::cause}};
  }
};

/// A lease manager that came back, or took over, gave a lease time anew: nobody had asked for it,
/// so it is no renewal, and the nominal deadline stays.
struct lease_reset {
  static constexpr std::string_view name = "lease_reset";
  token_id token;
  driver_id driver;
  local_time expires{};  ///< the new expiry, on the lease manager's clock
  static constexpr auto fields() {
    using self = lease_reset;
    return std::tuple{field{"token", &self::token},
                      field{"driver", &self::driver},
                      field{"expires", &self::expires}};
  }
};

}  // namespace dibs::events
