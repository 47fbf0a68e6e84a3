/// The conditions of a run for all its nodes: links, clocks and the plan of faults. Every node
/// reads them; nobody writes them once the run has begun.
#pragma once

#include "base/ids.hpp"
#include "base/time.hpp"
#include "sim/clocks.hpp"
#include "sim/faults.hpp"
#include "sim/network.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace dibs::runtime {

struct run_condition_options {
  std::uint64_t seed = 1;
  sim_time ends{};
  /// From here on every link is perfect and every clock right; what is under way arrives at once.
  /// The plan of faults is healed before it comes here.
  sim_time heals = sim_time::max();
  bool heals_to_ordinary = false;  ///< links lose nothing from then on, but take their time
  std::vector<sim::link_options> network;
  std::vector<sim::clock_error> clocks;
  sim::fault_plan faults;
  std::array<std::uint32_t, node_kinds> counts{};
  /// The numbers of messages and timers that a pause does not hold up: a thread of their own takes
  /// them.
  std::vector<std::uint16_t> heard_in_pauses{};
};

struct run_conditions {
  explicit run_conditions(const run_condition_options& options)
      : seed(options.seed),
        ends(options.ends),
        heals(options.heals),
        arrives_by(options.heals_to_ordinary ? sim_time::max() : options.heals),
        network(options.network, options.seed),
        healed_network(options.heals_to_ordinary ? sim::without_loss(options.network)
                                                 : std::vector<sim::link_options>(),
                       options.seed),
        clocks(options.clocks, options.counts, options.seed),
        plan(options.faults),
        heard_in_pauses(options.heard_in_pauses),
        is_calm(plan.cuts.empty() && plan.slowdowns.empty() && plan.triggered.empty()),
        counts_passages(
            !plan.slowdowns.empty() ||
            std::ranges::any_of(plan.cuts, [](const sim::cut& c) { return c.loss < 1; })) {
    if (heals != sim_time::max()) {
      clocks.heal(heals);
    }
  }

  std::uint64_t seed;
  sim_time ends;
  sim_time heals;
  sim_time arrives_by;  ///< what was sent before: at the latest
  sim::network network;
  sim::network healed_network;  ///< from `heals` on
  sim::clocks clocks;
  sim::fault_plan plan;
  std::vector<std::uint16_t> heard_in_pauses;
  [[nodiscard]] bool is_heard_in_pauses(std::uint16_t number) const {
    return std::ranges::find(heard_in_pauses, number) != heard_in_pauses.end();
  }

  bool is_calm;          ///< no fault ever meddles with a message
  bool counts_passages;  ///< some link may be cut in part, or slow
};

}  // namespace dibs::runtime
