/// One entry of the run's total order: a message on its way, a timer, or an act of the simulation
/// itself. Plain data, one cache line.
#pragma once

#include "base/ids.hpp"
#include "base/time.hpp"
#include "messages/messages.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace dibs::runtime {

enum class role : std::uint8_t {
  message,   ///< over a link
  answer,    ///< the reply to a request, over a link
  timer,     ///< a node's own, on its clock; a crash voids it
  physical,  ///< of the world, in true time; no outage holds it up
  acknowledgement,
  repeat,  ///< the sender looks whether it must send once more
  pause,
  resume,
  crash,
  restart,
  foreign,  ///< an ordinary CAF timer or delayed message; `exchange` is its slot
};

struct event {
  sim_time due{};
  std::uint64_t order = 0;  ///< breaks ties: first scheduled, first served
  node_id to;
  node_id from;
  std::uint32_t exchange = 0;  ///< message: what an answer must name, 0 if none is awaited.
                               ///< timer: the life of the node in which it was set
  std::uint16_t number = 0;    ///< of the message
  runtime::role role{};
  bool leads = false;  ///< of a row: the same happens to the next node of its kind, right after it
  std::array<std::byte, 32> content{};

  template <class M>
  void put(const M& m) {
    static_assert(std::is_trivially_copyable_v<M> && sizeof(M) <= sizeof(content));
    number = messages::number_of<M>();
    std::memcpy(content.data(), &m, sizeof(M));
  }

  template <class M>
  [[nodiscard]] M get() const {
    M m;
    std::memcpy(&m, content.data(), sizeof(M));
    return m;
  }
};

static_assert(sizeof(event) == 64);

}  // namespace dibs::runtime
