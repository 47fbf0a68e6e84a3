/// What a message is about: its kind, its ride and its lease, read from any message alike.
#pragma once

#include "messages/messages.hpp"
#include "runtime/event.hpp"
#include "runtime/retransmission.hpp"

namespace dibs::runtime {

template <class M>
topic topic_of(const M& m) {
  topic about;
  about.number = messages::number_of<M>();
  if constexpr (requires { m.ride; }) {
    about.ride = m.ride;
  }
  if constexpr (requires { m.token; }) {
    about.token = m.token;
  }
  return about;
}

/// The same for the message that an event carries.
[[nodiscard]] topic topic_in(const event& e);

/// Whether a message of this number is acknowledged by its answer.
[[nodiscard]] bool awaits_answer(std::uint16_t number);

}  // namespace dibs::runtime
