/// What a run was held to: the promises of its protocol, and the bounds of its scenario.
#pragma once

#include "results/assessment.hpp"
#include "results/run_results.hpp"
#include "text/terminal.hpp"

#include <string>
#include <vector>

namespace dibs::report {

/// Lines of text, without newlines: how many promises were kept, and each that was broken.
[[nodiscard]] std::vector<std::string> promises(const results::account& a, const text::look& l);

/// The bounds of one kind, what was missed first; no lines where there are none.
[[nodiscard]] std::vector<std::string> bounds(const results::account& a,
                                              const std::vector<results::verdict>& verdicts,
                                              results::bound_kind kind,
                                              const text::look& l);

}  // namespace dibs::report
