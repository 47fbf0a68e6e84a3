#include "metrics/spell_index.hpp"

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

spell_index::spell_index(const spell_log<spell>& spells, std::optional<double> radius_m)
    : spells_(spells),
      is_map_(radius_m.has_value()),
      cells_(is_map_ ? std::size_t{width} * width : 1) {
  if (is_map_) {
    ensure(*radius_m > 0, "a search radius is above 0");
    const double reach = chord_of(*radius_m);
    reach_squared_ = reach * reach;
    cells_per_m_ = 2 / reach;
  }
}

void spell_index::add(std::uint32_t number) {
  ensure(spells_[number].when.begin >= latest_, "spells come in the order of their begin");
  latest_ = spells_[number].when.begin;
  cell& c = cells_[is_map_ ? number_of(spells_[number].place).stepped({0, 0}) : 0];
  if (c.next == c.spells.size()) {
    c.next_begins = latest_;
  }
  c.spells.push_back(number);
  if (c.spells.size() + c.on.size() >= c.full) {
    clear_out(c);
  }
}

void spell_index::begin_until(cell& c, sim_time t) const {
  std::size_t next = c.next;
  for (; next < c.spells.size() && at(c, next).when.begin <= t; ++next) {
    c.on.push_back(c.spells[next]);
  }
  set_next(c, next);
}

// Where nobody waits nobody looks, and what is over would stay.
void spell_index::clear_out(cell& c) {
  begin_until(c, passed_);
  c.spells.erase(c.spells.begin(), c.spells.begin() + static_cast<std::ptrdiff_t>(c.next));
  set_next(c, 0);
  const auto over = std::partition(
      c.on.begin(), c.on.end(), [this](std::uint32_t i) { return spells_[i].when.end > passed_; });
  over_.insert(over_.end(), over, c.on.end());
  c.on.erase(over, c.on.end());
  c.full = static_cast<std::uint32_t>(2 * (c.spells.size() + c.on.size()) + 64);
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
