/// The engine on the offer race, beside a bare loop over the same model, in one process and run.
#pragma once

#include "bench/live/repeats.hpp"

#include <atomic>
#include <cstdint>
#include <optional>

namespace dibs::bench {

/// Nanoseconds an event. The engine takes more events than the model has lines: trips, promises and
/// riders are told of what the loop's arrays simply hold.
struct race_result {
  std::uint32_t drivers = 0;
  double hours = 0;                  ///< of virtual time
  std::uint64_t events = 0;          ///< of one run of the engine
  std::uint64_t bare_events = 0;     ///< of one run of the loop
  std::uint64_t message_events = 0;  ///< of one run of the loop of messages
  repeats_summary watched;    ///< through the actors' cores, metrics and checkers on, one thread
  repeats_summary apart;      ///< the same, metrics and checkers on a thread of their own
  repeats_summary unwatched;  ///< the same, metrics and checkers off
  repeats_summary bare;       ///< one loop, one 4-ary heap, no actors
  repeats_summary bare_on_queue;  ///< the same loop on the engine's own queue
  // A loop of all the messages that the engine has, on its queue, with keyed draws:
  repeats_summary messages;       ///< which carry what their receivers need
  repeats_summary nodes;          ///< whose receivers remember what they must, as `unwatched`
  repeats_summary nodes_apart;    ///< and facts are read on a second thread, as `apart`
  repeats_summary nodes_watched;  ///< and facts are read on its own, as `watched`
  /// The process's peak less what it held before, metrics and checkers on; none if not known.
  std::optional<double> bytes_per_driver;
  double lease_ops_per_s = 0;  ///< acquires, confirms and releases, watched

  /// How many times as fast as the bare loop on a heap, event by event.
  [[nodiscard]] double ratio_of(const repeats_summary& one) const {
    return bare.median / one.median;
  }
  /// The same of `watched` in an hour of virtual time, whatever events it takes.
  [[nodiscard]] double hour_ratio() const {
    return ratio_of(watched) * static_cast<double>(bare_events) / static_cast<double>(events);
  }
  /// How many times as fast as the bare loop on the engine's own queue.
  [[nodiscard]] double queue_ratio_of(const repeats_summary& one) const {
    return bare_on_queue.median / one.median;
  }
};

/// Runs the nine in turn, `repeats` times, over so much virtual time. Nothing once `stop` is set
/// and no turn is whole; else of the turns that are. Requires: all above 0.
[[nodiscard]] std::optional<race_result> race(std::uint32_t drivers,
                                              double hours,
                                              std::uint32_t repeats,
                                              const std::atomic<bool>* stop = nullptr);

}  // namespace dibs::bench
