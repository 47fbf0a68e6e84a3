/// The engine on the offer race, beside a bare loop over the same model, in one process and run.
#pragma once

#include "bench/spread.hpp"

#include <cstdint>

namespace dibs::bench {

/// Nanoseconds an event.
struct race_result {
  std::uint32_t drivers = 0;
  std::uint64_t events = 0;     ///< of one run of the engine
  spread watched;               ///< through the actors' cores, metrics and checkers on, one thread
  spread apart;                 ///< the same, metrics and checkers on a thread of their own
  spread unwatched;             ///< the same, metrics and checkers off
  spread bare;                  ///< one loop, one 4-ary heap, no actors
  spread bare_on_queue;         ///< the same loop on the engine's own queue
  double bytes_per_driver = 0;  ///< the process's peak less what it held before; 0 if not known
  double lease_ops_per_s = 0;   ///< acquires, confirms and releases, watched

  /// How many times as fast as the bare loop.
  [[nodiscard]] double ratio() const { return bare.median / watched.median; }
  [[nodiscard]] double apart_ratio() const { return bare.median / apart.median; }
  [[nodiscard]] double unwatched_ratio() const { return bare.median / unwatched.median; }
  /// How many times as fast as the bare loop on the engine's own queue.
  [[nodiscard]] double queue_ratio() const { return bare_on_queue.median / watched.median; }
};

/// Runs the five in turn, `repeats` times, over so much virtual time. Requires: all above 0.
[[nodiscard]] race_result race(std::uint32_t drivers, double hours, std::uint32_t repeats);

}  // namespace dibs::bench
