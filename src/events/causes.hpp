/// Why things ended or were refused: the enumerations that facts carry.
#pragma once

#include <cstdint>

namespace dibs::events {

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
  forgotten,         ///< the lease manager, or who leads now, does not know of it
  zone_lost,         ///< the holder's zone was over, and the leases under it with it
};
enum class dismissal : std::uint8_t { timeout, withdrawn, replaced, turned_away, went_offline };
enum class offer_response : std::uint8_t { accepted, declined };
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
enum class abandonment : std::uint8_t {
  patience,
  tries,
  wait,
  cancelled,    ///< she called the ride off before she knew of a driver
  unconfirmed,  ///< a driver had accepted, and she did not say in time that she takes her
};
enum class revocation : std::uint8_t { no_show, rider_cancelled, driver_cancelled };
/// Why a matcher's claim to a ride, or to a zone, was over.
enum class claim_ending : std::uint8_t { released, expired };
enum class zone_mode : std::uint8_t { write, read };
enum class loss_cause : std::uint8_t { loss, partition, crash };
/// What a fault does to a message.
enum class tampering : std::uint8_t { dropped, delayed, doubled };

}  // namespace dibs::events
