/// Chooses the matchers that a rider asks for a ride.
#pragma once

#include "runtime/context.hpp"

#include <cstdint>

namespace dibs::actors {

/// The first of them; with broadcast offers those that follow it in the circle are asked as well.
[[nodiscard]] inline std::uint32_t first_matcher_of(const runtime::context& x, ride_id r) {
  const auto& options = x.world().options.matchers;
  if (options.assignment == scenario::assignment::random) {
    auto draws = x.random(purpose::assignment, x.world().rides.at(r).key);
    return static_cast<std::uint32_t>(draws.below(options.count));
  }
  return r.value % options.count;
}

}  // namespace dibs::actors
