#include "actors/demand.hpp"

namespace dibs::actors {

void demand::on(context& x, const next_ride& m) {
  surroundings& world = x.world();
  // All who appear at one instant appear before the first of them is served. A live clock may be
  // late: then those appear as well who should have by now.
  const sim_time now = x.world_time();
  for (; due_ && due_->at <= now && !world.rides.is_full(); due_ = world.demand.next()) {
    const ride_id ride = world.rides.enter(*due_);
    world.seat_riders(world.rides.seats());
    x.send(world.rides.at(ride).rider, appear{ride});
  }
  if (!begun_) {
    begun_ = true;
    due_ = world.demand.next();
  }
  if (due_) {
    x.happens_after(due_->at - now, m);
  }
}

}  // namespace dibs::actors
