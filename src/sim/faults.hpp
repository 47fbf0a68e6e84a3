/// Faults as data, and the plan of one run: who is down when, and which links are cut when.
///
/// A pause holds back all that reaches a node and delivers it in order at the end. A crash drops
/// what arrives and voids the node's timers and memory. A partition loses what is sent between two
/// groups of nodes. Random crashes are drawn ahead, keyed by node, so the plan is known before the
/// run begins.
#pragma once

#include "base/ids.hpp"
#include "base/time.hpp"
#include "sim/node_pattern.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace dibs::sim {

struct pause_fault {
  node_pattern node;
  sim_duration at{};
  sim_duration length{};
};

/// Either once, `at`, or at random, `rate_per_h` for each node that is up.
struct crash_fault {
  node_pattern node;
  std::optional<sim_duration> at;
  double rate_per_h = 0;
  sim_duration restart_after{};
};

struct partition_fault {
  std::array<node_pattern, 2> between;
  sim_duration at{};
  sim_duration length{};
};

struct fault {
  std::string id;
  std::variant<pause_fault, crash_fault, partition_fault> what;
};

enum class outage_kind : std::uint8_t { pause, crash };

/// One node is out of action during [from, until).
struct outage {
  node_id node;
  outage_kind kind{};
  sim_time from{};
  sim_time until{};
  bool into_crash = false;  ///< a pause that a crash cuts short
};

/// Messages between the two groups are lost during [from, until).
struct cut {
  std::array<node_pattern, 2> between;
  sim_time from{};
  sim_time until{};

  [[nodiscard]] bool severs(node_id a, node_id b) const {
    return (between[0].covers(a) && between[1].covers(b)) ||
           (between[0].covers(b) && between[1].covers(a));
  }
};

struct fault_plan {
  std::vector<outage> outages;  ///< by start, then node; outages of one node never overlap
  std::vector<cut> cuts;        ///< by start
};

/// Requires: `counts[kind]` nodes of each kind. Outages that start at or after `ends` are left out.
/// Where outages of one node overlap, crashes win: those that overlap are one, a pause ends where
/// a crash begins, and one that would begin during a crash begins with the restart, if it lasts
/// that long. Pauses that overlap are one.
[[nodiscard]] fault_plan plan_faults(const std::vector<fault>& faults,
                                     const std::array<std::uint32_t, node_kinds>& counts,
                                     sim_time ends,
                                     std::uint64_t seed);

}  // namespace dibs::sim
