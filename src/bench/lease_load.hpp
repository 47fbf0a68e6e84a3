/// The lease manager's actor under load: how many requests a second it answers, live.
///
/// Clients in the matchers' place ask it for leases of drivers at random, each with so many
/// requests under way, over links that take no time. A quarter of the leases is confirmed, and the
/// trip over at once; half are given back; the rest run out. Nobody drives, rides or matches: what
/// is left is the manager, its clients, CAF's mailboxes, and the timers and the record that every
/// live run has.
#pragma once

#include "base/result.hpp"
#include "bench/spread.hpp"

#include <atomic>
#include <cstdint>

namespace dibs::bench {

struct load_options {
  std::uint32_t drivers = 10'000;
  std::uint32_t clients = 4;
  std::uint32_t in_flight = 128;  ///< of each client
  std::uint32_t threads = 2;      ///< of the scheduler
  double seconds = 1;             ///< measured, after a fifth of it to warm up
  double speed = 100;             ///< a lease of 15 s runs out after 0.15 s
  std::uint32_t repeats = 5;
  const std::atomic<bool>* stop = nullptr;
};

struct load_result {
  std::uint32_t drivers = 0;
  spread answers_per_s;        ///< requests answered a second: leases, confirms, releases
  std::uint64_t requests = 0;  ///< answered, over all measurements
  std::uint64_t denied = 0;    ///< of them: somebody had the driver
  std::uint64_t ran_out = 0;   ///< leases that ended by their timer
};

/// Requires: nothing that is asked for is 0. Errors: the run was stopped before it measured.
[[nodiscard]] result<load_result> lease_load(const load_options& o);

}  // namespace dibs::bench
