/// Counts messages that are about no ride, such as heartbeats: by sender, receiver and kind. The
/// count is part of the key of the network's draws, so each heartbeat has draws of its own,
/// whatever other nodes do.
#pragma once

#include "base/ids.hpp"

#include <cstdint>
#include <map>
#include <tuple>

namespace dibs::runtime {

class link_message_count {
 public:
  /// How many messages of this kind went this way before this one; counts it.
  std::uint32_t count(node_id from, node_id to, std::uint16_t kind) {
    return counts_[{from.packed, to.packed, kind}]++;
  }

 private:
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint16_t>, std::uint32_t> counts_;
};

}  // namespace dibs::runtime
