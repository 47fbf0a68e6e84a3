/// Chooses the harm that says most about a run. Pure.
#pragma once

#include "metrics/metrics.hpp"
#include "scenario/scenario.hpp"

#include <cstddef>
#include <vector>

namespace dibs::results {

/// Its place among the harms, which are the most severe first. That is the first one, but where the
/// scenario reproduces an incident and nobody was on two trips the first one of a kind that the
/// incident is measured by: who was hidden by leases that never end is told so, though somebody
/// also answered in vain. Requires: there are any.
[[nodiscard]] std::size_t headline_harm(const std::vector<metrics::harm_case>& harms,
                                        const scenario::incident_options& about);

}  // namespace dibs::results
