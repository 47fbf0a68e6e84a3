/// The survival table, for people and for programs.
#pragma once

#include "incidents/incident_runs.hpp"

#include <span>
#include <string>

namespace dibs::survive {

/// Rows and columns, and under them in how many incidents each protocol breaks, and what was worse.
/// Lines of at most `width` columns.
[[nodiscard]] std::string as_text(std::span<const row> rows, int width);
/// One table: `breaks double.commits 3.2 (0)`: the mean of a run with the cause, and without.
[[nodiscard]] std::string as_markdown(std::span<const row> rows);
/// A line for each incident, protocol and metric that was looked at, with the 95 % interval of
/// with_cause - without.
[[nodiscard]] std::string as_csv(std::span<const row> rows);
[[nodiscard]] std::string as_json(std::span<const row> rows);

}  // namespace dibs::survive
