/// Every fact of a run, once, in the past tense: one struct each.
///
/// Facts are recorded where they become true, by the node to which they happen, and are the only
/// record of a run: metrics, checkers, traces and reports read nothing else. Each struct lists its
/// fields by name; the writer and reader of `events.jsonl` and the history hash walk those lists.
/// A fact holds no actor ids, shard numbers or sequence numbers, so the same story gives the same
/// hash however it was run.
#pragma once

#include "base/time.hpp"
#include "events/calls.hpp"
#include "events/claim_facts.hpp"
#include "events/fault_facts.hpp"
#include "events/lease_facts.hpp"
#include "events/offer_facts.hpp"
#include "events/ride_facts.hpp"

#include <concepts>
#include <variant>

namespace dibs::events {

/// Raised whenever a fact or a field changes its meaning, appears or goes.
inline constexpr int schema_version = 6;

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
                          leader_changed,
                          message_tampered,
                          work_failed,
                          lease_reset,
                          ride_asked_again,
                          rider_asked,
                          rider_confirmed>;

/// A fact with its true time and the local time of the node to which it happened. The order of
/// events in a history is the order in which they became true.
struct event {
  sim_time t{};
  local_time local{};
  fact what;
  /// A hint, no part of the record: a driver whom readers will look up for it. May be none.
  driver_id about{};
};

/// Facts that say when a lease runs out by the lease manager's clock, and bear it as `expires`.
template <class Fact>
concept sets_expiry = std::same_as<Fact, lease_granted> || std::same_as<Fact, lease_renewed> ||
    std::same_as<Fact, lease_reset>;

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
