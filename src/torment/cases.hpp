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
  sim_duration think_max{100ms};  ///< from the grant to the look at the lease
  sim_duration work_max{20ms};    ///< from the look to the write
  sim_duration trip_min{50ms};
  sim_duration trip_max{150ms};
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
  bool appends = false;  ///< Redis with an append-only file
  bool replica = false;  ///< a second Redis follows the first
  bool durable = true;   ///< else PostgreSQL's commits do not wait for the disk
  server_clock clock = server_clock::real;
  fault_pattern pattern{};
};

[[nodiscard]] std::span<const real_case> all_cases();

/// Null if there is none of this name.
[[nodiscard]] const real_case* find_case(std::string_view name);

/// How many Redis servers the case takes.
[[nodiscard]] std::uint32_t redis_servers(const real_case& c);

/// Matcher processes, and in each so many that work at once.
inline constexpr std::uint32_t matcher_processes = 3;
inline constexpr std::uint32_t lanes_each = 4;
inline constexpr std::uint32_t lanes_in_all = matcher_processes * lanes_each;

}  // namespace dibs::torment
