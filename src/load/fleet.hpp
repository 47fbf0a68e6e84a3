/// The drivers of a load as its matchers see them, and whom they pick: by the scenario's policy,
/// and with its lag.
///
/// Any thread. Nobody knows more than matchers do in a run: who was taken lately may still be
/// picked, and then the service has to say no.
#pragma once

#include "base/ids.hpp"
#include "base/point.hpp"
#include "base/random.hpp"
#include "base/time.hpp"
#include "engine/prepared_scenario.hpp"
#include "match/supply_view.hpp"
#include "scenario/scenario.hpp"
#include "world/demand.hpp"
#include "world/driver_phone.hpp"
#include "world/places.hpp"

#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

namespace dibs::load {

class fleet {
 public:
  /// `s` and `shared` outlive it. `speed`: times of the scenario pass so much faster.
  fleet(const scenario::scenario& s,
        const engine::prepared_scenario& shared,
        const world::places& where,
        std::uint64_t seed,
        double speed);

  /// None if nobody is left whom the ride has not tried.
  [[nodiscard]] std::optional<driver_id> pick(const point& origin,
                                              std::span<const driver_id> tried,
                                              stream& random,
                                              sim_time now);
  void taken(driver_id d, sim_time now);
  void free_again(driver_id d, const point& where, sim_time now);

  /// How she answers the `nth` offer of a ride, in the scenario's time.
  [[nodiscard]] world::answer_plan answer_of(driver_id d,
                                             const world::ride_plan& ride,
                                             std::uint32_t nth) const;
  /// Where she last was free.
  [[nodiscard]] point place_of(driver_id d) const;

 private:
  /// Requires: locked. Time here never goes back.
  sim_time passed(sim_time now);

  const scenario::scenario& scenario_;
  const engine::prepared_scenario& shared_;
  std::uint64_t seed_;
  std::vector<double> shares_;
  double chord_m_;
  mutable std::mutex lock_;
  sim_time last_{};
  match::supply_log log_;
  match::supply_view seen_;
  std::vector<point> places_;
  std::vector<match::neighbour> near_;
};

}  // namespace dibs::load
