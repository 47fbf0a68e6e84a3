/// What one matcher is to do: the scenario's options and its protocol, as its decisions need them.
#pragma once

#include "base/distribution.hpp"
#include "base/ids.hpp"
#include "base/time.hpp"
#include "lease/renewal.hpp"

#include <cstdint>
#include <optional>

namespace dibs::match {

/// Rides are leased work: who claims one keeps it by heartbeats.
struct claim_rules {
  sim_duration heartbeat{};
  bool at_completion = true;  ///< the claim is renewed before an assignment is written
};

/// A matcher takes drivers of zones that it holds.
struct zone_rules {
  sim_duration ttl{};
  sim_duration renew_after{};  ///< a zone was given
  bool renews_unused = false;
  std::uint32_t writers = 0;  ///< matchers that take drivers: the first ones; the rest only look

  [[nodiscard]] bool only_looks(matcher_id m) const { return m.value >= writers; }
};

struct renewal_rules {
  lease::renewal kind = lease::renewal::none;  ///< `none` as well where there are no leases
  std::optional<double> at{};
  sim_duration stagger{};
  sim_duration timeout{};
  sim_duration retry{};
  bool waits_an_interval = false;    ///< after a renewal that nobody answered
  bool withdraws_when_lost = false;  ///< the offer, where the lease is lost
};

struct matcher_rules {
  matcher_id self{};
  std::uint64_t seed = 1;

  // the search
  sim_duration total_wait{};  ///< a ride is given up so long after its request
  std::uint32_t tries_max = 0;
  bool counts_acquires = false;  ///< as tries; else offers
  bool is_blind = false;         ///< takes everyone for available
  sim_duration view_lag{};
  sim_duration overhead{};
  std::optional<sim_duration> batch{};
  std::optional<sim_duration> look_again{};
  bool queues = false;
  bool polls_line = false;  ///< leases run out unnoticed, so those in line look again by themselves
  sim_duration cooldown = forever;  ///< of a driver, after a try for the ride that failed
  distribution next_try_after{};
  sim_duration reply_timeout{};
  std::optional<claim_rules> claims{};
  std::optional<zone_rules> zones{};

  // the lease
  bool leases = false;
  bool expires = false;
  bool has_standby = false;  ///< a second lease manager
  sim_duration ttl{};
  sim_duration granted_ttl{};
  sim_duration grace{};   ///< after the expiry, where the manager alone judges
  sim_duration margin{};  ///< before the expiry: the holder no longer trusts its lease
  bool holder_judges = false;
  bool manager_judges = true;  ///< it is asked to confirm
  bool manager_commits = false;
  bool is_absolute = false;  ///< deadlines travel as instants on wall clocks
  sim_duration offer_window{};
  bool hears_late_answers = false;
  bool returns_refused = false;  ///< also gives back what it was refused
  std::optional<sim_duration> handshake{};
  renewal_rules renewal{};
};

}  // namespace dibs::match
