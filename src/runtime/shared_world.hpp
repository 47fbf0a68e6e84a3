/// The world that all cores of one run share: what the scenario says, where things are, which rides
/// there are, and who is available. Read by everyone; written by those who own the part.
#pragma once

#include "base/ids.hpp"
#include "base/random.hpp"
#include "base/time.hpp"
#include "lease/protocol.hpp"
#include "match/candidates.hpp"
#include "match/least_total.hpp"
#include "match/popularity.hpp"
#include "runtime/driver_availability.hpp"
#include "runtime/ride_table.hpp"
#include "scenario/scenario.hpp"
#include "world/demand.hpp"
#include "world/drivers.hpp"
#include "world/geography.hpp"

#include <cstdint>
#include <functional>
#include <vector>

namespace dibs::runtime {

/// What a driver brings to work.
struct driver_arrival {
  point place;
  std::uint8_t driver_class = 0;
  sim_duration shift = forever;
};

struct shared_world {
  const scenario::scenario& options;
  const lease::rules protocol;
  const world::geography& map;
  std::uint64_t seed = 1;
  sim_time heals = sim_time::max();  ///< from here on no phone loses its connection
  bool offers_repeat = false;        ///< a phone may get the same offer more than once
  world::demand demand;
  driver_availability availability;
  ride_table rides;
  std::vector<double> class_shares;
  double chord_m = 0;                  ///< the search radius, as a straight line
  std::vector<match::neighbour> near;  ///< room to look for candidates in
  /// How the matchers pick instead of by the scenario's policy; null: they do not.
  const match::popularity* popular_drivers = nullptr;
  /// No more rides are under way at a time; the next one appears when one of them is over. 0: any
  /// number.
  std::uint32_t rides_at_once = 0;
  /// Then each appears as soon as there is room, and not before it is due where this is false.
  bool rides_follow = false;
  /// Makes room for so many riders; called when a ride finds no free seat.
  std::function<void(std::uint32_t seats)> seat_riders;

  /// The `person`-th driver at this wheel, from 0.
  [[nodiscard]] driver_arrival next_driver_arrival(driver_id d, std::uint32_t person) const;

  /// Whom matcher `m` tries next for the ride, at true time `now`, by the scenario's policy and as
  /// its view shows the drivers, after `others` who are left to others. None if nobody is left.
  template <class Excluded>
  [[nodiscard]] driver_id pick(sim_time now,
                               matcher_id m,
                               ride_id r,
                               stream& random,
                               const Excluded& is_excluded,
                               std::uint32_t others) {
    const auto& matchers = options.matchers;
    if (popular_drivers != nullptr) [[unlikely]] {
      return pick_favourite(now, m, random, match::choice(is_excluded, others));
    }
    if (matchers.view == scenario::view::blind) {
      return match::pick_blind(options.drivers.count, is_excluded, random, others)
          .value_or(driver_id::none());
    }
    const auto held = availability.hold();
    const match::supply_index& seen = availability.seen_at(now, m);
    // Without geography everyone is equally near.
    if (!match::looks_nearby(matchers.policy.kind) || !map.is_map()) {
      return match::pick_random(seen, is_excluded, random, others).value_or(driver_id::none());
    }
    const match::nearest_policy policy{matchers.policy.candidates, chord_m};
    return match::pick_nearest(seen, rides.ends(r).origin, policy, is_excluded, near, others)
        .value_or(driver_id::none());
  }

  /// Whom the matcher's view shows near the ride, but those excluded, and how far they have to go.
  /// Without geography every driver, all as near.
  template <class Excluded>
  [[nodiscard]] std::vector<match::possible_pickup> possible_pickups(sim_time now,
                                                                     matcher_id m,
                                                                     ride_id r,
                                                                     const Excluded& is_excluded) {
    const auto& policy = options.matchers.policy;
    const auto held = availability.hold();
    const match::supply_index& seen = availability.seen_at(now, m);
    std::vector<match::possible_pickup> all;
    if (!map.is_map()) {
      for (std::uint32_t i = 0; i < seen.size(); ++i) {
        if (const driver_id d = seen.pick(i); !is_excluded(d)) {
          all.push_back({d, sim_duration::zero()});
        }
      }
      return all;
    }
    seen.nearest(rides.ends(r).origin, policy.candidates, chord_m, near);
    for (const match::neighbour& n : near) {
      if (!is_excluded(n.driver)) {
        all.push_back({n.driver, eta(n.driver, r)});
      }
    }
    return all;
  }

  /// The same, where some drivers are wanted more than others.
  template <class Excluded>
  [[nodiscard]] driver_id pick_favourite(sim_time now,
                                         matcher_id m,
                                         stream& random,
                                         match::choice<Excluded> found) {
    if (options.matchers.view == scenario::view::blind) {
      return popular_drivers->pick([&](driver_id d) { return found.falls_on(d); }, random)
          .value_or(driver_id::none());
    }
    const auto held = availability.hold();
    const match::supply_index& seen = availability.seen_at(now, m);
    return popular_drivers
        ->pick([&](driver_id d) { return seen.contains(d) && found.falls_on(d); }, random)
        .value_or(driver_id::none());
  }

  /// How long the driver needs to the start of the ride, from where she last was free.
  [[nodiscard]] sim_duration eta(driver_id d, ride_id r) const;
};

}  // namespace dibs::runtime
