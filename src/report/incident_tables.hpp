/// The survival table, for people and for programs.
#pragma once

#include "incidents/incident_runs.hpp"
#include "report/figure_choice.hpp"
#include "text/table.hpp"

#include <nlohmann/json_fwd.hpp>

#include <span>
#include <string>

namespace dibs::report {

/// Rows and columns, and under them in how many incidents each protocol breaks; if asked for, what
/// was worse of all metrics, or of those that are named. Lines of at most `width` columns.
[[nodiscard]] std::string as_text(std::span<const incidents::incident_row> rows,
                                  int width,
                                  const figure_choice& shown);
/// One table: `breaks double.commits 3.2 (0)`: the mean of a run with the cause, and without.
[[nodiscard]] std::string as_markdown(std::span<const incidents::incident_row> rows);
/// `formats::survival_table`: a line for each incident, protocol and metric that was looked at.
[[nodiscard]] std::string as_csv(std::span<const incidents::incident_row> rows);
[[nodiscard]] std::string as_json(std::span<const incidents::incident_row> rows);
[[nodiscard]] nlohmann::ordered_json json_of(std::span<const incidents::incident_row> rows);

/// The same tables of what `as_json` printed, perhaps long ago. Requires: at least one row.
[[nodiscard]] std::string markdown_of(const nlohmann::ordered_json& rows,
                                      text::emphasis of_metrics);
[[nodiscard]] std::string csv_of(const nlohmann::ordered_json& rows);

}  // namespace dibs::report
