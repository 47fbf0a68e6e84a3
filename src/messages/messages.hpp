/// What the actors say to each other and, by timers, to themselves: one small plain struct each.
///
/// A message goes to one kind of node only. It is a note (no answer expected), a request (the
/// answer is its acknowledgement) or a reply. `ride` says what a message is about.
#pragma once

#include "messages/claims.hpp"
#include "messages/drivers.hpp"
#include "messages/lease_manager.hpp"
#include "messages/ledger.hpp"
#include "messages/matchers.hpp"
#include "messages/riders.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace dibs::messages {

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
                                  cancellation_due,
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
                                  search_timeout_due,
                                  retry_due,
                                  try_timeout_due,
                                  reply_timeout_due,
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
                                  renewal_timeout_due,
                                  greet,
                                  phone_there,
                                  ping_timeout_due,
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
                                  zone_reply_timeout_due,
                                  someone_free,
                                  resume_step,
                                  late_cancellation_due,
                                  connection_lost,
                                  connection_back,
                                  lease_in_doubt,
                                  lease_store_answered,
                                  lease_store_retry_due,
                                  ledger_store_answered,
                                  ledger_store_retry_due,
                                  ask_next,
                                  sweep_acts_due,
                                  confirm_wanted,
                                  confirm_due,
                                  confirm_missed,
                                  rider_confirmed>;

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

}  // namespace dibs::messages
