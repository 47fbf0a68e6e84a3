/// Faults as data, and the plan of one run: who is down when, which links are cut or slow when, and
/// what is done when something happens.
///
/// A pause holds back all that reaches a node and delivers it in order at the end. A crash drops
/// what arrives and voids the node's timers and memory. A partition loses what is sent between two
/// groups of nodes, a slowdown holds it up. Random instants are drawn ahead, keyed by node, so that
/// part of the plan is known before the run begins; the rest waits for its trigger.
#pragma once

#include "base/distribution.hpp"
#include "base/ids.hpp"
#include "base/time.hpp"
#include "sim/node_pattern.hpp"
#include "sim/triggers.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace dibs::sim {

/// A node stops: once, `at`, or at random, `rate_per_h` for each node, or `when` something happens.
/// Goes on after `length`, drawn anew each time; with `until_expiry` so long after (before, if
/// negative) the expiry of the lease that the trigger is about, and where that is over or there is
/// no lease, not at all.
struct pause_fault {
  node_pattern node;
  std::optional<sim_duration> at{};
  std::optional<distribution> length{};
  double rate_per_h = 0;
  std::optional<trigger> when{};
  std::optional<sim_duration> until_expiry{};
};

/// As a pause is timed; `rate_per_h` for each node that is up.
struct crash_fault {
  node_pattern node;
  std::optional<sim_duration> at{};
  double rate_per_h = 0;
  sim_duration restart_after{};
  std::optional<trigger> when{};
};

/// Messages between two groups are lost, or a share of them; both ways, or from the first group to
/// the second alone.
struct partition_fault {
  std::array<node_group, 2> between;
  sim_duration at{};
  sim_duration length{};
  bool both_ways = true;
  double loss = 1;
};

/// Messages between two groups take `factor` times as long, and `plus`.
struct slow_fault {
  std::array<node_group, 2> between;
  sim_duration at{};
  sim_duration length{};
  bool both_ways = true;
  double factor = 1;
  distribution plus = constant_duration{};
};

struct drop_fault {
  trigger when;
};

struct delay_fault {
  trigger when;
  distribution by = constant_duration{};
};

/// A second copy arrives so long after the first.
struct duplicate_fault {
  trigger when;
  distribution after = constant_duration{};
};

/// What a matcher does for the ride ends there with an error that nothing handles; it serves its
/// other rides on. With `gives_back` a last act returns the lease, as `finally` does.
struct throw_fault {
  trigger when;
  bool gives_back = false;
};

using fault_kind = std::variant<pause_fault,
                                crash_fault,
                                partition_fault,
                                slow_fault,
                                drop_fault,
                                delay_fault,
                                duplicate_fault,
                                throw_fault>;

struct fault {
  std::string id;
  fault_kind what;
};

/// What a fault waits for, or null: its instants are known ahead.
[[nodiscard]] const trigger* trigger_of(const fault& f);

enum class outage_kind : std::uint8_t { pause, crash };

/// One node is out of action during [from, until).
struct outage {
  node_id node;
  outage_kind kind{};
  sim_time from{};
  sim_time until{};
  bool into_crash = false;  ///< a pause that a crash cuts short
};

/// All nodes of a kind that are there at `from`, for those who come and go.
struct group_outage {
  node_pattern nodes;
  outage_kind kind{};
  sim_time from{};
  sim_time until{};
};

/// Between two groups, during [from, until).
struct stretch {
  std::array<node_group, 2> between;
  sim_time from{};
  sim_time until{};
  bool both_ways = true;
  std::size_t entry = 0;  ///< which of the faults

  [[nodiscard]] bool lies_on(node_id sender, node_id receiver) const {
    return (between[0].covers(sender) && between[1].covers(receiver)) ||
           (both_ways && between[0].covers(receiver) && between[1].covers(sender));
  }
  [[nodiscard]] bool is_on(sim_time t) const { return from <= t && t < until; }
};

/// Messages are lost.
struct cut : stretch {
  double loss = 1;
};

/// Messages take longer.
struct slowdown : stretch {
  double factor = 1;
  distribution plus = constant_duration{};
};

struct fault_plan {
  std::vector<outage> outages;  ///< by start, then node; outages of one node never overlap
  std::vector<group_outage> group_outages{};
  std::vector<cut> cuts;  ///< by start
  std::vector<slowdown> slowdowns;
  std::vector<fault> triggered;  ///< those that wait for something, as written
};

/// Requires: `counts[kind]` nodes of each kind. Outages that start at or after `ends` are left out.
/// Where outages of one node overlap, crashes win: those that overlap are one, a pause ends where
/// a crash begins, and one that would begin during a crash begins with the restart, if it lasts
/// that long. Pauses that overlap are one.
[[nodiscard]] fault_plan plan_faults(const std::vector<fault>& faults,
                                     const std::array<std::uint32_t, node_kinds>& counts,
                                     sim_time ends,
                                     std::uint64_t seed);

/// Nothing is struck, cut or slow from `t` on, and whoever is out of action is back at `t`.
void heal(fault_plan& plan, sim_time t);

}  // namespace dibs::sim
