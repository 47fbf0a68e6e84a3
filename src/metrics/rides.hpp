/// The record of one ride, as the events tell it.
#pragma once

#include "base/block_table.hpp"
#include "base/point.hpp"
#include "base/time_interval.hpp"
#include "metrics/tries.hpp"

#include <cstdint>

namespace dibs::metrics {

struct ride_record {
  point origin;
  sim_time requested = never;
  sim_time gone = never;          ///< abandoned or cancelled
  sim_time first_commit = never;  ///< while the ride was wanted
  sim_duration pickup{-1};        ///< from commit to pick-up; negative before
  try_index latest = no_try;      ///< the earlier ones are linked
  std::uint32_t live = 0;         ///< leases, or offers without a lease, under way
  std::uint32_t offers = 0;
  bool abandoned = false;
  bool committed = false;  ///< wanted or not
  /// Committed to it and not called off; a trip that is over counts.
  std::uint16_t drivers = 0;

  /// Whether it has a use for a yes.
  [[nodiscard]] bool is_wanted() const { return gone == never && drivers == 0; }
  [[nodiscard]] bool is_waiting() const {
    return requested != never && gone == never && first_commit == never && live == 0;
  }
};

/// By ride.
using ride_list = block_table<ride_record>;

}  // namespace dibs::metrics
