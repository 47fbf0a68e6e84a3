/// What a hunt draws: faults of every kind and ways to hold a lease, each with parameters of its
/// own, as overrides of a scenario that `dibs run --set` takes as well. So whatever breaks can be
/// repeated.
///
/// All of it is harmless to what a protocol promises: it leaves the lease manager in one piece and
/// its tokens durable. What is not is in `negative_controls.hpp`.
#pragma once

#include "base/random.hpp"
#include "scenario/read.hpp"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace dibs::swarm {

/// One drawn scenario.
struct fault_mixture {
  std::vector<std::string_view> hazards;  ///< the names of those that were drawn
  std::vector<scenario::override_value> overrides;
};

/// Puts overrides on top of others; of two for the same path the upper one stays.
void override_with(std::vector<scenario::override_value>& below,
                   const std::vector<scenario::override_value>& above);

/// The names of all hazards, in the order in which they are drawn.
[[nodiscard]] std::vector<std::string_view> hazard_names();

/// Where a mixture comes from: its hazards as these runs draw them, and the run whose seed it has.
struct mixture_origin {
  std::uint32_t run = 0;
  std::vector<std::optional<std::uint32_t>> drawn_by;  ///< by hazard; nothing: it is left out
};

/// Each hazard as the run with this number draws it, with probability `chance`, but for those of
/// `always`.
[[nodiscard]] mixture_origin origin_of(std::uint64_t seed,
                                       std::uint32_t number,
                                       const std::vector<std::string_view>& always,
                                       double chance);

/// The mixture that comes from there.
[[nodiscard]] fault_mixture draft_from(std::uint64_t seed, const mixture_origin& from);

/// Each hazard with probability `chance`, but for those of `always`. The same (seed, number) gives
/// the same draft, and a hazard is the same with every `always` and every chance; all of its
/// instants lie in the first two minutes.
[[nodiscard]] fault_mixture draft_of(std::uint64_t seed,
                                     std::uint32_t number,
                                     const std::vector<std::string_view>& always = {},
                                     double chance = 0.5);

}  // namespace dibs::swarm
