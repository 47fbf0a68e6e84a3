/// Every fact of a run, once, in the past tense: one struct each.
///
/// Facts are recorded where they become true, by the node to which they happen, and are the only
/// record of a run: metrics, checkers, traces and reports read nothing else. Each struct lists its
/// fields by name; the writer and reader of `events.jsonl` and the history hash walk those lists.
/// A fact holds no actor ids, shard numbers or sequence numbers, so the same story gives the same
/// hash however it was run.
#pragma once

#include "base/ids.hpp"
#include "base/point.hpp"
#include "base/time.hpp"
#include "events/calls.hpp"
#include "events/field.hpp"

#include <cstdint>
#include <string_view>
#include <tuple>
#include <variant>

namespace dibs::events {

/// Raised whenever a fact or a field changes its meaning, appears or goes.
inline constexpr int schema_version = 2;

// -- why things ended or were refused ------------------------------------------------------------

enum class denial : std::uint8_t {
  leased,
  on_trip,
  lock_delay,
  no_zone,  ///< the matcher does not hold the driver's zone
};
enum class confirm_refusal : std::uint8_t {
  no_lease,
  other_token,
  expired,
  on_trip,
  ride_taken,
  other_count,  ///< of a renewal that is not the next
};
enum class lease_ending : std::uint8_t {
  declined,          ///< released by the holder after the driver declined
  expired,           ///< its time ran out, by a timer or seen on a read
  swept,             ///< its time ran out, noticed by the periodic sweep
  released,          ///< given back by the holder for another reason
  cancelled,         ///< the ride was withdrawn, or the driver went to another trip
  denied_by_ledger,  ///< confirmed, and then refused by the ledger
  unwritten,         ///< confirmed, but no write came within `confirm_hold`
  forgotten,         ///< the lease manager came back without its memory
  zone_lost,         ///< the holder's zone was over, and the leases under it with it
};
enum class dismissal : std::uint8_t { timeout, withdrawn, replaced, turned_away, went_offline };
enum class verdict : std::uint8_t { accepted, declined };
enum class try_ending : std::uint8_t {
  committed,
  denied,  ///< no lease was granted
  declined,
  timed_out,    ///< nobody answered in the holder's time
  lease_lost,   ///< the lease manager said that the lease is over
  refused,      ///< by the lease manager, at the confirm
  not_written,  ///< by the ledger, at the write
  no_reply,     ///< the lease manager or the ledger did not answer in time
  withdrawn,    ///< the ride was withdrawn
  unreachable,  ///< the phone did not answer the handshake before the offer
  displaced,    ///< the matcher lost the ride, or the zone, that it worked under
};
enum class write_refusal : std::uint8_t { stale_token, driver_busy, ride_taken, stale_version };
enum class abandonment : std::uint8_t { patience, tries, wait, no_show };
enum class revocation : std::uint8_t { no_show, rider_cancelled, driver_cancelled };
/// Why a matcher's claim to a ride, or to a zone, was over.
enum class claim_ending : std::uint8_t { released, expired };
enum class zone_mode : std::uint8_t { write, read };
enum class loss_cause : std::uint8_t { loss, partition, crash };

// -- supply and demand ---------------------------------------------------------------------------

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

// -- leases, at the lease manager ----------------------------------------------------------------

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

// -- offers --------------------------------------------------------------------------------------

struct offer_sent {
  static constexpr std::string_view name = "offer_sent";
  token_id token;
  driver_id driver;
  ride_id ride;
  matcher_id matcher;
  static constexpr auto fields() {
    using self = offer_sent;
    return std::tuple{field{"token", &self::token},
                      field{"driver", &self::driver},
                      field{"ride", &self::ride},
                      field{"matcher", &self::matcher}};
  }
};

/// The offer appeared on the driver's screen.
struct offer_shown {
  static constexpr std::string_view name = "offer_shown";
  token_id token;
  driver_id driver;
  ride_id ride;
  local_time
      deadline{};  ///< on the driver's clock: the instant at which the offer leaves the screen
  static constexpr auto fields() {
    using self = offer_shown;
    return std::tuple{field{"token", &self::token},
                      field{"driver", &self::driver},
                      field{"ride", &self::ride},
                      field{"deadline", &self::deadline}};
  }
};

/// The offer left the screen unanswered.
struct offer_dismissed {
  static constexpr std::string_view name = "offer_dismissed";
  token_id token;
  driver_id driver;
  dismissal cause{};
  static constexpr auto fields() {
    using self = offer_dismissed;
    return std::tuple{
        field{"token", &self::token}, field{"driver", &self::driver}, field{"cause", &self::cause}};
  }
};

/// The driver decided. `in_time` by her own clock; a late accept never had an effect unless her
/// phone sends late answers.
struct offer_answered {
  static constexpr std::string_view name = "offer_answered";
  token_id token;
  driver_id driver;
  ride_id ride;
  verdict answer{};
  bool in_time = true;
  static constexpr auto fields() {
    using self = offer_answered;
    return std::tuple{field{"token", &self::token},
                      field{"driver", &self::driver},
                      field{"ride", &self::ride},
                      field{"answer", &self::answer},
                      field{"in_time", &self::in_time}};
  }
};

/// The matcher was done with a try: it moves on, or the ride is settled.
struct try_closed {
  static constexpr std::string_view name = "try_closed";
  token_id token;  ///< none when no lease was granted
  driver_id driver;
  ride_id ride;
  matcher_id matcher;
  try_ending cause{};
  static constexpr auto fields() {
    using self = try_closed;
    return std::tuple{field{"token", &self::token},
                      field{"driver", &self::driver},
                      field{"ride", &self::ride},
                      field{"matcher", &self::matcher},
                      field{"cause", &self::cause}};
  }
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

// -- faults --------------------------------------------------------------------------------------

struct node_crashed {
  static constexpr std::string_view name = "node_crashed";
  node_id node;
  static constexpr auto fields() { return std::tuple{field{"node", &node_crashed::node}}; }
};

struct node_restarted {
  static constexpr std::string_view name = "node_restarted";
  node_id node;
  static constexpr auto fields() { return std::tuple{field{"node", &node_restarted::node}}; }
};

struct node_paused {
  static constexpr std::string_view name = "node_paused";
  node_id node;
  static constexpr auto fields() { return std::tuple{field{"node", &node_paused::node}}; }
};

struct node_resumed {
  static constexpr std::string_view name = "node_resumed";
  node_id node;
  static constexpr auto fields() { return std::tuple{field{"node", &node_resumed::node}}; }
};

/// One copy of a message was lost. Recorded at the instant of sending (loss, partition) or of
/// arrival (crash).
struct message_lost {
  static constexpr std::string_view name = "message_lost";
  node_id from;
  node_id to;
  ride_id ride;    ///< none when the message is about no ride
  token_id token;  ///< none when the message carries no token
  loss_cause cause{};
  static constexpr auto fields() {
    using self = message_lost;
    return std::tuple{field{"from", &self::from},
                      field{"to", &self::to},
                      field{"ride", &self::ride},
                      field{"token", &self::token},
                      field{"cause", &self::cause}};
  }
};

// -- renewals, claims and leaders ----------------------------------------------------------------

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

// ------------------------------------------------------------------------------------------------

using fact = std::variant<driver_came_online,
                          driver_went_offline,
                          ride_requested,
                          ride_abandoned,
                          ride_cancelled,
                          lease_granted,
                          lease_denied,
                          lease_renewed,
                          confirm_accepted,
                          confirm_refused,
                          lease_ended,
                          offer_sent,
                          offer_shown,
                          offer_dismissed,
                          offer_answered,
                          try_closed,
                          trip_committed,
                          write_refused,
                          ride_promised,
                          assignment_revoked,
                          rider_picked_up,
                          trip_ended,
                          node_crashed,
                          node_restarted,
                          node_paused,
                          node_resumed,
                          message_lost,
                          call_made,
                          call_answered,
                          renewal_refused,
                          ride_claimed,
                          ride_claim_ended,
                          zone_granted,
                          zone_ended,
                          leader_changed>;

/// A fact with its true time and the local time of the node to which it happened. The order of
/// events in a history is the order in which they became true.
struct event {
  sim_time t{};
  local_time local{};
  fact what;
  /// A hint, no part of the record: a driver whom readers will look up for it. May be none.
  driver_id about{};
};

/// The driver whom a fact names; none if it names none.
template <class Fact>
[[nodiscard]] constexpr driver_id driver_in(const Fact& f) {
  if constexpr (requires { driver_id{f.driver}; }) {
    return f.driver;
  } else {
    return driver_id::none();
  }
}

}  // namespace dibs::events
