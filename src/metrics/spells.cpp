#include "metrics/spells.hpp"

#include "base/ensure.hpp"
#include "base/real.hpp"

#include <algorithm>
#include <cmath>

namespace dibs::metrics {
namespace {

/// The earth's mean radius (IUGG), as for all great-circle distances of a scenario.
constexpr double earth_radius_m = 6371008.8;
constexpr double half_circumference_m = 3.141592653589793 * earth_radius_m;

/// The straight line under a great-circle distance.
double chord_of(double distance_m) {
  const double within = std::min(distance_m, half_circumference_m);
  return 2 * earth_radius_m * real::sin(within / (2 * earth_radius_m));
}

}  // namespace

spell_index::spell_index(const spell_list& spells,
                         const place_list& places,
                         std::optional<double> radius_m)
    : spells_(spells),
      places_(places),
      is_map_(radius_m.has_value()),
      cells_(is_map_ ? std::size_t{width} * width : 1) {
  if (is_map_) {
    ensure(*radius_m > 0, "a search radius is above 0");
    const double reach = chord_of(*radius_m);
    reach_squared_ = reach * reach;
    cells_per_m_ = 2 / reach;
  }
  for (std::uint32_t i = 0; i < spells.size(); ++i) {
    ensure(i == 0 || spells[i - 1].when.begin <= spells[i].when.begin,
           "spells come in the order of their begin");
    const std::uint32_t home = is_map_ ? number_of(places[spells[i].where]).stepped({0, 0}) : 0;
    cells_[home].spells.push_back(i);
  }
}

spell_index::cell_number spell_index::number_of(const point& place) const {
  const auto wound = [this](double metres) {
    // No place on earth comes near the bounds, but a cast beyond them would be undefined.
    const double steps_away = std::clamp(std::floor(metres * cells_per_m_), -1e15, 1e15);
    return static_cast<std::uint32_t>(
        static_cast<std::uint64_t>(static_cast<std::int64_t>(steps_away)) % width);
  };
  return {wound(place.x), wound(place.y)};
}

}  // namespace dibs::metrics
