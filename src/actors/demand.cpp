#include "actors/demand.hpp"

namespace dibs::actors {

void demand::on(context& x, const next_ride& m) {
  surroundings& world = x.world();
  const sim_time now = due_ ? due_->at : sim_time{};
  // All who appear at one instant appear before the first of them is served.
  for (; due_ && due_->at == now; due_ = world.demand.next()) {
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
