/// The lease machine alone: cycles of acquire, confirm and expire over random drivers, with a timer
/// for each lease in the engine's own queue. What is asked of it is made beforehand.
#pragma once

#include "bench/live/repeats.hpp"

#include <atomic>
#include <cstdint>

namespace dibs::bench {

/// What was done, and how it ended.
struct operations {
  std::uint64_t granted = 0;
  std::uint64_t denied = 0;
  std::uint64_t confirmed = 0;
  std::uint64_t trips_ended = 0;
  std::uint64_t expired = 0;   ///< ended by their timer
  std::uint64_t too_late = 0;  ///< timers of leases that had been confirmed

  [[nodiscard]] std::uint64_t all() const {
    return granted + denied + confirmed + trips_ended + expired + too_late;
  }
  friend operations operator-(const operations& a, const operations& b) {
    return {a.granted - b.granted,
            a.denied - b.denied,
            a.confirmed - b.confirmed,
            a.trips_ended - b.trips_ended,
            a.expired - b.expired,
            a.too_late - b.too_late};
  }
};

struct cycles_result {
  std::uint32_t drivers = 0;
  operations did;  ///< in one measurement
  repeats_summary ns_per_operation;
  repeats_summary ns_of_timers;  ///< of it, with nobody to hear them; reading the commands included

  /// Everything by the leases that were granted.
  [[nodiscard]] double ns_per_lease() const {
    return ns_per_operation.median * static_cast<double>(did.all()) /
           static_cast<double>(did.granted);
  }
};

/// `how_many` operations at least, `repeats` times, or as often as it came to until `stop` was set,
/// once at least. Requires: all above 0.
[[nodiscard]] cycles_result lease_cycles(std::uint32_t drivers,
                                         std::uint64_t how_many,
                                         std::uint32_t repeats,
                                         const std::atomic<bool>* stop = nullptr);

}  // namespace dibs::bench
