/// Decides which of the promises that need bounds a scenario can be held to. The bounds are on the
/// length of messages and pauses, on the error of clocks, and on the delay of clean-up.
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
