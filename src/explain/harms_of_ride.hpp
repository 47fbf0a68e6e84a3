/// Harms that a run does not list, of one ride: its list has the worst few of each kind alone.
#pragma once

#include "explain/harm.hpp"

#include <vector>

namespace dibs::show {

/// The harms of a ride, or in which it had a part, whether the run lists them or not, and those of
/// the warm-up and after the measured time too, which say so: three of each kind at most.
[[nodiscard]] std::vector<breach> harms_of(const chronicle& c, ride_id r);

}  // namespace dibs::show
