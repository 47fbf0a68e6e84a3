/// When a fault strikes that waits for something to happen, as data: a step in the life of a ride,
/// or a message on a link. What is done then is the fault's own matter (`faults.hpp`); `watch.hpp`
/// counts the occasions.
#pragma once

#include "base/ids.hpp"
#include "base/time.hpp"
#include "sim/node_pattern.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace dibs::sim {

/// Where a matcher can be stopped while it serves a ride: each lies between two things that it
/// does, and what it knew before may no longer be so after.
enum class life_step : std::uint8_t {
  after_pick,     ///< a driver is picked; no lease is asked for, no offer sent
  after_grant,    ///< the lease is there; the offer is not sent
  after_offer,    ///< the offer is sent; the matcher has done nothing else
  after_accept,   ///< she has accepted and the holder has judged its lease; nobody is told
  after_confirm,  ///< the lease manager has confirmed; the write is not sent
  after_write,    ///< the ledger has taken the write; the rider is not told
};
inline constexpr int life_steps = 6;

/// The messages that travel over links, by the names that scenarios use. `any` is each of them;
/// `acknowledgement` is what a link with retries sends back for a message that has no answer.
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
                                                                       "zone_over"});

/// The position of a name in `message_words`, or nothing.
[[nodiscard]] std::optional<std::uint8_t> message_word(std::string_view name);
inline constexpr std::uint8_t any_message = 0;
inline constexpr std::uint8_t acknowledgement = 1;

/// What a fault waits for: a step or a message, and which of the occasions.
struct trigger {
  std::optional<life_step> step;        ///< exactly one of the two
  std::optional<std::uint8_t> message;  ///< a position in `message_words`
  std::optional<node_pattern> from;     ///< of the message; everyone if absent
  std::optional<node_pattern> to;
  std::optional<std::uint32_t> nth;    ///< this one alone, from 1, over the run
  std::optional<std::uint32_t> every;  ///< each so-many-th
  double share = 1;                    ///< of those that are left
  sim_duration since{};                ///< earlier ones do not count
  std::optional<sim_duration> until;   ///< nor do those from here on
};

}  // namespace dibs::sim
