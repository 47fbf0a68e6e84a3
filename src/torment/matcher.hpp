/// A matcher that is a process of its own, on a real store: several lanes, each with one ride after
/// the other.
///
/// A process that begins again after a kill first repeats what it had written and not heard of.
#pragma once

#include "base/result.hpp"
#include "torment/plan.hpp"

#include <cstdint>
#include <string>

namespace dibs::torment {

/// Connects, waits for the others, and works until the run is over. Errors: a file that cannot be
/// written, an address that cannot be read.
[[nodiscard]] result<void> run_matcher(const matcher_plan& p);

/// Where one life of the process writes its events.
[[nodiscard]] std::string facts_of(const matcher_plan& p, std::uint32_t life);

}  // namespace dibs::torment
