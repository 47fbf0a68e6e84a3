#include "engine/watchdog.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <variant>

namespace dibs::engine {

void watchdog::observe(std::span<const events::event> batch) {
  for (const events::event& e : batch) {
    std::visit([&](const auto& f) { on(e.t, f); }, e.what);
  }
}

// A trip that is under way ends by itself, and a node that is down comes back: what waits for
// either is not stuck.
std::optional<stall> watchdog::look(sim_time now, std::uint64_t events) {
  if (now != looked_at_) {
    looked_at_ = now;
    events_there_ = events;
  }
  if (progress_ != progress_seen_) {
    progress_seen_ = progress_;
    events_then_ = events;
  }
  if (waiting_ > 0 && offers_ > patience_.offers_in_vain_max + 100 * waiting_) {
    return stall_at(now, fmt::format("{} offers, and no ride came to its end", offers_));
  }
  if (events - events_there_ > patience_.events_at_once_max) {
    return stall_at(now,
                    fmt::format("{} events at one instant, and no end", events - events_there_));
  }
  if (waiting_ == 0 || on_trip_ > 0 || !down_.empty()) {
    return std::nullopt;
  }
  if (now - progress_ > patience_.quiet_max) {
    return stall_at(now, "rides wait, and nothing brings any of them on");
  }
  if (events - events_then_ > patience_.events_in_vain_max) {
    return stall_at(now, fmt::format("{} events brought no ride on", events - events_then_));
  }
  return std::nullopt;
}

std::optional<stall> watchdog::nothing_left(sim_time ends) const {
  if (waiting_ == 0) {
    return std::nullopt;
  }
  return stall_at(ends, "rides wait, and nothing is left to happen");
}

// -- what brings a ride on -----------------------------------------------------------------------

void watchdog::on(sim_time t, const events::ride_requested& f) {
  offers_ = 0;
  if (waiting_ == 0) {
    moved(t);
  }
  if (f.ride.value >= is_waiting_.size()) {
    is_waiting_.resize(f.ride.value + std::size_t{1});
  }
  waiting_ += is_waiting_[f.ride.value] ? 0U : 1U;
  is_waiting_[f.ride.value] = true;
}

void watchdog::on(sim_time t, const events::offer_sent&) {
  ++offers_;
  moved(t);
}

void watchdog::on(sim_time t, const events::trip_committed& f) {
  ride_ended(f.ride, t);
  if (f.driver.value >= trips_.size()) {
    trips_.resize(std::max<std::size_t>(f.driver.value + std::size_t{1}, trips_.size() * 2));
  }
  token_id& trip = trips_[f.driver.value];
  on_trip_ += trip.is_some() ? 0U : 1U;
  trip = f.token;
}

void watchdog::on(sim_time t, const events::trip_ended& f) {
  moved(t);
  end_trip(f.driver, f.token);
}

void watchdog::on(sim_time t, const events::assignment_revoked& f) {
  moved(t);
  end_trip(f.driver, f.token);
}

void watchdog::on(sim_time t, const events::node_restarted& f) {
  moved(t);
  down_.erase(f.node);
}

void watchdog::on(sim_time t, const events::node_resumed& f) {
  moved(t);
  down_.erase(f.node);
}

stall watchdog::stall_at(sim_time now, std::string why) const {
  return {now, progress_, std::move(why), {}};
}

void watchdog::ride_ended(ride_id r, sim_time t) {
  moved(t);
  offers_ = 0;
  if (r.value < is_waiting_.size() && is_waiting_[r.value]) {
    is_waiting_[r.value] = false;
    --waiting_;
  }
}

void watchdog::end_trip(driver_id d, token_id token) {
  if (d.value < trips_.size() && trips_[d.value] == token && token.is_some()) {
    trips_[d.value] = token_id::none();
    --on_trip_;
  }
}

}  // namespace dibs::engine
