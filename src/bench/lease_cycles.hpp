/// The lease machine alone: cycles of acquire, confirm and expire over random drivers, with the
/// queue of expiries that a manager needs.
#pragma once

#include "bench/spread.hpp"

#include <atomic>
#include <cstdint>

namespace dibs::bench {

struct cycles_result {
  std::uint32_t drivers = 0;
  std::uint64_t operations = 0;  ///< of one measurement
  spread ns_per_operation;
};

/// `operations` at least, `repeats` times, or as often as it came to until `stop` was set, once at
/// least. Requires: all above 0.
[[nodiscard]] cycles_result lease_cycles(std::uint32_t drivers,
                                         std::uint64_t operations,
                                         std::uint32_t repeats,
                                         const std::atomic<bool>* stop = nullptr);

}  // namespace dibs::bench
