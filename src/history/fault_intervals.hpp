/// The faults of a scenario and when each was in force, for the bands of a drawing: nodes that were
/// paused or down, links that were cut or slow, clocks that were wrong, faults that had a trigger.
#pragma once

#include "history/indexed_run.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dibs::history {

enum class fault_form : std::uint8_t {
  outage,  ///< of a node
  link,    ///< between nodes
  clock,   ///< of a node
  armed,   ///< a fault that waits for its trigger
};

/// `outage`, `link`, `clock` or `armed`.
[[nodiscard]] std::string_view name_of(fault_form f);

struct fault_interval {
  std::string what;    ///< crash, pause, partition, slow link, clock off, clock step, ...
  std::string who;     ///< `matcher/3`, or `matcher/1 - lease_manager`; `->` if one way alone
  time_interval when;  ///< an instant if it is empty
  fault_form form = fault_form::outage;
  std::string detail{};           ///< `40 % of the messages`; may be empty
  std::vector<std::string> on{};  ///< `matcher/1`, `driver/*`: the lanes on which it is drawn
};

/// Crashes and pauses as the events tell them, the others as the scenario does; by their begin.
[[nodiscard]] std::vector<fault_interval> fault_bands(const recorded_run& h);

/// One character for what it is, the same in every drawing.
[[nodiscard]] std::string_view sign_of(const fault_interval& f);

/// Whether it is drawn on the lane of this node.
[[nodiscard]] bool lies_on(const fault_interval& f, node_id node);

}  // namespace dibs::history
