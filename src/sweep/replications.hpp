/// Some replications of one scenario, from the k-th on, several at a time.
#pragma once

#include "base/result.hpp"
#include "engine/prepared_scenario.hpp"
#include "engine/run.hpp"
#include "scenario/scenario.hpp"

#include <cstdint>
#include <vector>

namespace dibs::sweep {

/// Replications `from` to before `until` of the root seed in `how`, in this order. Those that were
/// stopped say so. Errors: as `engine::run`.
[[nodiscard]] result<std::vector<engine::run_result>> replications(
    const scenario::scenario& s,
    const engine::prepared_scenario& shared,
    const engine::run_options& how,
    std::uint32_t from,
    std::uint32_t until,
    std::uint32_t jobs);

}  // namespace dibs::sweep
