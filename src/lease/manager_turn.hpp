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

using action = std::variant<answer<actors::lease_given>,
                            answer<actors::lease_refused>,
                            answer<actors::confirm_taken>,
                            answer<actors::confirm_denied>,
                            answer<actors::answer_seen>,
                            answer<actors::release_seen>,
                            answer<actors::lease_extended>,
                            answer<actors::renewal_denied>,
                            answer<actors::claim_given>,
                            answer<actors::claim_refused>,
                            answer<actors::zone_given>,
                            answer<actors::zone_refused>,
                            message<actors::raise_fence>,
                            message<actors::record_commit>,
                            message<actors::whose_trip>,
                            message<actors::ledger_leader_is>,
                            message<actors::lease_over>,
                            message<actors::lease_converted>,
                            message<actors::confirm_denied>,
                            message<actors::take_over>,
                            message<actors::zone_over>,
                            message<actors::leader_is>,
                            message<actors::lead_heartbeat>,
                            message<actors::follow_lease>,
                            message<actors::follow_trip>,
                            message<actors::catch_up>,
                            message<actors::lease_in_doubt>,
                            message<actors::revoke>,
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
                            timer<actors::lease_due>,
                            timer<actors::sweep_due>,
                            timer<actors::checkpoint_due>,
                            timer<actors::claim_due>,
                            timer<actors::zone_due>,
                            timer<actors::heartbeat_due>,
                            timer<actors::leader_silent>,
                            lapse>;

using turn = messages::turn<action>;

}  // namespace dibs::lease
