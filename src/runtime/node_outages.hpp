/// Which nodes are paused or down. A pause holds messages back until it ends; a crash drops them.
///
/// Only kinds of nodes that some fault may hit are kept here; for all others a look costs one test.
/// Where outages of one node overlap, a crash counts before a pause, and the longer of two alike.
#pragma once

#include "base/ids.hpp"
#include "runtime/event.hpp"
#include "sim/faults.hpp"

#include <tsl/hopscotch_map.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace dibs::runtime {

/// A timer that was set for a node whose life its setter could not see is good in any.
inline constexpr std::uint32_t any_life = UINT32_MAX;

class node_outages {
 public:
  enum class state : std::uint8_t { open, paused, crashed };

  /// Some node of this kind may be struck. Required before any is.
  void expect(node_kind kind) { gated_[static_cast<std::size_t>(kind)] = true; }

  [[nodiscard]] state of(node_id n) const {
    const gate* g = find(n);
    return g == nullptr ? state::open : g->now;
  }

  /// Which life of the node this is: one more after each crash.
  [[nodiscard]] std::uint32_t life(node_id n) const {
    const gate* g = find(n);
    return g == nullptr ? 0 : g->life;
  }

  /// False if the node was out of action already: then it stays so for at least as long.
  bool pause(node_id n, sim_time until) {
    gate& g = get(n);
    if (g.now == state::crashed) {
      return false;
    }
    return enter(g, state::paused, until);
  }

  /// Shuts the gate, and moves what a pause had held back, and is lost, to `lost`, oldest first.
  /// False if the node was down already.
  bool crash(node_id n, sim_time until, std::vector<event>& lost) {
    gate& g = get(n);
    if (!enter(g, state::crashed, until)) {
      return false;
    }
    ++g.life;
    lost = std::exchange(g.held, {});
    return true;
  }

  /// Whether an outage of this kind, due to end at `now`, is what keeps the gate shut.
  [[nodiscard]] bool is_over(node_id n, state which, sim_time now) const {
    const gate* g = find(n);
    return g != nullptr && g->now == which && g->until <= now;
  }

  /// Opens the gate; what was held back, oldest first.
  [[nodiscard]] std::vector<event> open(node_id n) {
    gate& g = get(n);
    g.now = state::open;
    return std::exchange(g.held, {});
  }

  void hold(const event& e) { get(e.to).held.push_back(e); }

 private:
  struct gate {
    state now = state::open;
    std::uint32_t life = 0;
    sim_time until{};
    std::vector<event> held;
  };

  static bool enter(gate& g, state which, sim_time until) {
    const bool is_new = g.now != which;
    g.until = is_new ? until : std::max(g.until, until);
    g.now = which;
    return is_new;
  }

  [[nodiscard]] const gate* find(node_id n) const {
    if (!gated_[static_cast<std::size_t>(n.kind())]) {
      return nullptr;
    }
    const auto found = gates_.find(n.packed);
    return found == gates_.end() ? nullptr : &found->second;
  }

  gate& get(node_id n) { return gates_[n.packed]; }

  std::array<bool, node_kinds> gated_{};
  tsl::hopscotch_map<std::uint32_t, gate> gates_;
};

}  // namespace dibs::runtime
