#include "runtime/shared_world.hpp"

namespace dibs::runtime {

driver_arrival shared_world::next_driver_arrival(driver_id d, std::uint32_t person) const {
  const world::driver_key key{seed, d, person};
  const auto& drivers = options.drivers;
  const auto placement = drivers.placement == scenario::placement::demand
                             ? world::placement::demand
                             : world::placement::uniform;
  return {.place = world::place_of(key, placement, demand.places()),
          .driver_class = static_cast<std::uint8_t>(world::class_of(key, class_shares)),
          .shift = drivers.shifts ? world::shift_of(key, *drivers.shifts) : forever};
}

sim_duration shared_world::eta(driver_id d, ride_id r) const {
  const auto place = availability.place_of(d);
  return map.travel_time(place, rides.ends(r).origin);
}

}  // namespace dibs::runtime
