/// What a run was held to: the promises of its protocol, and the bounds of its scenario.
#pragma once

#include "results/assessment.hpp"
#include "results/run_results.hpp"
#include "text/terminal.hpp"

#include <string>
#include <vector>

namespace dibs::report {

/// Lines of text, without newlines: how many promises were kept, and each that was broken.
[[nodiscard]] std::vector<std::string> promises(const results::run_results& a,
                                                const text::terminal_style& l);

/// The bounds of one kind, what was missed first; no lines where there are none.
[[nodiscard]] std::vector<std::string> bounds(const results::run_results& a,
                                              const std::vector<results::bound_check>& verdicts,
                                              results::bound_source kind,
                                              const text::terminal_style& l);

}  // namespace dibs::report
