#include "actors/demand.hpp"

#include <algorithm>

namespace dibs::actors {

void demand::on(context& x, const messages::next_ride& m) {
  runtime::shared_world& world = x.world();
  if (world.rides_at_once > 0) [[unlikely]] {
    fill(x);
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
  runtime::shared_world& world = x.world();
  const ride_id ride = world.rides.enter(plan);
  world.seat_riders(world.rides.seats());
  x.send(world.rides.at(ride).rider, messages::appear{ride});
}

void demand::fill(context& x) {
  runtime::shared_world& world = x.world();
  const sim_time now = x.world_time();
  if (!begun_) {
    begun_ = true;
    due_ = world.demand.next();
  }
  while (due_ && !world.rides.is_full() && world.rides.under_way() < world.rides_at_once) {
    if (!world.rides_follow && due_->at > now) {
      if (awake_at_ <= now) {  // else a timer for it is under way
        awake_at_ = due_->at;
        x.happens_after(due_->at - now, messages::next_ride{});
      }
      return;
    }
    due_->at = std::min(due_->at, now);
    let_appear(x, *due_);
    due_ = world.demand.next();
  }
}

}  // namespace dibs::actors
