/// All harms of one ride, also those that the run does not list: its list has only the worst few of
/// each kind.
#pragma once

#include "explain/harm.hpp"

#include <vector>

namespace dibs::explain {

/// The harms of a ride, or in which it had a part, whether the run lists them or not, and those of
/// the warm-up and after the measured time too, which say so: three of each kind at most.
[[nodiscard]] std::vector<harm> harms_of_ride(const history::indexed_run& c, ride_id r);

}  // namespace dibs::explain
