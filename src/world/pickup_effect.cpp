#include "world/pickup_effect.hpp"

#include "base/real.hpp"

#include <algorithm>

namespace dibs::world {
namespace {

/// `a_minute` to the power of the minutes.
double over(sim_duration pickup, double a_minute) {
  const sim_duration counted =
      std::clamp(pickup, sim_duration::zero(), sim_duration{pickup_effect::longest});
  const double minutes = static_cast<double>(counted.count()) / 60e9;
  return a_minute == 1 ? 1 : real::exp(minutes * real::log(a_minute));
}

}  // namespace

double pickup_effect::accept_at(sim_duration pickup, double accept) const {
  if (accept_odds == 1 || accept <= 0 || accept >= 1) {
    return accept;
  }
  const double odds = accept / (1 - accept) * over(pickup, accept_odds);
  return odds / (1 + odds);
}

double pickup_effect::response_at(sim_duration pickup) const { return over(pickup, response); }

}  // namespace dibs::world
