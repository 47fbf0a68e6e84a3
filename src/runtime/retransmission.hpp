/// Messages that await an acknowledgement, so that their senders can repeat them.
///
/// A note is acknowledged by the receiving node; a request by its answer. The receiver may see a
/// message twice (its acknowledgement was lost): at-least-once, as real senders give it.
#pragma once

#include "base/ids.hpp"
#include "runtime/event.hpp"
#include "sim/network.hpp"

#include <tsl/hopscotch_map.h>

#include <cstdint>

namespace dibs::runtime {

/// What a message is about, for the network's draws and for facts about its loss.
struct topic {
  std::uint16_t number = 0;
  ride_id ride;
  token_id token;
};

struct unacknowledged {
  event message;
  topic about;
  std::uint32_t repeats_left = 0;
  sim_duration every{};
  std::uint32_t life = 0;  ///< of the sender: a crash voids its repeats
  bool is_request = false;
};

class retransmissions {
 public:
  /// A number for a new exchange, never 0.
  std::uint32_t open(const unacknowledged& what) {
    const std::uint32_t number = ++last_ == 0 ? ++last_ : last_;
    open_.insert_or_assign(number, what);
    return number;
  }

  [[nodiscard]] unacknowledged* find(std::uint32_t number) {
    const auto found = open_.find(number);
    return found == open_.end() ? nullptr : &found.value();
  }

  /// False if it was not open (any more).
  bool close(std::uint32_t number) { return open_.erase(number) > 0; }

 private:
  tsl::hopscotch_map<std::uint32_t, unacknowledged> open_;
  std::uint32_t last_ = 0;
};

}  // namespace dibs::runtime
