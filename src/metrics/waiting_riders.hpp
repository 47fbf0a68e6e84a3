/// Which riders wait: without a live offer and without a driver.
#pragma once

#include "base/block_table.hpp"
#include "base/ids.hpp"
#include "base/time_interval.hpp"
#include "metrics/spells.hpp"

#include <cstdint>

namespace dibs::metrics {

struct wait_spell {
  time_interval when;
  ride_id ride;
};

class waiting_riders {
 public:
  /// `is_followed`: somebody follows the spells.
  waiting_riders(const time_interval& window, bool is_followed)
      : window_(window), spells_(is_followed) {}

  /// Requires: not waiting.
  void ride_waits(ride_id r, sim_time now);
  /// Nothing if the ride does not wait.
  void ride_stops(ride_id r, sim_time now);

  /// Closes what is open.
  void finish(sim_time end);

  [[nodiscard]] std::uint32_t count() const { return count_; }
  [[nodiscard]] bool is_waiting(ride_id r) const {
    return r.value < open_.size() && open_[r.value] != 0;
  }
  /// Rider time in the window.
  [[nodiscard]] wide_ns total() const { return total_; }
  [[nodiscard]] spell_log<wait_spell>& spells() { return spells_; }
  [[nodiscard]] const spell_log<wait_spell>& spells() const { return spells_; }

 private:
  time_interval window_;
  spell_log<wait_spell> spells_;
  block_table<std::uint32_t> open_;  ///< by ride: its open spell, from 1; 0: none
  wide_ns total_ = 0;
  std::uint32_t count_ = 0;
};

}  // namespace dibs::metrics
