/// The two harms side by side: double assignment, where the lease was too weak, and supply hiding,
/// where it was too strong.
#pragma once

#include "results/metric_estimates.hpp"
#include "text/terminal.hpp"

#include <string>
#include <vector>

namespace dibs::report {

/// Lines of text, without newlines.
[[nodiscard]] std::vector<std::string> harms(const results::metric_estimates& f,
                                             const text::terminal_style& l);

/// A figure with its interval, if it has one: `1.21 ± 0.08 %`.
[[nodiscard]] std::string shown(const results::metric_estimate& f, const text::terminal_style& l);

}  // namespace dibs::report
