/// The figures of `metrics.json` as tables for papers (Markdown) and programs (CSV).
#pragma once

#include "base/result.hpp"
#include "history/batch_means.hpp"

#include <nlohmann/json.hpp>

#include <string>

namespace dibs::report {

/// Out of what an interval of a single run comes, as `intervals_95` says it.
inline constexpr const char* of_batches = "stretches";

/// Which figures of a single run have no interval, and why, in a sentence.
[[nodiscard]] std::string why_none();

/// The text of a `metrics.json` with intervals, of a single run, out of stretches of it where it
/// has none of its own.
[[nodiscard]] std::string with_batches(const std::string& metrics_json,
                                       const history::half_widths& within);

/// Both harms, service and bounds. Errors (exit 3): not the text of a `metrics.json`.
[[nodiscard]] result<std::string> markdown_of(const std::string& metrics_json);

/// `metric,unit,value,low,high,interval`: a row for each figure, with the ends of its 95 % interval
/// where there is one, and out of what that comes: `seeds`, or `batches` of one run. Errors: as
/// above.
[[nodiscard]] result<std::string> csv_of(const std::string& metrics_json);

}  // namespace dibs::report
