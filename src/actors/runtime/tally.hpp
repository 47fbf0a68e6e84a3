/// How many messages of each kind about each ride have gone over each link: what tells the
/// network's draws for one message from those for the next, without anything that differs between
/// protocols (no token, no global count).
#pragma once

#include "base/ids.hpp"

#include <tsl/hopscotch_map.h>

#include <cstddef>
#include <cstdint>

namespace dibs::actors::runtime {

class tally {
 public:
  /// How many such messages came before this one; counts it.
  std::uint32_t count(node_id from, node_id to, ride_id ride, std::uint16_t kind) {
    return counts_[key{from.packed, to.packed, ride.value, kind}]++;
  }

 private:
  struct key {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    std::uint32_t ride = 0;
    std::uint32_t kind = 0;
    friend bool operator==(const key&, const key&) = default;
  };

  struct key_hash {
    std::size_t operator()(const key& k) const noexcept {
      const std::uint64_t ends = std::uint64_t{k.from} << 32 | k.to;
      const std::uint64_t topic = std::uint64_t{k.ride} << 32 | k.kind;
      const std::uint64_t mixed = (ends * 0x9e3779b97f4a7c15ULL) ^ (topic * 0xd6e8feb86659fd93ULL);
      return static_cast<std::size_t>(mixed ^ mixed >> 32);
    }
  };

  tsl::hopscotch_map<key, std::uint32_t, key_hash> counts_;
};

}  // namespace dibs::actors::runtime
