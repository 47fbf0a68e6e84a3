/// What the actors say to each other and, by timers, to themselves: one small plain struct each.
///
/// A message goes to one kind of node only. It is a note (no answer expected), a request (the
/// answer is its acknowledgement) or a reply. `ride` says what a message is about.
#pragma once

#include "base/ids.hpp"
#include "base/time.hpp"
#include "events/facts.hpp"
#include "sim/triggers.hpp"

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>

namespace dibs::actors {

// -- to the source of demand ---------------------------------------------------------------------

struct next_ride {};

// -- to riders -----------------------------------------------------------------------------------

/// A person wants to go somewhere: the life of this ride begins.
struct appear {
  ride_id ride;
};

/// A driver is coming, and should be there after `eta`.
struct assigned {
  ride_id ride;
  driver_id driver;
  token_id token;
  sim_duration eta{};
};

/// No driver will come: tries or time ran out.
struct unserved {
  ride_id ride;
  events::abandonment cause{};
};

struct arrived {
  ride_id ride;
  driver_id driver;
  token_id token;
};

struct dropped_off {
  ride_id ride;
  token_id token;
};

struct patience_over {
  ride_id ride;
  std::uint32_t ask = 0;
};

struct ask_again {
  ride_id ride;
  std::uint32_t ask = 0;
};

struct change_of_mind {
  ride_id ride;
  token_id token;
};

struct still_waiting {
  ride_id ride;
  token_id token;
};

/// She calls the ride off, whatever has become of it.
struct second_thoughts {
  ride_id ride;
};

// -- to matchers ---------------------------------------------------------------------------------

struct want_ride {
  ride_id ride;
  std::uint32_t nth = 0;  ///< how often the rider has asked before
};

struct withdraw_ride {
  ride_id ride;
};

struct lease_given {
  ride_id ride;
  driver_id driver;
  std::uint32_t request = 0;  ///< as asked, here and below
  token_id token;
  /// What is left of the lease, or the instant of its end on the lease manager's wall clock, as the
  /// scenario says; `forever` without end.
  sim_duration deadline{};
};

struct lease_refused {
  ride_id ride;
  driver_id driver;
  std::uint32_t request = 0;
};

/// The lease manager ended the lease of its own accord.
struct lease_over {
  ride_id ride;
  driver_id driver;
  token_id token;
  events::lease_ending cause{};
};

struct confirm_taken {
  ride_id ride;
  driver_id driver;
  token_id token;
};

struct confirm_denied {
  ride_id ride;
  driver_id driver;
  token_id token;
};

/// Where the driver confirms: the holder learns that its lease became a trip.
struct lease_converted {
  ride_id ride;
  driver_id driver;
  token_id token;
};

struct release_seen {
  ride_id ride;
  driver_id driver;
  token_id token;
};

struct offer_answer {
  ride_id ride;
  driver_id driver;
  token_id token;
  events::verdict answer{};
};

struct write_taken {
  ride_id ride;
  driver_id driver;
  token_id token;
};

struct write_denied {
  ride_id ride;
  driver_id driver;       ///< whose trip the ride has, if it has one
  token_id token;         ///< of the refused write
  token_id holder_token;  ///< of that trip, if any
};

struct wait_over {
  ride_id ride;
  std::uint32_t nth = 0;
};

struct look_again {
  ride_id ride;
  std::uint32_t step = 0;
};

/// The lease of this step is over by the holder's clock.
struct try_over {
  ride_id ride;
  std::uint32_t step = 0;
};

struct no_word {
  ride_id ride;
  std::uint32_t step = 0;
};

/// What a matcher was about to do when a fault stopped it.
struct go_on {
  ride_id ride;
  driver_id driver;
  std::uint32_t step = 0;
  sim::life_step after{};
  token_id token;
  sim_duration left{};  ///< of the lease, as it was seen then
};

// -- to the lease manager ------------------------------------------------------------------------

struct acquire {
  ride_id ride;
  driver_id driver;
  matcher_id holder;
  std::uint32_t request = 0;  ///< the same in every copy of this request, and in no other
  zone_id zone;               ///< where the driver is, where zones are leased
};

struct confirm {
  ride_id ride;
  driver_id driver;
  token_id token;
};

struct release {
  ride_id ride;
  driver_id driver;
  token_id token;
  events::lease_ending cause{};
};

/// The ledger took or refused a write.
struct write_outcome {
  ride_id ride;
  driver_id driver;
  token_id token;
  bool taken = false;
};

struct trip_closed {
  ride_id ride;
  driver_id driver;
  token_id token;
};

struct lease_due {
  driver_id driver;
  token_id token;
};

struct sweep_due {};

// -- renewals and the handshake
// ---------------------------------------------------------------------

/// To the lease manager: the holder wants its lease for a whole TTL more.
struct renew {
  ride_id ride;
  driver_id driver;
  token_id token;
  std::uint32_t nth = 0;      ///< of this lease, from 1; a repeat has the number of what it repeats
  std::uint32_t attempt = 0;  ///< counts repeats too
};

struct lease_extended {
  token_id token;
  sim_duration deadline{};  ///< as in `lease_given`
  ride_id ride;
  driver_id driver;
  std::uint32_t attempt = 0;
};

struct renewal_denied {
  ride_id ride;
  driver_id driver;
  token_id token;
  std::uint32_t attempt = 0;
};

struct renew_due {
  ride_id ride;
  token_id token;
};

/// The holder has waited long enough for the answer to this attempt.
struct renewal_silent {
  ride_id ride;
  token_id token;
  std::uint32_t attempt = 0;
};

/// To a driver's phone: is anybody there?
struct greet {
  ride_id ride;
  token_id token;
};

struct phone_there {
  ride_id ride;
  token_id token;
};

struct no_greeting {
  ride_id ride;
  std::uint32_t step = 0;
};

// -- the sweeper, and the life of the lease manager
// ----------------------------------------------------

struct sweeper_due {};

/// Ends what is over by the sender's wall clock.
struct sweep {
  local_time wall{};
};

struct checkpoint_due {};

/// To the ledger, from a lease manager that was away: is this trip still open?
struct whose_trip {
  driver_id driver;
  ride_id ride;
  token_id token;
};

/// What the leader knows of one driver's lease, for the manager that follows it.
struct follow_lease {
  token_id token;
  local_time due{};
  ride_id ride;
  driver_id driver;
  std::uint16_t holder = 0;
  std::uint8_t state = 0;
  bool was_committed = false;
};

/// And of her trip; no token: she is on none.
struct follow_trip {
  token_id token;
  driver_id driver;
};

struct lead_heartbeat {
  std::uint32_t term = 0;
};

struct heartbeat_due {
  std::uint32_t term = 0;
};

struct leader_silent {
  std::uint32_t heard = 0;
};

/// To matchers.
struct leader_is {
  std::uint32_t manager = 0;
  std::uint32_t term = 0;
};

/// To the ledger.
struct ledger_leader_is {
  std::uint32_t manager = 0;
  std::uint32_t term = 0;
};

/// To the leader, from a manager whose table is out of date.
struct catch_up {};

/// From a leader that was replaced: it has seen this lease run out.
struct revoke {
  driver_id driver;
  token_id token;
};

// -- rides as work, and zones
// -------------------------------------------------------------------------

/// To the lease manager: a claim, a heartbeat or the renewal before a completion; all are one.
struct claim_ride {
  ride_id ride;
  matcher_id holder;
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
};

struct claim_due {
  ride_id ride;
};

/// To a matcher: the ride's last matcher is gone.
struct take_over {
  ride_id ride;
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

struct no_word_of_zone {
  zone_id zone;
  std::uint32_t ask = 0;
};

/// A driver has become free while rides wait in line.
struct someone_free {};

// -- to the ledger -------------------------------------------------------------------------------

struct write {
  ride_id ride;
  driver_id driver;
  token_id token;
  std::uint32_t version = 0;  ///< of the driver's record, as read at the pick
};

struct raise_fence {
  ride_id ride;
  driver_id driver;
  token_id token;
};

/// With `commit: manager`: to be recorded, not judged.
struct record_commit {
  ride_id ride;
  driver_id driver;
  token_id token;
};

struct trip_done {
  ride_id ride;
  driver_id driver;
  token_id token;
};

/// The rider wants no more of this driver.
struct call_off {
  ride_id ride;
  token_id token;
  events::revocation cause{};
};

// -- to drivers ----------------------------------------------------------------------------------

struct offer {
  ride_id ride;
  token_id token;
  /// Counted from its arrival, or the instant on her wall clock, as the scenario says; `forever`
  /// for no deadline.
  sim_duration deadline{};
};

/// The lease manager has heard the driver; where the driver confirms.
struct answer_seen {
  ride_id ride;
};

struct withdraw_offer {
  ride_id ride;
  token_id token;
};

struct drive {
  ride_id ride;
  token_id token;
};

struct boarded {
  ride_id ride;
  token_id token;
};

struct trip_off {
  ride_id ride;
  token_id token;
};

/// She has made up her mind.
struct answer_due {
  token_id token;
};

/// The deadline of an offer, on her phone.
struct screen_over {
  token_id token;
};

struct at_pickup {
  token_id token;
};

struct at_drop_off {
  token_id token;
};

/// Her connection is lost, if the offer is still on her screen.
struct connection_lost {
  token_id token;
};

struct connection_back {};

struct shift_over {
  std::uint32_t person = 0;  ///< the how-manieth at this wheel
};

// ------------------------------------------------------------------------------------------------

template <class... Messages>
struct message_list {
  static constexpr std::size_t size = sizeof...(Messages);

