/// Facts of claims to rides and zones, and of who leads the lease managers.
#pragma once

#include "base/ids.hpp"
#include "base/time.hpp"
#include "events/causes.hpp"
#include "events/field.hpp"

#include <cstdint>
#include <string_view>

namespace dibs::events {

/// A matcher took a ride on as its work, until `expires` on the lease manager's clock.
struct ride_claimed {
  static constexpr std::string_view name = "ride_claimed";
  static constexpr auto fields = names("ride", "matcher", "taken_over", "expires");
  ride_id ride;
  matcher_id matcher;
  bool taken_over = false;  ///< from a matcher whose claim had run out
  local_time expires{};
};

struct ride_claim_ended {
  static constexpr std::string_view name = "ride_claim_ended";
  static constexpr auto fields = names("ride", "matcher", "cause");
  ride_id ride;
  matcher_id matcher;
  claim_ending cause{};
};

/// A matcher was given a zone: alone (write), or to see its supply beside others (read).
struct zone_granted {
  static constexpr std::string_view name = "zone_granted";
  static constexpr auto fields = names("zone", "matcher", "mode", "expires");
  zone_id zone;
  matcher_id matcher;
  zone_mode mode{};
  local_time expires{};
};

struct zone_ended {
  static constexpr std::string_view name = "zone_ended";
  static constexpr auto fields = names("zone", "matcher", "mode", "cause");
  zone_id zone;
  matcher_id matcher;
  zone_mode mode{};
  claim_ending cause{};
};

/// A lease manager began to lead, in the how-manieth term.
struct leader_changed {
  static constexpr std::string_view name = "leader_changed";
  static constexpr auto fields = names("node", "term");
  node_id node;
  std::uint8_t term = 0;
};

}  // namespace dibs::events
