/// How many messages of each kind have been sent about each ride: what tells the network's draws
/// for one message from those for the next, without anything that differs between protocols (no
/// token, no global count).
///
/// A ride's counts fill one line of the cache, since a large run has millions of rides: they are
/// those of the kinds that came first. Nearly no ride meets so many kinds that some are left over.
#pragma once

#include "actors/messages.hpp"
#include "base/block_table.hpp"
#include "base/ids.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>

namespace dibs::actors::runtime {

class tally {
 public:
  /// How many messages of this kind about this ride came before this one; counts it. Kinds beyond
  /// the messages (acknowledgements) are counted together. Starts again after 65,536.
  std::uint32_t count(ride_id ride, std::uint16_t kind) {
    while (ride.value >= rides_.size()) {
      rides_.push_back({});
    }
    kind = std::min(kind, std::uint16_t{all_messages::size});
    for (entry& one : rides_[ride.value].counts) {
      if (one.kind == no_kind) {
        one.kind = kind;
      }
      if (one.kind == kind) {
        return one.count++;
      }
    }
    return left_over_[{ride, kind}]++;
  }

 private:
  static constexpr std::uint16_t no_kind = UINT16_MAX;

  struct entry {
    std::uint16_t kind = no_kind;
    std::uint16_t count = 0;
  };
  struct alignas(64) line {
    std::array<entry, 16> counts;
  };

  block_table<line> rides_;
  std::map<std::pair<ride_id, std::uint16_t>, std::uint16_t> left_over_;
};

}  // namespace dibs::actors::runtime
