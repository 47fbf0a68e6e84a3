/// A run as one picture (SVG): the two harms, supply under leases over time, and the swim-lanes of
/// its most instructive breach. For papers, dashboards and a README: no script, no font of its own.
#pragma once

#include "history/indexed_run.hpp"

#include <string>
#include <vector>

namespace dibs::pages {

/// `shown`: metrics in place of the two harms, if any.
[[nodiscard]] std::string run_svg(const history::indexed_run& c,
                                  const std::vector<std::string>& shown = {});

}  // namespace dibs::pages
