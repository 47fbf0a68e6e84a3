/// What riders got: matched rides, waiting times, offers, and the accepts that came to nothing.
#pragma once

#include "results/metric_estimates.hpp"
#include "text/terminal.hpp"

#include <string>
#include <vector>

namespace dibs::report {

/// Lines of text, without newlines.
[[nodiscard]] std::vector<std::string> service(const results::metric_estimates& f,
                                               const text::terminal_style& l);

}  // namespace dibs::report
