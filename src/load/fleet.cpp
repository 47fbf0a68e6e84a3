#include "load/fleet.hpp"

#include "match/candidates.hpp"
#include "world/drivers.hpp"

#include <algorithm>

namespace dibs::load {
namespace {

match::supply_index_options index_of(const scenario::scenario& s, const world::geography& map) {
  const world::extent box = map.extent();
  return {.drivers = s.drivers.count,
          .south_west = {box.west, box.south, 0},
          .north_east = {box.east, box.north, 0}};
}

sim_duration sped_up(sim_duration d, double speed) {
  return sim_duration{static_cast<std::int64_t>(static_cast<double>(d.count()) / speed)};
}

}  // namespace

fleet::fleet(const scenario::scenario& s,
             const engine::prepared_scenario& shared,
             const world::places& where,
             std::uint64_t seed,
             double speed)
    : scenario_(s),
      shared_(shared),
      seed_(seed),
      chord_m_(shared.map.chord_of(s.matchers.policy.radius_m)),
      seen_(log_, sped_up(s.matchers.view_lag, speed), index_of(s, shared.map)) {
  for (const scenario::driver_class& c : s.drivers.classes) {
    shares_.push_back(c.share);
  }
  const auto how = s.drivers.placement == scenario::placement::demand ? world::placement::demand
                                                                      : world::placement::uniform;
  for (std::uint32_t d = 0; d < s.drivers.count; ++d) {
    places_.push_back(world::place_of({seed, driver_id{d}, 0}, how, where));
    log_.append({sim_time{}, driver_id{d}, true, places_.back()});
  }
  seen_.advance(sim_time{} + seen_.lag());
}

sim_time fleet::passed(sim_time now) {
  last_ = std::max(last_, now);
  return last_;
}

std::optional<driver_id> fleet::pick(const point& origin,
                                     std::span<const driver_id> tried,
                                     stream& random,
                                     sim_time now) {
  const auto is_excluded = [tried](driver_id d) { return std::ranges::count(tried, d) > 0; };
  const match::matcher_options& m = scenario_.matchers;
  if (m.view == scenario::view::blind) {
    return match::pick_blind(scenario_.drivers.count, is_excluded, random);
  }
  const std::lock_guard held(lock_);
  seen_.advance(std::max(passed(now), sim_time{} + seen_.lag()));
  if (!match::looks_nearby(m.policy.kind) || !shared_.map.is_map()) {
    return match::pick_random(seen_.index(), is_excluded, random);
  }
  return match::pick_nearest(
      seen_.index(), origin, {m.policy.candidates, chord_m_}, is_excluded, near_);
}

void fleet::taken(driver_id d, sim_time now) {
  const std::lock_guard held(lock_);
  log_.append({passed(now), d, false, {}});
}

void fleet::free_again(driver_id d, const point& where, sim_time now) {
  const std::lock_guard held(lock_);
  places_[d.value] = where;
  log_.append({passed(now), d, true, where});
}

world::answer_plan fleet::answer_of(driver_id d,
                                    const world::ride_plan& ride,
                                    std::uint32_t nth) const {
  const auto& kind = scenario_.drivers.classes[world::class_of({seed_, d, 0}, shares_)];
  stream draws = stream::keyed(seed_, purpose::answer, d.value, ride.key, nth);
  world::answer_habits habits{.accept = kind.accept, .ignore = kind.ignore};
  if (kind.by_pickup.is_some()) {
    habits = habits.asked_from(shared_.map.travel_time(place_of(d), ride.origin), kind.by_pickup);
  }
  return world::plan_answer(habits, kind.response, draws, scenario_.lease.shown_window());
}

point fleet::place_of(driver_id d) const {
  const std::lock_guard held(lock_);
  return places_[d.value];
}

}  // namespace dibs::load