  /// The position of `M`, which must be in the list.
  template <class M>
  static constexpr std::size_t position_of() {
    constexpr bool is_it[] = {std::is_same_v<M, Messages>...};
    for (std::size_t i = 0; i < size; ++i) {
      if (is_it[i]) {
        return i;
      }
    }
    return size;
  }
};

/// Every message, numbered by its place. New ones come last: the network's draws are keyed by the
/// number.
using all_messages = message_list<next_ride,
                                  appear,
                                  assigned,
                                  unserved,
                                  arrived,
                                  dropped_off,
                                  patience_over,
                                  ask_again,
                                  change_of_mind,
                                  still_waiting,
                                  want_ride,
                                  withdraw_ride,
                                  lease_given,
                                  lease_refused,
                                  lease_over,
                                  confirm_taken,
                                  confirm_denied,
                                  lease_converted,
                                  release_seen,
                                  offer_answer,
                                  write_taken,
                                  write_denied,
                                  wait_over,
                                  look_again,
                                  try_over,
                                  no_word,
                                  acquire,
                                  confirm,
                                  release,
                                  write_outcome,
                                  trip_closed,
                                  lease_due,
                                  sweep_due,
                                  write,
                                  raise_fence,
                                  record_commit,
                                  trip_done,
                                  call_off,
                                  offer,
                                  answer_seen,
                                  withdraw_offer,
                                  drive,
                                  boarded,
                                  trip_off,
                                  answer_due,
                                  screen_over,
                                  at_pickup,
                                  at_drop_off,
                                  shift_over,
                                  renew,
                                  lease_extended,
                                  renewal_denied,
                                  renew_due,
                                  renewal_silent,
                                  greet,
                                  phone_there,
                                  no_greeting,
                                  sweeper_due,
                                  sweep,
                                  checkpoint_due,
                                  whose_trip,
                                  follow_lease,
                                  follow_trip,
                                  lead_heartbeat,
                                  heartbeat_due,
                                  leader_silent,
                                  leader_is,
                                  ledger_leader_is,
                                  catch_up,
                                  revoke,
                                  claim_ride,
                                  claim_given,
                                  claim_refused,
                                  claim_done,
                                  claim_due,
                                  take_over,
                                  claim_heartbeat_due,
                                  claim_zone,
                                  zone_given,
                                  zone_refused,
                                  zone_due,
                                  zone_renewal_due,
                                  zone_over,
                                  no_word_of_zone,
                                  someone_free,
                                  go_on,
                                  second_thoughts,
                                  connection_lost,
                                  connection_back>;

using requests =
    message_list<acquire, confirm, release, write, renew, greet, claim_ride, claim_zone>;
using replies = message_list<lease_given,
                             lease_refused,
                             confirm_taken,
                             confirm_denied,
                             release_seen,
                             answer_seen,
                             write_taken,
                             write_denied,
                             lease_extended,
                             renewal_denied,
                             phone_there,
                             claim_given,
                             claim_refused,
                             zone_given,
                             zone_refused>;

template <class M>
inline constexpr bool is_request = requests::position_of<M>() < requests::size;
template <class M>
inline constexpr bool is_reply = replies::position_of<M>() < replies::size;

template <class M>
constexpr std::uint16_t number_of() {
  constexpr std::size_t position = all_messages::position_of<M>();
  static_assert(position < all_messages::size, "list the message in all_messages");
  return static_cast<std::uint16_t>(position);
}

}  // namespace dibs::actors
