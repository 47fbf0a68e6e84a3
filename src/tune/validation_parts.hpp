/// What the parts of the validation (`validation*.cpp`) have in common.
#pragma once

#include "sweep/experiment.hpp"

namespace dibs::tune {

/// The seeds that a validation is made on: none of them had a part in the choice.
inline constexpr sweep::seed_block fresh_seeds = sweep::seed_block::fresh;
/// How often a bound on a difference may be wrong, at each look.
inline constexpr double tail = 0.01;

}  // namespace dibs::tune
