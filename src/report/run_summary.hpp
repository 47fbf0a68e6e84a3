/// The summary that `dibs run` ends with: one screen, the two harms first, then service, then what
/// the run was held to, then what to look at.
///
/// Every figure comes from the metrics, shown by one function each, so it reads the same wherever
/// it appears. What scenarios say of themselves is escaped before it reaches a terminal.
#pragma once

#include "report/figure_choice.hpp"
#include "results/assessment.hpp"
#include "results/metric_estimates.hpp"
#include "results/run_results.hpp"
#include "text/terminal.hpp"

#include <string>
#include <vector>

namespace dibs::report {

/// `directory` is where the results are kept; empty if nowhere. With figures that are chosen, these
/// alone follow the verdict; with all, every figure stands below what is always there.
[[nodiscard]] std::string summary(const results::run_results& a,
                                  const results::metric_estimates& f,
                                  const std::vector<results::bound_check>& verdicts,
                                  const text::terminal_style& l,
                                  const std::string& directory,
                                  const figure_choice& shown = {});

}  // namespace dibs::report
