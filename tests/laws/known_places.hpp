/// Where drivers last were free and where rides begin, as the facts of a run tell, and the way from
/// the one to the other. It shares no code with the geography of dibs.
#pragma once

#include "base/point.hpp"
#include "events/facts.hpp"
#include "scenario/scenario.hpp"

#include <cmath>
#include <map>
#include <variant>

namespace dibs::designs {

class known_places {
 public:
  explicit known_places(const scenario::travel_options& t)
      : seconds_a_metre_(t.detour / t.speed_m_per_s) {}

  void apply(const events::event& e) {
    if (const auto* on = std::get_if<events::driver_came_online>(&e.what)) {
      drivers_[on->driver] = on->place;
    } else if (const auto* off = std::get_if<events::trip_ended>(&e.what)) {
      drivers_[off->driver] = off->place;
    } else if (const auto* r = std::get_if<events::ride_requested>(&e.what)) {
      rides_[r->ride] = r->origin;
    }
  }

  /// Of the straight line, by the sphere's formula.
  [[nodiscard]] double metres(driver_id d, ride_id r) const {
    const point& a = drivers_.at(d);
    const point& b = rides_.at(r);
    const double chord = std::sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) +
                                   (a.z - b.z) * (a.z - b.z));
    const double radius = std::sqrt(a.x * a.x + a.y * a.y + a.z * a.z);
    return 2 * radius * std::asin(chord / (2 * radius));
  }
  /// By road.
  [[nodiscard]] double seconds(driver_id d, ride_id r) const {
    return metres(d, r) * seconds_a_metre_;
  }

 private:
  double seconds_a_metre_;
  std::map<driver_id, point> drivers_;
  std::map<ride_id, point> rides_;
};

}  // namespace dibs::designs
