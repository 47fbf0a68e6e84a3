/// How many messages of each kind have been sent about each ride: what tells the network's draws
/// for one message from those for the next, without anything that differs between protocols (no
/// token, no global count).
#pragma once

#include "actors/messages.hpp"
#include "base/ids.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace dibs::actors::runtime {

class tally {
 public:
  /// How many messages of this kind about this ride came before this one; counts it. Kinds beyond
  /// the messages (acknowledgements) are counted together. Starts again after 65,536.
  std::uint32_t count(ride_id ride, std::uint16_t kind) {
    if (ride.value >= counts_.size()) {
      counts_.resize(std::max<std::size_t>(ride.value + std::size_t{1}, counts_.size() * 2));
    }
    return counts_[ride.value][std::min<std::size_t>(kind, all_messages::size)]++;
  }

 private:
  std::vector<std::array<std::uint16_t, all_messages::size + 1>> counts_;  ///< by ride
};

}  // namespace dibs::actors::runtime
