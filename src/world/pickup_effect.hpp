/// What the time to the pick-up does to a driver's answer.
///
/// With each minute of it the odds of an accept, and the time to the answer, are multiplied by so
/// much. Odds, since a share that is lowered by so much a minute would fall below 0 some time. Who
/// accepts every offer has odds without end, and goes on accepting every offer.
#pragma once

#include "base/time.hpp"

namespace dibs::world {

struct pickup_effect {
  double accept_odds = 1;
  double response = 1;

  /// No pick-up counts as longer.
  static constexpr sim_duration longest = 1h;

  [[nodiscard]] bool is_some() const { return accept_odds != 1 || response != 1; }
  /// The share of offers accepted, of those that would be with the driver at the door.
  [[nodiscard]] double accept_at(sim_duration pickup, double accept) const;
  /// How many times as long the answer takes.
  [[nodiscard]] double response_at(sim_duration pickup) const;
};

}  // namespace dibs::world
