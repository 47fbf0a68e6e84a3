/// How many messages of each kind that are about no ride have been sent from node to node: what
/// tells the network's draws for one heartbeat from those for the next, whatever other nodes do.
#pragma once

#include "base/ids.hpp"

#include <cstdint>
#include <map>
#include <tuple>

namespace dibs::actors::runtime {

class link_tally {
 public:
  /// How many messages of this kind went this way before this one; counts it.
  std::uint32_t count(node_id from, node_id to, std::uint16_t kind) {
    return counts_[{from.packed, to.packed, kind}]++;
  }

 private:
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint16_t>, std::uint32_t> counts_;
};

}  // namespace dibs::actors::runtime
