#include "actors/demand.hpp"

namespace dibs::actors {

void demand::on(context& x, const next_ride& m) {
  surroundings& world = x.world();
  if (world.rides_in_flight > 0) [[unlikely]] {
    refill(x);
    return;
  }
  // All who appear at one instant appear before the first of them is served. A live clock may be
  // late: then those appear as well who should have by now.
  const sim_time now = x.world_time();
  for (; due_ && due_->at <= now && !world.rides.is_full(); due_ = world.demand.next()) {
    let_appear(x, *due_);
  }
  if (!begun_) {
    begun_ = true;
    due_ = world.demand.next();
  }
  if (due_ && !world.rides.is_full()) {
    x.happens_after(due_->at - now, m);
  }
}

void demand::let_appear(context& x, const world::ride_plan& plan) {
  surroundings& world = x.world();
  const ride_id ride = world.rides.enter(plan);
  world.seat_riders(world.rides.seats());
  x.send(world.rides.at(ride).rider, appear{ride});
}

void demand::refill(context& x) {
  surroundings& world = x.world();
  const std::uint32_t rides = begun_ ? 1 : world.rides_in_flight;
  begun_ = true;
  for (std::uint32_t i = 0; i < rides && !world.rides.is_full(); ++i) {
    auto plan = world.demand.next();
    if (!plan) {
      return;
    }
    plan->at = x.world_time();
    let_appear(x, *plan);
  }
}

}  // namespace dibs::actors
