/// The messages and timers of the offer race as the engine has it.
#pragma once

#include "bench/race/bare_loop.hpp"

#include <cstddef>
#include <cstdint>

namespace dibs::bench {

/// Named as in `messages/messages.hpp`; `come_to_work` is the end of a shift that nobody had.
enum class message_step : std::uint8_t {
  come_to_work,
  next_ride,
  appear,
  want_ride,
  acquire,
  lease_refused,
  lease_given,
  offer,
  answer_due,
  screen_over,
  confirm,
  release,
  answer_seen,
  lease_converted,
  lease_due,
  lease_over,
  try_over,
  withdraw_offer,
  release_seen,
  record_commit,
  drive,
  at_pickup,
  arrived,
  boarded,
  at_drop_off,
  dropped_off,
  trip_done,
  trip_closed,
  assigned,
  unserved,
  withdraw_ride,
};
inline constexpr std::size_t message_steps =
    static_cast<std::size_t>(message_step::withdraw_ride) + 1;

/// A line of the cache, as an event of the engine, which names its sender, what an answer to it
/// must name, and what it says.
using message_event = event_of<message_step, 64>;
static_assert(sizeof(message_event) == 64);

}  // namespace dibs::bench
