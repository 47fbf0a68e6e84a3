#include "sim/trigger_counter.hpp"

#include "base/random.hpp"

namespace dibs::sim {

bool watch::sees(const sighting& message) const {
  return what_.message && (*what_.message == any_message || *what_.message == message.word) &&
         (!what_.from || what_.from->covers(message.from)) &&
         (!what_.to || what_.to->covers(message.to));
}

bool watch::takes(sim_time now, ride_id about) {
  if (now < at(what_.since) || (what_.until && now >= at(*what_.until))) {
    return false;
  }
  const bool taken = is_in_turn(about);
  has_taken_ = has_taken_ || taken;
  return taken;
}

bool watch::is_in_turn(ride_id about) {
  ++seen_;
  const bool in_turn = what_.nth     ? seen_ == *what_.nth
                       : what_.every ? seen_ % *what_.every == 0
                                     : true;
  if (what_.share >= 1) {
    return in_turn;
  }
  const std::uint32_t of_ride = seen_of_ride_[about.value]++;
  return in_turn &&
         stream::keyed(seed_, purpose::trigger, entry_, about.value, of_ride).happens(what_.share);
}

}  // namespace dibs::sim
