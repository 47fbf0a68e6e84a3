/// The lease manager and clients that keep it busy, alive: the manager as in every live run, on
/// CAF's scheduler and the real clock, and clients in the matchers' place.
///
/// With several shards each is a manager of its own, and a driver is of the shard that her number
/// says: what a city would gain by more managers than one, which a run does not have.
///
/// Each client keeps so many requests under way: it asks for leases of drivers at random, over
/// links that take no time; confirms a quarter of them, whose trips are over at once; gives half
/// back; and lets the rest run out. Nobody drives, rides or matches.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

namespace dibs::bench {

struct manager_load_options {
  std::uint32_t drivers = 10'000;
  std::uint32_t clients = 4;
  std::uint32_t in_flight = 128;  ///< of each client
  std::uint32_t threads = 2;      ///< of the scheduler
  std::uint32_t shards = 1;       ///< managers, each with the leases of its own drivers
  double speed = 100;             ///< a lease of 15 s runs out after 0.15 s
};

/// What the clients have seen so far.
struct manager_load_seen {
  std::uint64_t answered = 0;  ///< acquires, confirms and releases
  std::uint64_t denied = 0;    ///< of them: somebody had the driver
  std::uint64_t ran_out = 0;   ///< leases that ended by their timer
};

class manager_load {
 public:
  /// Begins to work. Requires: nothing that is asked for is 0.
  explicit manager_load(const manager_load_options& o);
  ~manager_load();
  manager_load(const manager_load&) = delete;
  manager_load& operator=(const manager_load&) = delete;

  /// Lets it work for so many seconds, and forgets what it records. False if stopped.
  bool work(double seconds, const std::atomic<bool>* stop);

  [[nodiscard]] manager_load_seen seen() const;

 private:
  class works;
  std::unique_ptr<works> works_;
};

}  // namespace dibs::bench
