/// What happened to the processes of a run, in the scenario's own words: a process that was cut off
/// is a partition, one that died is a crash of each of its nodes. Pure.
#pragma once

#include "processes/hub.hpp"
#include "scenario/scenario.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace dibs::processes {

/// What the manifest of such a run calls its case.
inline constexpr const char* kept_as = "nodes";

/// The matchers, drivers and riders of a process, where all of a kind are there by that. Riders
/// come and go, and only all of them have a name.
[[nodiscard]] std::vector<sim::node_pattern> nodes_at(std::uint32_t process,
                                                      const placement& who,
                                                      const scenario::scenario& s);

/// By process and time. Nobody who crashed comes back.
[[nodiscard]] std::vector<sim::fault> as_faults(const std::vector<process_account>& accounts,
                                                const placement& who,
                                                const scenario::scenario& s);

/// As an entry of `faults`: `{kind: crash, node: matcher/2, at: 12s, restart_after: 48s}`.
[[nodiscard]] std::string yaml_of(const sim::fault& f);

}  // namespace dibs::processes
