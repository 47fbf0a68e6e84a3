/// What a study says, in one to three sentences that can be repeated without its tables.
#pragma once

#include "incidents/incident_runs.hpp"
#include "results/assessment.hpp"
#include "results/metric_estimates.hpp"
#include "results/run_results.hpp"
#include "sweep/comparison.hpp"
#include "sweep/region.hpp"
#include "tune/tuning_result.hpp"

#include <span>
#include <string>
#include <vector>

namespace dibs::report {

/// How often drivers were promised twice, how much of their time was hidden for nothing, how many
/// riders were matched; then whether promises were kept and bounds met. Empty where no ride was
/// asked for.
[[nodiscard]] std::string verdict_of(const results::run_results& a,
                                     const results::metric_estimates& f,
                                     const std::vector<results::bound_check>& bounds);

/// In which of the two harms and of what riders get B is better, in which worse, and in which no
/// difference is seen: of the figures of `headlines` that differ.
[[nodiscard]] std::string verdict_of(const sweep::comparison& c);

/// Whether to keep today's value, and from where on outwards other values are worse, by the ends of
/// their 95 % intervals, or out.
[[nodiscard]] std::string verdict_of(const tune::tuning& t);

/// In how many cells everything holds, and for which values of one field whatever the other is.
[[nodiscard]] std::string verdict_of(const sweep::region& r);

/// Which protocols break in the smallest share of the incidents that are decided, and which in the
/// greatest. Empty without rows.
[[nodiscard]] std::string verdict_of(std::span<const incidents::incident_row> rows);

}  // namespace dibs::report
