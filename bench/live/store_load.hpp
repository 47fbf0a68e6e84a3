/// How many leases a second a store gives, and how long each command takes: acquire a driver at
/// random, confirm, release, and again.
///
/// In a closed loop so many cycles are under way at any time. In an open one cycles begin at a
/// rate, whatever becomes of those before, and the time of a command counts from when it should
/// have been sent.
#pragma once

#include "base/result.hpp"
#include "bench/live/repeats.hpp"
#include "stats/histogram.hpp"
#include "store/address.hpp"

#include <atomic>
#include <cstdint>

namespace dibs::bench {

struct store_load_options {
  store::address where;  ///< `memory`: the lease machine, called directly, one command at a time
  std::uint32_t connections = 8;
  std::uint32_t in_flight = 256;  ///< cycles of the closed loop
  double rate = 0;                ///< cycles a second of the open loop; 0: closed
  std::uint32_t drivers = 10'000;
  double seconds = 1;  ///< measured, after a fifth of it to warm up
  std::uint32_t repeats = 5;
  bool is_scratch = false;  ///< no commit waits for a disk
  const std::atomic<bool>* stop = nullptr;
};

struct store_load_result {
  repeats_summary answers_per_s;
  stats::histogram took;      ///< from a command to its answer, over all measurements
  std::uint64_t answers = 0;  ///< here and below too
  std::uint64_t denied = 0;
  std::uint64_t lost = 0;
  std::uint64_t granted_twice = 0;  ///< while another cycle had the driver
  std::uint64_t tokens_fell = 0;    ///< no greater than the driver's last one
  bool is_overloaded = false;       ///< the open loop fell behind by more than `in_flight` cycles

  [[nodiscard]] bool kept() const { return granted_twice == 0 && tokens_fell == 0; }
};

/// Errors: as `store::client::connect`, or it was stopped before anything was measured.
[[nodiscard]] result<store_load_result> store_load(const store_load_options& o);

}  // namespace dibs::bench
