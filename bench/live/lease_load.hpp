/// The lease manager's actor under load: how many requests a second it answers, live. What is
/// measured is the manager, its clients, CAF's mailboxes, and the timers and the record that every
/// live run has.
#pragma once

#include "base/result.hpp"
#include "bench/live/manager_load.hpp"
#include "bench/live/repeats.hpp"

#include <atomic>
#include <cstdint>
#include <vector>

namespace dibs::bench {

struct load_options {
  manager_load_options load;
  std::vector<std::uint32_t> shards{1};  ///< measured in turns, in the place of `load.shards`
  double seconds = 1;                    ///< measured, after a fifth of it to warm up
  std::uint32_t repeats = 5;
  const std::atomic<bool>* stop = nullptr;
};

struct load_result {
  std::uint32_t drivers = 0;
  std::uint32_t shards = 0;
  repeats_summary answers_per_s;  ///< requests answered a second: leases, confirms, releases
  std::uint64_t requests = 0;     ///< answered, over all measurements
  std::uint64_t denied = 0;       ///< of them: somebody had the driver
  std::uint64_t ran_out = 0;      ///< leases that ended by their timer
};

/// A result for each number of shards. Requires: nothing that is asked for is 0. Errors: the run
/// was stopped before each was measured.
[[nodiscard]] result<std::vector<load_result>> lease_load(const load_options& o);

}  // namespace dibs::bench
