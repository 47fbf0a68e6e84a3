/// Follows which node waits for which, for the report of a stuck run: each ride that waits, for
/// whom and since when, and the holders of the drivers.
#pragma once

#include "events/observer.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace dibs::engine {

/// Whom a ride waits for.
struct awaited {
  enum class kind : std::uint8_t { nobody, answer_of_driver, answer_to_call, forgotten };

  sim_time since{};
  node_id who;  ///< waits for it
  driver_id driver;
  token_id token;
  kind for_what = kind::nobody;
  events::call call{};
};
/// A rider who waits.
struct waiting_ride {
  sim_time since{};
  awaited now;
};
/// The last lease on a driver, while it lasts.
struct held_driver {
  token_id token;
  ride_id ride;
  matcher_id matcher;
  sim_time since{};
  bool ends = true;
};

class wait_diagnosis final : public events::observer {
 public:
  void observe(std::span<const events::event> batch) override;

  /// Who waits for what after the events so far, the longest first, and how many more; at last who
  /// holds the drivers.
  [[nodiscard]] std::vector<std::string> waits() const;

 private:
  template <class Fact>
  void on(sim_time, const Fact&) {}
  void on(sim_time t, const events::driver_came_online& f);
  void on(sim_time, const events::driver_went_offline&) { --online_; }
  void on(sim_time t, const events::ride_requested& f);
  void on(sim_time, const events::ride_abandoned& f) { waiting_.erase(f.ride); }
  void on(sim_time, const events::ride_cancelled& f) { waiting_.erase(f.ride); }
  void on(sim_time t, const events::lease_granted& f);
  void on(sim_time, const events::lease_ended& f) { end_lease(f.driver, f.token); }
  void on(sim_time t, const events::offer_sent& f);
  void on(sim_time t, const events::try_closed& f);
  void on(sim_time t, const events::trip_committed& f);
  void on(sim_time t, const events::node_crashed& f);
  void on(sim_time, const events::node_restarted& f) { down_.erase(f.node); }
  void on(sim_time t, const events::node_paused& f) { down_[f.node] = t; }
  void on(sim_time, const events::node_resumed& f) { down_.erase(f.node); }
  void on(sim_time t, const events::call_made& f);
  void on(sim_time t, const events::call_answered& f);

  /// Null if she does not wait.
  [[nodiscard]] waiting_ride* waiting(ride_id r);
  void end_lease(driver_id d, token_id token);
  [[nodiscard]] std::string supply() const;
  [[nodiscard]] std::string wait_of(ride_id r, const waiting_ride& how) const;
  [[nodiscard]] std::string state_of(node_id n) const;

  std::map<ride_id, waiting_ride> waiting_;
  std::map<driver_id, held_driver> held_;
  std::map<node_id, sim_time> down_;
  std::uint64_t online_ = 0;
  bool ever_online_ = false;
};

}  // namespace dibs::engine
