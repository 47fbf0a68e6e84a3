/// When a fault strikes that waits for something to happen, as data: a step in the life of a ride,
/// or a message on a link. What is done then is the fault's own matter (`faults.hpp`);
/// `trigger_counter.hpp` counts the occasions.
#pragma once

#include "base/ids.hpp"
#include "base/time.hpp"
#include "events/message_names.hpp"
#include "sim/node_pattern.hpp"

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

using events::message_words;

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
