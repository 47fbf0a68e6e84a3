/// Points of a plan, run by whoever works on the study: see work/shared_study.hpp.
#pragma once

#include "base/result.hpp"
#include "results/run_record.hpp"
#include "sweep/experiment.hpp"
#include "sweep/plan.hpp"
#include "work/shared_study.hpp"

#include <cstdint>
#include <functional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace dibs::sweep {

/// What other processes have to know of a plan. `metrics`: what is measured in each run; those of
/// the catalogue are measured in any case.
[[nodiscard]] work::study study_of(const plan& p,
                                   const std::vector<std::string>& metrics,
                                   const results::build_info& b);

[[nodiscard]] std::vector<work::point> points_of(const plan& p);

/// `run_rest` of runner.hpp for a study that is shared. Errors: as `work::shared_study::run`.
[[nodiscard]] result<void> run_rest_shared(
    const plan& p,
    std::span<const std::uint32_t> replications,
    const std::set<std::pair<std::uint32_t, std::uint32_t>>& finished,
    work::shared_study& shared,
    const std::function<result<void>(const results::run_record&)>& keep,
    const work::counter& count);

/// What one run came to in these metrics.
[[nodiscard]] run_sample sample_of(const work::outcome& o, const std::vector<std::string>& metrics);

}  // namespace dibs::sweep
