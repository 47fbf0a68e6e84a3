/// The summary that `dibs run` ends with: one screen, the two harms first, then service, then what
/// the run was held to, then what to look at.
///
/// Every figure comes from the metrics, shown by one function each, so it reads the same wherever
/// it appears. What scenarios say of themselves is escaped before it reaches a terminal.
#pragma once

#include "results/assessment.hpp"
#include "results/metric_estimates.hpp"
#include "results/run_results.hpp"
#include "text/terminal.hpp"

#include <string>
#include <vector>

namespace dibs::report {

/// `directory` is where the results are kept; empty if nowhere.
[[nodiscard]] std::string summary(const results::run_results& a,
                                  const results::metric_estimates& f,
                                  const std::vector<results::bound_check>& verdicts,
                                  const text::terminal_style& l,
                                  const std::string& directory);

}  // namespace dibs::report
