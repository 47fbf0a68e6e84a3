/// The whole search: chooses on some seeds, judges on others.
#pragma once

#include "base/result.hpp"
#include "sweep/experiment.hpp"
#include "sweep/runner.hpp"
#include "sweep/search_space.hpp"
#include "tune/objective.hpp"
#include "tune/tuning_result.hpp"

#include <functional>
#include <string>

namespace dibs::tune {

/// `tell` hears what is about to be done. Errors: the experiment's; a budget that the screening
/// alone exceeds (exit 2).
[[nodiscard]] result<tuning> tune(sweep::search_space& where,
                                  const objective_spec& what,
                                  const tuning_options& how,
                                  sweep::experiment& runs,
                                  const std::function<void(const std::string&)>& tell);

/// Runs points of a space. `how` is asked for each batch of so many tasks. The space and the stock
/// must outlive it. Errors: demand that cannot be read; it was stopped (exit 130).
[[nodiscard]] sweep::batch_runner experiment_in(
    const sweep::search_space& where,
    sweep::scenario_cache& kept,
    const std::vector<std::string>& metrics,
    std::function<sweep::runner_options(std::size_t tasks)> how);

/// The exit code of an answer: 0, 4, 7 or 99.
[[nodiscard]] exit_code code_of(const tuning& t);

}  // namespace dibs::tune
