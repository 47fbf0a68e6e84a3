/// Notices a run that is stuck. `engine/wait_diagnosis` says which node waits for what.
///
/// Virtual time hides a stuck run: hours in which nothing happens pass at once, or one instant
/// never passes. A run is stuck when riders wait and for a long time nothing has brought any of
/// them on: no lease, no renewal, no claim, no offer, no answer, no trip, no rider who gives up. It
/// is as good as stuck when offer follows offer and nobody comes, gets a driver or gives up.
///
/// It watches every run, so it remembers only the rides that wait and the drivers on trips.
#pragma once

#include "engine/patience.hpp"
#include "engine/stall.hpp"
#include "events/observer.hpp"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace dibs::engine {

class watchdog final : public events::observer {
 public:
  explicit watchdog(const stall_limits& how_long) : patience_(how_long) {}

  void observe(std::span<const events::event> batch) override;

  /// Looks whether the run gets anywhere. Call it every few thousand events, after all facts up to
  /// `now` were observed.
  [[nodiscard]] std::optional<stall> look(sim_time now, std::uint64_t events);

  /// At the end of a run in which nothing was left to happen before `ends`.
  [[nodiscard]] std::optional<stall> nothing_left(sim_time ends) const;

 private:
  template <class Fact>
  void on(sim_time, const Fact&) {}
  void on(sim_time t, const events::ride_requested& f);
  void on(sim_time t, const events::ride_abandoned& f) { ride_ended(f.ride, t); }
  void on(sim_time t, const events::ride_cancelled& f) { ride_ended(f.ride, t); }
  void on(sim_time t, const events::lease_granted&) { moved(t); }
  void on(sim_time t, const events::lease_renewed&) { moved(t); }
  void on(sim_time t, const events::lease_ended&) { moved(t); }
  void on(sim_time t, const events::ride_claimed&) { moved(t); }
  void on(sim_time t, const events::ride_claim_ended&) { moved(t); }
  void on(sim_time t, const events::zone_granted&) { moved(t); }
  void on(sim_time t, const events::offer_sent& f);
  void on(sim_time t, const events::offer_answered&) { moved(t); }
  void on(sim_time t, const events::offer_dismissed&) { moved(t); }
  void on(sim_time t, const events::trip_committed& f);
  void on(sim_time t, const events::trip_ended& f);
  void on(sim_time t, const events::assignment_revoked& f);
  void on(sim_time, const events::node_crashed& f) { down_.insert(f.node); }
  void on(sim_time t, const events::node_restarted& f);
  void on(sim_time, const events::node_paused& f) { down_.insert(f.node); }
  void on(sim_time t, const events::node_resumed& f);

  void moved(sim_time t) { progress_ = t; }
  [[nodiscard]] stall stall_at(sim_time now, std::string why) const;
  void ride_ended(ride_id r, sim_time t);
  void end_trip(driver_id d, token_id token);

  stall_limits patience_;
  std::vector<bool> is_waiting_;  ///< by ride
  std::uint64_t waiting_ = 0;     ///< rides
  std::vector<token_id> trips_;   ///< by driver: the last one, while it lasts
  std::uint64_t on_trip_ = 0;     ///< drivers
  std::set<node_id> down_;
  sim_time progress_{};
  sim_time progress_seen_{};
  std::uint64_t events_then_ = 0;  ///< when it was seen
  sim_time looked_at_{};
  std::uint64_t events_there_ = 0;  ///< when that instant was first looked at
  std::uint64_t offers_ = 0;        ///< since a ride came, was committed, or left
};

}  // namespace dibs::engine
