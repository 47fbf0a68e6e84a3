/// Who is in action: a pause holds back what reaches a node, a crash drops it.
///
/// Only nodes that some outage names have a gate; all others cost one test for their kind.
#pragma once

#include "actors/runtime/event.hpp"
#include "base/ids.hpp"
#include "sim/faults.hpp"

#include <tsl/hopscotch_map.h>

#include <array>
#include <cstdint>
#include <vector>

namespace dibs::actors::runtime {

class gates {
 public:
  enum class state : std::uint8_t { open, paused, crashed };

  explicit gates(const std::vector<sim::outage>& outages) {
    for (const sim::outage& o : outages) {
      gates_[o.node.packed];
      gated_[static_cast<std::size_t>(o.node.kind())] = true;
    }
  }

  [[nodiscard]] state of(node_id n) const {
    const gate* g = find(n);
    return g == nullptr ? state::open : g->now;
  }

  /// Which life of the node this is: one more after each crash.
  [[nodiscard]] std::uint32_t life(node_id n) const {
    const gate* g = find(n);
    return g == nullptr ? 0 : g->life;
  }

  /// Requires: some outage names `n` (here and below).
  void pause(node_id n) { get(n).now = state::paused; }

  /// Shuts the gate; what a pause had held back and is lost, oldest first.
  [[nodiscard]] std::vector<event> crash(node_id n) {
    gate& g = get(n);
    g.now = state::crashed;
    ++g.life;
    return std::exchange(g.held, {});
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
    std::vector<event> held;
  };

  [[nodiscard]] const gate* find(node_id n) const {
    if (!gated_[static_cast<std::size_t>(n.kind())]) {
      return nullptr;
    }
    const auto found = gates_.find(n.packed);
    return found == gates_.end() ? nullptr : &found->second;
  }

  gate& get(node_id n) { return gates_.find(n.packed).value(); }

  std::array<bool, node_kinds> gated_{};
  tsl::hopscotch_map<std::uint32_t, gate> gates_;
};

}  // namespace dibs::actors::runtime
