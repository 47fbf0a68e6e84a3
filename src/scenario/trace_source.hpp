/// The map and the trace files that a scenario names, as the world reads them: one reading for
/// whoever checks a scenario and for whoever runs it.
///
/// Draws nothing. Rows that a scenario holds already are not read again.
#pragma once

#include "base/result.hpp"
#include "scenario/scenario.hpp"
#include "world/geography.hpp"
#include "world/trace.hpp"

#include <memory>

namespace dibs::scenario {

/// Requires: bounds that the rules accept.
[[nodiscard]] world::geography map_of(const world_options& w);

[[nodiscard]] rows_read::question question_of(const scenario& s, const trace_demand& source);

/// The rows of a source's file, below `s.folder`: those that `s` holds, else read now. Errors: as
/// `world::read_trace`, with file and line.
[[nodiscard]] result<std::shared_ptr<const world::trace>> rows_of(const scenario& s,
                                                                  const trace_demand& source,
                                                                  const world::geography& map);

}  // namespace dibs::scenario
