/// The worst case of a scenario's clocks, links and faults: how far clocks may be off, how long a
/// message between two kinds of nodes may take, when the last fault is over.
///
/// All of it is known before the run. Where it is not exact it is too bad rather than too good, so
/// that no checker blames a protocol for conditions that it did not promise to withstand.
#pragma once

#include "base/ids.hpp"
#include "base/time.hpp"
#include "scenario/scenario.hpp"

#include <initializer_list>
#include <optional>
#include <string_view>
#include <vector>

namespace dibs::engine {

/// Their sum; `forever` if that is beyond all time.
[[nodiscard]] sim_duration sum(std::initializer_list<sim_duration> parts);

/// That many times as long, rounded up; `forever` if that is beyond all time.
[[nodiscard]] sim_duration times(sim_duration length, double factor);

/// The longest that a draw can be; `forever` if there is no such bound.
[[nodiscard]] sim_duration longest_of(const distribution& d);

/// How long a message may take on this link, faults aside, if it is not lost.
[[nodiscard]] sim_duration longest_on(const scenario::link_options& l);

/// Requires: the scenario outlives it.
class worst_case {
 public:
  explicit worst_case(const scenario::scenario& s) : of_(s) {}

  /// How much faster or slower than true time the timers of a kind of nodes may run, either way;
  /// infinity if there is no bound, as for timers on a wall clock that is set.
  [[nodiscard]] double drift_ppm(node_kind kind) const;
  /// How far the wall clocks of a kind of nodes may be from true time during the run.
  [[nodiscard]] sim_duration skew(node_kind kind) const;

  /// How long a message may take from a node of one kind to one of another, if it is not lost.
  /// Faults that delay one message count if it is among `messages`, or if there are none.
  [[nodiscard]] sim_duration delay(node_kind from,
                                   node_kind to,
                                   const std::vector<std::string_view>& words = {}) const;
  /// The same where a message that may be lost is late for ever.
  [[nodiscard]] sim_duration sure_delay(node_kind from, node_kind to) const;
  /// Whether every message between the two kinds arrives exactly once, links being up.
  [[nodiscard]] bool is_exact(node_kind a, node_kind b) const;
  /// Whether some, or all, messages between the two kinds may be cut off for a while.
  [[nodiscard]] bool may_be_cut(node_kind a, node_kind b) const;

  /// When the last partition or slowdown is over, none of which the events tell of.
  [[nodiscard]] sim_duration links_well() const;
  /// The longest pause of a node of this kind.
  [[nodiscard]] sim_duration pause(node_kind kind) const;
  [[nodiscard]] bool may_crash(node_kind kind) const;
  /// How long a lease that has run out may stand. Absent: for ever. A manager that is down cleans
  /// up when it is back; after a crash its sweeps begin anew, so one of them comes late.
  [[nodiscard]] std::optional<sim_duration> overstay() const;

 private:
  const scenario::scenario& of_;
};

}  // namespace dibs::engine
