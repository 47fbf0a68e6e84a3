/// Facts of claims to rides and zones, and of who leads the lease managers.
#pragma once

#include "base/ids.hpp"
#include "base/time.hpp"
#include "events/causes.hpp"
#include "events/field.hpp"

#include <cstdint>
#include <string_view>
#include <tuple>

namespace dibs::events {

/// A matcher took a ride on as its work, until `expires` on the lease manager's clock.
struct ride_claimed {
  static constexpr std::string_view name = "ride_claimed";
  ride_id ride;
  matcher_id matcher;
  bool taken_over = false;  ///< from a matcher whose claim had run out
  local_time expires{};
  static constexpr auto fields() {
    using self = ride_claimed;
    return std::tuple{field{"ride", &self::ride},
                      field{"matcher", &self::matcher},
                      field{"taken_over", &self::taken_over},
                      field{"expires", &self::expires}};
  }
};

struct ride_claim_ended {
  static constexpr std::string_view name = "ride_claim_ended";
  ride_id ride;
  matcher_id matcher;
  claim_ending cause{};
  static constexpr auto fields() {
    using self = ride_claim_ended;
    return std::tuple{
        field{"ride", &self::ride}, field{"matcher", &self::matcher}, field{"cause", &self::cause}};
  }
};

/// A matcher was given a zone: alone (write), or to see its supply beside others (read).
struct zone_granted {
  static constexpr std::string_view name = "zone_granted";
  zone_id zone;
  matcher_id matcher;
  zone_mode mode{};
  local_time expires{};
  static constexpr auto fields() {
    using self = zone_granted;
    return std::tuple{field{"zone", &self::zone},
                      field{"matcher", &self::matcher},
                      field{"mode", &self::mode},
                      field{"expires", &self::expires}};
  }
};

struct zone_ended {
  static constexpr std::string_view name = "zone_ended";
  zone_id zone;
  matcher_id matcher;
  zone_mode mode{};
  claim_ending cause{};
  static constexpr auto fields() {
    using self = zone_ended;
    return std::tuple{field{"zone", &self::zone},
                      field{"matcher", &self::matcher},
                      field{"mode", &self::mode},
                      field{"cause", &self::cause}};
  }
};

/// A lease manager began to lead, in the how-manieth term.
struct leader_changed {
  static constexpr std::string_view name = "leader_changed";
  node_id node;
  std::uint8_t term = 0;
  static constexpr auto fields() {
    using self = leader_changed;
    return std::tuple{field{"node", &self::node}, field{"term", &self::term}};
  }
};

}  // namespace dibs::events
