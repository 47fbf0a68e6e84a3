/// The messages that travel over links, by the names that scenarios and facts use.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace dibs::events {

/// `any` is each of them; `acknowledgement` is what a link with retries sends back for a message
/// that has no answer.
inline constexpr auto message_words = std::to_array<std::string_view>({"any",
                                                                       "acknowledgement",
                                                                       "want_ride",
                                                                       "withdraw_ride",
                                                                       "assigned",
                                                                       "unserved",
                                                                       "arrived",
                                                                       "boarded",
                                                                       "dropped_off",
                                                                       "acquire",
                                                                       "lease_given",
                                                                       "lease_refused",
                                                                       "lease_over",
                                                                       "confirm",
                                                                       "confirm_taken",
                                                                       "confirm_denied",
                                                                       "lease_converted",
                                                                       "release",
                                                                       "release_seen",
                                                                       "offer",
                                                                       "offer_answer",
                                                                       "answer_seen",
                                                                       "withdraw_offer",
                                                                       "write",
                                                                       "write_taken",
                                                                       "write_denied",
                                                                       "write_outcome",
                                                                       "raise_fence",
                                                                       "record_commit",
                                                                       "call_off",
                                                                       "trip_done",
                                                                       "trip_closed",
                                                                       "drive",
                                                                       "trip_off",
                                                                       "renew",
                                                                       "lease_extended",
                                                                       "renewal_denied",
                                                                       "greet",
                                                                       "phone_there",
                                                                       "sweep",
                                                                       "whose_trip",
                                                                       "follow_lease",
                                                                       "follow_trip",
                                                                       "lead_heartbeat",
                                                                       "leader_is",
                                                                       "ledger_leader_is",
                                                                       "catch_up",
                                                                       "revoke",
                                                                       "claim_ride",
                                                                       "claim_given",
                                                                       "claim_refused",
                                                                       "claim_done",
                                                                       "take_over",
                                                                       "claim_zone",
                                                                       "zone_given",
                                                                       "zone_refused",
                                                                       "zone_over",
                                                                       "lease_in_doubt"});

/// A position in `message_words`.
enum class message_kind : std::uint8_t {};

}  // namespace dibs::events
