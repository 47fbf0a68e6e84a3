#include "world/driver_trips.hpp"

namespace dibs::world {

driver_trips::word driver_trips::hear(driver_trip t) {
  if (knows(t.token)) {
    return word::known;
  }
  if (leg_ == leg::with_rider) {
    of_others().next = t;
    return word::next;
  }
  return is_driving_empty() && ride_ == t.ride ? word::newer_token : word::new_trip;
}

void driver_trips::set_out(driver_trip t, sim_time now) {
  token_ = t.token;
  ride_ = t.ride;
  leg_ = leg::to_pickup;
  set_out_at_ = now;
  if (others_) {
    others_->next = {};
  }
}

double driver_trips::share_gone(sim_time now, sim_duration whole) const {
  const double length = in_seconds(whole);
  return length > 0 ? std::clamp(in_seconds(now - set_out_at_) / length, 0.0, 1.0) : 1.0;
}

bool driver_trips::boards(token_id trip) {
  if (leg_ != leg::boarding || token_ != trip) {
    return false;
  }
  leg_ = leg::with_rider;
  return true;
}

bool driver_trips::is_called_off(token_id trip) {
  if (!knows(trip)) {
    remember(trip);  // it overtook the word of the trip
  }
  if (others_ && others_->next.token == trip) {
    remember(trip);
    others_->next = {};
    return false;
  }
  return token_ == trip && is_driving_empty();
}

driver_trip driver_trips::end() {
  const driver_trip over = now();
  remember(over.token);
  token_ = {};
  ride_ = {};
  leg_ = leg::none;
  return over;
}

bool driver_trips::knows(token_id trip) const {
  return token_ == trip ||
         (others_ &&
          (others_->next.token == trip ||
           std::find(others_->over.begin(), others_->over.end(), trip) != others_->over.end()));
}

void driver_trips::remember(token_id trip) {
  others& all = of_others();
  all.over[all.next_over] = trip;
  all.next_over = static_cast<std::uint8_t>((all.next_over + 1) % all.over.size());
}

driver_trips::others& driver_trips::of_others() {
  if (!others_) {
    others_ = std::make_unique<others>();
  }
  return *others_;
}

}  // namespace dibs::world
