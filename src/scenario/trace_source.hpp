/// The map and the files of traces and matrices that a scenario names, as the world reads them: one
/// reading for whoever checks a scenario and for whoever runs it.
///
/// Draws nothing. Rows that a scenario holds already are not read again.
#pragma once

#include "base/result.hpp"
#include "scenario/scenario.hpp"
#include "world/geography.hpp"
#include "world/od_matrix.hpp"
#include "world/trace.hpp"

#include <cstddef>
#include <filesystem>
#include <memory>
#include <vector>

namespace dibs::scenario {

/// Requires: bounds that the rules accept.
[[nodiscard]] world::geography map_of(const world_options& w);

[[nodiscard]] rows_read::question question_of(const scenario& s, const trace_demand& source);
[[nodiscard]] rows_read::question question_of(const scenario& s, const matrix_demand& source);

/// What a source reads, below `s.folder`: its own file, and that of its zones.
[[nodiscard]] std::vector<std::filesystem::path> files_of(const demand_source& source);

/// How much is held of a file: rows, or pairs and their rates.
[[nodiscard]] std::size_t size_of(const rows_read& held);

/// The rows of a source's file, below `s.folder`: those that `s` holds, else read now. Errors: as
/// `world::read_trace`, with file and line.
[[nodiscard]] result<std::shared_ptr<const world::trace>> rows_of(const scenario& s,
                                                                  const trace_demand& source,
                                                                  const world::geography& map);

/// As `rows_of`. Errors: as `world::read_matrix`.
[[nodiscard]] result<std::shared_ptr<const world::od_matrix>> matrix_of(
    const scenario& s, const matrix_demand& source, const world::geography& map);

}  // namespace dibs::scenario
