/// One live run: the world, the actors and the merged record, wired together.
#pragma once

#include "actors/store_requests.hpp"
#include "engine/live_run.hpp"
#include "engine/prepared_scenario.hpp"
#include "engine/run.hpp"
#include "runtime/live_system.hpp"
#include "runtime/live_threads.hpp"
#include "runtime/shared_world.hpp"

#include <caf/actor_system.hpp>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace dibs::engine {

class live_simulation {
 public:
  /// `store` outlives it, and keeps nothing yet.
  live_simulation(const scenario::scenario& s,
                  const prepared_scenario& shared,
                  const run_options& how,
                  const live_options& live,
                  store::client* store,
                  std::vector<events::observer*> observers);
  ~live_simulation();
  live_simulation(const live_simulation&) = delete;
  live_simulation& operator=(const live_simulation&) = delete;

  /// To its end, or until `how.stop` says so; up to when it came.
  sim_time run();

  [[nodiscard]] runtime::live_system& system() { return live_; }
  [[nodiscard]] const runtime::shared_world& world() const { return world_; }

 private:
  template <class Core>
  void spawn(node_id node, Core core);
  void spawn_all();
  /// With other processes: all rides are known beforehand. A hash of them.
  std::string foretell_rides(const prepared_scenario& shared);
  [[nodiscard]] actors::store_access store_access();
  /// Has all drivers come to work while time stands at its beginning: that of a million takes
  /// seconds.
  void bring_drivers();
  /// `when`: as the machine's clock has it; now if nothing.
  void begin(std::optional<std::chrono::nanoseconds> when);
  [[nodiscard]] bool is_here(node_id n) const { return !live_.is_elsewhere(n); }
  void wait();
  void post(const runtime::event& e);
  [[nodiscard]] bool is_stopped() const;

  const scenario::scenario& scenario_;
  const run_options& how_;
  const live_options& options_;
  store::client* store_;  ///< where leases are kept; null: here
  std::vector<events::observer*> observers_;
  std::string rides_;  ///< a hash of those that are foretold
  runtime::shared_world world_;
  runtime::live_system live_;
  runtime::live_threads configuration_;
  caf::actor_system actors_;
};

}  // namespace dibs::engine
