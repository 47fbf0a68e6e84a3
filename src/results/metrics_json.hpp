/// `metrics.json`: everything that was measured and judged, for programs.
///
/// The same scenario, overrides and seed give the same bytes: no wall times, no paths, nothing of
/// the machine. Keys stand in a fixed order, numbers in the shortest form that reads back exactly.
#pragma once

#include "results/assessment.hpp"
#include "results/metric_estimates.hpp"
#include "results/run_results.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace dibs::results {

inline constexpr int metrics_schema = 1;

/// What `metrics.json` holds, and its text.
[[nodiscard]] nlohmann::ordered_json metrics_object(const run_results& a,
                                                    const metric_estimates& f,
                                                    const std::vector<bound_check>& verdicts);
[[nodiscard]] std::string metrics_json(const run_results& a,
                                       const metric_estimates& f,
                                       const std::vector<bound_check>& verdicts);

/// Where two such texts differ: `metrics.ttm.p95: 31.2 before, 31.4 now`; at most `lines_max`.
[[nodiscard]] std::vector<std::string> differences(const std::string& before,
                                                   const std::string& now,
                                                   std::size_t lines_max = 10);

}  // namespace dibs::results
