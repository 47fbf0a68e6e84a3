/// Times of an incident as they are for another scenario: counted in its TTL, over its length.
/// Pure.
#pragma once

#include "check/cause.hpp"
#include "scenario/scenario.hpp"

#include <vector>

namespace dibs::check {

/// A time of the incident, `times` as long; `forever` stays.
[[nodiscard]] sim_duration scaled(sim_duration length, double times);
[[nodiscard]] distribution scaled(const distribution& of, double times);

/// Mine over the incident's TTL as it is without its cause: 1 where either has none that ends, and
/// from a tenth to twenty.
[[nodiscard]] double scale_of(const cause& c, const scenario::scenario& mine);

/// The environment as it befalls `mine`. All lengths are `times` as long, and rates as much
/// lower. What strikes at set times does so again and again until the measured time of `mine` is
/// over, at most `strikes_max` times. A matcher beyond those of `mine` is one of them.
[[nodiscard]] environment fitted(const environment& of,
                                 const cause& c,
                                 const scenario::scenario& mine,
                                 double times);

inline constexpr std::size_t strikes_max = 600;

}  // namespace dibs::check
