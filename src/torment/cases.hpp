/// The cases of `dibs torment`: which store, which rules, what strikes, and what must come of it.
#pragma once

#include "base/time.hpp"
#include "torment/faults.hpp"

#include <cstdint>
#include <span>
#include <string_view>

namespace dibs::torment {

enum class lease_kind : std::uint8_t {
  postgres,
  redis,
  redlock,  ///< a majority of five Redis servers
  queue,    ///< tasks in PostgreSQL, claimed with SKIP LOCKED
  etcd,     ///< a lock: a key on a lease of etcd's, there until it is given back or runs out
};

/// By what a matcher knows, before it writes, that its lease still stands.
enum class lease_judge : std::uint8_t {
  manager,  ///< it asks the store to confirm
  holder,   ///< its own clock
  nobody,   ///< it does not look
};

enum class server_clock : std::uint8_t {
  real,
  faked,  ///< PostgreSQL under libfaketime
  given,  ///< Redis is told the time with each command: libfaketime keeps it from starting
};

/// How a matcher spends its time: each is drawn evenly from zero or `_min` to this.
struct matcher_pace {
  sim_duration think_min{};
  sim_duration think_max{100ms};  ///< from the grant to the look at the lease
  sim_duration work_max{20ms};    ///< from the look to the write
  sim_duration trip_min{50ms};
  sim_duration trip_max{150ms};
  sim_duration before_next{5ms};  ///< after a try or a trip
};

struct real_case {
  std::string_view name{};
  std::string_view faults_text{};  ///< what strikes, in a few words
  std::string_view incident{};     ///< the shipped scenario with the same cause, if there is one
  lease_kind leases = lease_kind::postgres;
  lease_judge judge = lease_judge::manager;
  bool fence = true;  ///< at the ledger, which is always PostgreSQL
  bool breaks = false;
  std::string_view because{};  ///< why it breaks or holds, in a sentence
  std::uint32_t drivers = 12;
  sim_duration ttl{500ms};
  sim_duration margin{};  ///< a holder that judges by itself stops so long before the end
  matcher_pace pace{};
  bool renews = false;   ///< a thread keeps the lease alive until it is given back
  bool appends = false;  ///< Redis with an append-only file
  bool replica = false;  ///< a second Redis follows the first
  bool durable = true;   ///< else PostgreSQL's commits do not wait for the disk
  server_clock clock = server_clock::real;
  /// Each matcher process has a network of its own, and an interface that leads out of it.
  bool own_networks = false;
  fault_pattern pattern{};
  sim_duration length{5s};  ///< of a run, unless one asks for another
};

[[nodiscard]] std::span<const real_case> all_cases();

/// Null if there is none of this name.
[[nodiscard]] const real_case* find_case(std::string_view name);

/// How many Redis servers the case takes.
[[nodiscard]] std::uint32_t redis_servers(const real_case& c);
/// Whether PostgreSQL keeps the leases as well as the ledger.
[[nodiscard]] bool keeps_leases_in_postgres(const real_case& c);
/// Links that can be struck: one to each Redis server, else one from each matcher process.
[[nodiscard]] std::uint32_t link_count(const real_case& c);
/// Whether the store knows of trips, so that a driver on one is not given to others, however long
/// it takes.
[[nodiscard]] bool knows_trips(const real_case& c);

/// Matcher processes, and in each so many that work at once.
inline constexpr std::uint32_t matcher_processes = 3;
inline constexpr std::uint32_t lanes_each = 4;
inline constexpr std::uint32_t lanes_in_all = matcher_processes * lanes_each;

}  // namespace dibs::torment
