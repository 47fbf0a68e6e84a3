// A driver's trips, and when she works and has a connection.

#include "actors/driver.hpp"
#include "actors/node_options.hpp"

#include <algorithm>

namespace dibs::actors {

void driver::on(context& x, const messages::drive& m) {
  using word = world::driver_trips::word;
  const world::driver_trip t{m.token, m.ride};
  const word heard = trips_.hear(t);
  if (heard == word::known) {
    return;
  }
  reconnect(x);
  if (heard == word::next) {
    return;
  }
  stop_on_the_way(x);  // the rider whom she drops is not told: she fails to appear
  if (heard == word::newer_token) {
    end_trip(x);  // she does appear, by the newer word, and nobody else would end this one
  }
  set_out(x, t);
}

void driver::set_out(context& x, world::driver_trip t) {
  trips_.set_out(t, x.world_time());
  x.happens_after(x.world().map.travel_time(trips_.place(), x.world().rides.ends(t.ride).origin),
                  messages::at_pickup{t.token});
}

void driver::stop_on_the_way(context& x) {
  if (trips_.is_driving_empty()) {
    const auto& map = x.world().map;
    const point& origin = x.world().rides.ends(trips_.now().ride).origin;
    const sim_duration whole = map.travel_time(trips_.place(), origin);
    const double gone = trips_.share_gone(x.world_time(), whole);
    trips_.stand_at(map.between(trips_.place(), origin, gone));
  }
}

void driver::on(context& x, const messages::at_pickup& m) {
  if (trips_.is_to_pickup(m.token)) {
    const ride_id r = trips_.now().ride;
    trips_.arrive(x.world().rides.ends(r).origin);
    x.send(rider_of(x, r), messages::arrived{r, this_driver(x), m.token});
  }
}

void driver::on(context& x, const messages::boarded& m) {
  if (trips_.boards(m.token)) {
    x.happens_after(x.world().rides.at(trips_.now().ride).trip, messages::at_drop_off{m.token});
  }
}

void driver::on(context& x, const messages::at_drop_off& m) {
  if (!trips_.carries_for(m.token)) {
    return;
  }
  const ride_id r = trips_.now().ride;
  trips_.stand_at(x.world().rides.ends(r).destination);
  x.send(rider_of(x, r), messages::dropped_off{r, m.token});
  end_trip(x);
  if (const auto next = trips_.next(); next.token.is_some()) {
    set_out(x, next);
  } else {
    leave_if_due(x);
  }
}

void driver::on(context& x, const messages::trip_off& m) {
  if (trips_.is_called_off(m.token)) {
    stop_on_the_way(x);
    end_trip(x);
    leave_if_due(x);
  }
}

void driver::end_trip(context& x) {
  const world::driver_trip over = trips_.end();
  x.publish(events::trip_ended{over.token, this_driver(x), over.ride, trips_.place()});
  x.send(the_ledger, messages::trip_done{over.ride, this_driver(x), over.token});
}

// -- work ----------------------------------------------------------------------------------------

void driver::on(context& x, const messages::shift_over& m) {
  if (m.person == person_) {
    leaving_ = true;
    leave_if_due(x);
  }
}

void driver::leave_if_due(context& x) {
  if (!leaving_ || cut_off_ || !trips_.is_free() || phone_.is_looked_at()) {
    return;
  }
  if (person_ > 0) {
    x.publish(events::driver_went_offline{this_driver(x)});
  }
  come_to_work(x);
}

void driver::on(context& x, const messages::connection_lost& m) {
  const auto* o = phone_.find(m.token);
  if (o == nullptr || !o->visible || !trips_.is_free() || cut_off_ ||
      x.world_time() >= x.world().heals) {
    return;
  }
  dismiss_all(x, events::dismissal::went_offline);
  phone_.clear();
  cut_off_ = true;
  x.publish(events::driver_went_offline{this_driver(x)});
  auto draws = x.random(purpose::drop_out, x.self().index(), m.token.value, person_);
  const sim_duration away = draw(x.world().options.drivers.drop_out.back_after, draws);
  x.acts_after(std::min(away, x.world().heals - x.world_time()), messages::connection_back{});
}

void driver::on(context& x, const messages::connection_back&) {
  reconnect(x);
  leave_if_due(x);
}

void driver::reconnect(context& x) {
  if (cut_off_) {
    cut_off_ = false;
    x.publish(events::driver_came_online{this_driver(x), trips_.place(), driver_class_});
  }
}

void driver::come_to_work(context& x) {
  leaving_ = false;
  phone_.clear();
  const auto arrival = x.world().next_driver_arrival(this_driver(x), person_++);
  trips_.stand_at(arrival.place);
  driver_class_ = arrival.driver_class;
  x.publish(events::driver_came_online{this_driver(x), arrival.place, driver_class_});
  x.acts_after(arrival.shift, messages::shift_over{person_});
}

}  // namespace dibs::actors
