/// A trigger at work: sees every occasion of its kind in the order of the run, and takes some of
/// them: the n-th, each k-th, or a share.
///
/// Draws are keyed by the ride and by how many occasions it has had, so that a share takes the same
/// rides whatever else happens.
#pragma once

#include "base/ids.hpp"
#include "base/time.hpp"
#include "sim/triggers.hpp"

#include <tsl/hopscotch_map.h>

#include <cstddef>
#include <cstdint>

namespace dibs::sim {

/// A message as a trigger sees it.
struct sighting {
  std::uint8_t word = any_message;
  node_id from;
  node_id to;
};

/// Remembers how many occasions there were.
class watch {
 public:
  watch(const trigger& what, std::size_t entry, std::uint64_t seed)
      : what_(what), entry_(entry), seed_(seed) {}

  [[nodiscard]] bool sees(life_step step) const { return what_.step == step; }
  [[nodiscard]] bool sees(const sighting& message) const;

  /// Whether this occasion, about this ride, is one that the fault takes. Counts it.
  /// Requires: the trigger sees it.
  [[nodiscard]] bool takes(sim_time now, ride_id about);

  /// Whether it has taken any.
  [[nodiscard]] bool has_taken() const { return has_taken_; }

 private:
  [[nodiscard]] bool is_in_turn(ride_id about);

  trigger what_;
  std::size_t entry_;
  std::uint64_t seed_;
  std::uint64_t seen_ = 0;
  bool has_taken_ = false;
  tsl::hopscotch_map<std::uint32_t, std::uint32_t> seen_of_ride_;
};

}  // namespace dibs::sim
