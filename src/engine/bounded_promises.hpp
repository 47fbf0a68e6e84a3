/// Which of the promises that need bounds are within them: how long messages and pauses may last,
/// how far clocks may be off, how soon clean-up comes.
#pragma once

#include "scenario/scenario.hpp"
#include "sim/clocks.hpp"

#include <cstdint>

namespace dibs::engine {

/// The promises B1 to B6 whose bounds hold in this scenario, one bit each: that of clocks, delays,
/// pauses and clean-up which each of them needs. Where they do not hold nothing is promised.
[[nodiscard]] std::uint32_t bounded_promises(const scenario::scenario& s,
                                             const sim::node_clock& manager);

}  // namespace dibs::engine
