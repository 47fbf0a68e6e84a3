/// What all parts of a search share: its objective, its space, its settings and its runs.
#pragma once

#include "sweep/experiment.hpp"
#include "sweep/search_space.hpp"
#include "tune/objective.hpp"
#include "tune/tuning_result.hpp"

#include <functional>
#include <string>

namespace dibs::tune {

/// All that it refers to must outlive it.
struct search_context {
  sweep::search_space& where;
  const objective_spec& what;
  const tuning_options& how;
  sweep::experiment& runs;
  std::function<void(const std::string&)> tell;  ///< what is about to be done
};

}  // namespace dibs::tune
