/// Facts of leases, at the lease manager.
#pragma once

#include "base/ids.hpp"
#include "base/time.hpp"
#include "events/causes.hpp"
#include "events/field.hpp"

#include <string_view>

namespace dibs::events {

struct lease_granted {
  static constexpr std::string_view name = "lease_granted";
  static constexpr auto fields = names("token", "driver", "ride", "matcher", "ttl", "expires");
  token_id token;
  driver_id driver;
  ride_id ride;
  matcher_id matcher;
  sim_duration ttl{};    ///< as granted; the nominal deadline is the instant of the grant plus this
  local_time expires{};  ///< on the lease manager's clock
};

struct lease_denied {
  static constexpr std::string_view name = "lease_denied";
  static constexpr auto fields = names("driver", "ride", "matcher", "cause");
  driver_id driver;
  ride_id ride;
  matcher_id matcher;
  denial cause{};
};

struct lease_renewed {
  static constexpr std::string_view name = "lease_renewed";
  static constexpr auto fields = names("token", "driver", "expires");
  token_id token;
  driver_id driver;
  local_time expires{};  ///< the new expiry, on the lease manager's clock
};

/// The lease manager took a confirm. With `commit: manager` a `trip_committed` of the same instant
/// follows the first one.
struct confirm_accepted {
  static constexpr std::string_view name = "confirm_accepted";
  static constexpr auto fields = names("token", "driver", "ride", "repeated");
  token_id token;
  driver_id driver;
  ride_id ride;
  bool repeated = false;  ///< a retry of a confirm that had been taken before
};

struct confirm_refused {
  static constexpr std::string_view name = "confirm_refused";
  static constexpr auto fields = names("token", "driver", "ride", "cause");
  token_id token;
  driver_id driver;
  ride_id ride;
  confirm_refusal cause{};
};

/// A lease ended at the lease manager without becoming a trip.
struct lease_ended {
  static constexpr std::string_view name = "lease_ended";
  static constexpr auto fields = names("token", "driver", "ride", "cause");
  token_id token;
  driver_id driver;
  ride_id ride;
  lease_ending cause{};
};

/// The lease manager refused to extend a lease.
struct renewal_refused {
  static constexpr std::string_view name = "renewal_refused";
  static constexpr auto fields = names("token", "driver", "ride", "cause");
  token_id token;
  driver_id driver;
  ride_id ride;
  confirm_refusal cause{};
};

/// A lease manager that came back, or took over, gave a lease time anew: nobody had asked for it,
/// so it is no renewal, and the nominal deadline stays.
struct lease_reset {
  static constexpr std::string_view name = "lease_reset";
  static constexpr auto fields = names("token", "driver", "expires");
  token_id token;
  driver_id driver;
  local_time expires{};  ///< the new expiry, on the lease manager's clock
};

}  // namespace dibs::events
