/// The map and the trace files that a scenario names, as the world reads them: one reading for
/// whoever checks a scenario and for whoever runs it.
///
/// Draws nothing and keeps nothing.
#pragma once

#include "base/result.hpp"
#include "scenario/scenario.hpp"
#include "world/geography.hpp"
#include "world/trace.hpp"

namespace dibs::scenario {

/// Requires: bounds that the rules accept.
[[nodiscard]] world::geography map_of(const world_options& w);

/// The rows of a source's file, below `s.folder`. Errors: as `world::read_trace`, with file and
/// line.
[[nodiscard]] result<world::trace> read_trace(const scenario& s,
                                              const trace_demand& source,
                                              const world::geography& map);

}  // namespace dibs::scenario
