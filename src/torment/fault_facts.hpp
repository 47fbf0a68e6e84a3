/// What of a fault goes on record beside what the matchers saw.
#pragma once

#include "events/facts.hpp"
#include "torment/cases.hpp"
#include "torment/faults.hpp"

#include <vector>

namespace dibs::torment {

/// A pause, its end, a crash, a restart, of each node that the fault strikes; of a link or a clock
/// nothing.
[[nodiscard]] std::vector<events::fact> facts_of(const real_fault& f, const real_case& c);

}  // namespace dibs::torment
