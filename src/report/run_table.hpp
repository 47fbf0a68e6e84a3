/// The figures of `metrics.json` as tables for papers (Markdown) and programs (CSV).
#pragma once

#include "base/result.hpp"
#include "history/batch_means.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace dibs::report {

/// Out of what an interval of a single run comes, as `intervals_95` says it.
inline constexpr const char* of_batches = "stretches";

/// Which figures of a single run have no interval, and why, in a sentence.
[[nodiscard]] std::string why_none();

/// What a `metrics.json` holds. Errors (exit 3): it is none.
[[nodiscard]] result<nlohmann::ordered_json> read_figures(std::string_view metrics_json);

/// Of a single run: intervals out of stretches of it, for figures that have none of their own.
void add_batches(nlohmann::ordered_json& figures, const history::half_widths& within);

/// Both harms, service and bounds. `figures`: from `read_figures`.
[[nodiscard]] std::string markdown_of_run(const nlohmann::ordered_json& figures);

/// `formats::run_table`: a row for each figure, with the ends of its 95 % interval where there is
/// one, and out of what that comes: `seeds`, or `stretches` of one run.
[[nodiscard]] std::string csv_of_run(const nlohmann::ordered_json& figures);

/// Runs side by side: the figures of `headlines_or`, or all. `runs`: of each its `directory`, as
/// the user typed it, and its `metrics`, from `read_figures`.
[[nodiscard]] std::string markdown_of_runs(const nlohmann::ordered_json& runs,
                                           const std::vector<std::string>& metrics = {});
[[nodiscard]] std::string csv_of_runs(const nlohmann::ordered_json& runs);

}  // namespace dibs::report
