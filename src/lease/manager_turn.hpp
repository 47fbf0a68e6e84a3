/// What the decisions of a lease manager ask of it: `messages/actions.hpp` in its words.
#pragma once

#include "base/ids.hpp"
#include "base/time.hpp"
#include "events/facts.hpp"
#include "messages/actions.hpp"
#include "messages/messages.hpp"

#include <variant>

namespace dibs::lease {

using messages::answer;
using messages::fact;
using messages::message;
using messages::timer;

/// From so much of the manager's time on readers of the record take the lease for over, unless it
/// is prolonged or ended first.
struct lapse {
  driver_id driver;
  token_id token;
  sim_duration wait{};
};

using action = std::variant<answer<messages::lease_given>,
                            answer<messages::lease_refused>,
                            answer<messages::confirm_taken>,
                            answer<messages::confirm_denied>,
                            answer<messages::answer_seen>,
                            answer<messages::release_seen>,
                            answer<messages::lease_extended>,
                            answer<messages::renewal_denied>,
                            answer<messages::claim_given>,
                            answer<messages::claim_refused>,
                            answer<messages::zone_given>,
                            answer<messages::zone_refused>,
                            message<messages::raise_fence>,
                            message<messages::record_commit>,
                            message<messages::whose_trip>,
                            message<messages::ledger_leader_is>,
                            message<messages::lease_over>,
                            message<messages::lease_converted>,
                            message<messages::confirm_denied>,
                            message<messages::take_over>,
                            message<messages::zone_over>,
                            message<messages::leader_is>,
                            message<messages::lead_heartbeat>,
                            message<messages::follow_lease>,
                            message<messages::follow_trip>,
                            message<messages::catch_up>,
                            message<messages::lease_in_doubt>,
                            message<messages::revoke>,
                            fact<events::lease_granted>,
                            fact<events::lease_denied>,
                            fact<events::lease_renewed>,
                            fact<events::renewal_refused>,
                            fact<events::confirm_accepted>,
                            fact<events::confirm_refused>,
                            fact<events::lease_ended>,
                            fact<events::lease_reset>,
                            fact<events::trip_committed>,
                            fact<events::assignment_revoked>,
                            fact<events::ride_claimed>,
                            fact<events::ride_claim_ended>,
                            fact<events::zone_granted>,
                            fact<events::zone_ended>,
                            fact<events::leader_changed>,
                            timer<messages::lease_due>,
                            timer<messages::sweep_due>,
                            timer<messages::sweep_acts_due>,
                            timer<messages::checkpoint_due>,
                            timer<messages::claim_due>,
                            timer<messages::zone_due>,
                            timer<messages::heartbeat_due>,
                            timer<messages::leader_silent>,
                            lapse>;

using turn = messages::turn<action>;

}  // namespace dibs::lease
