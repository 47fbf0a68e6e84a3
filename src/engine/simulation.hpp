/// One replication: the world, the cores, their CAF actors and the observers, wired together.
#pragma once

#include "actors/demand.hpp"
#include "actors/driver.hpp"
#include "actors/lease_manager.hpp"
#include "actors/ledger.hpp"
#include "actors/matcher.hpp"
#include "actors/rider.hpp"
#include "actors/sweeper.hpp"
#include "engine/prepared_scenario.hpp"
#include "engine/run.hpp"
#include "engine/watchdog.hpp"
#include "runtime/kernel.hpp"
#include "runtime/shared_world.hpp"
#include "runtime/virtual_scheduler.hpp"

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>

#include <optional>
#include <vector>

namespace dibs::engine {

class simulation {
 public:
  simulation(const scenario::scenario& s,
             const prepared_scenario& shared,
             const run_options& how,
             std::vector<events::observer*> observers);
  ~simulation();
  simulation(const simulation&) = delete;
  simulation& operator=(const simulation&) = delete;

  /// To its end, or until `how.stop` says so or the watchdog, which must be among the observers,
  /// finds that it gets nowhere.
  std::optional<stall> run(watchdog* watch = nullptr);

  /// The faults that wait for something and have not struck, by their place among those.
  [[nodiscard]] std::vector<std::size_t> idle_faults() {
    return kernel_.with_triggered_faults([](const auto& t) { return t.idle(); });
  }
  [[nodiscard]] const runtime::kernel& kernel() const { return kernel_; }
  /// An actor system like any other, in virtual time: for tests that bring actors of their own.
  [[nodiscard]] caf::actor_system& system() { return system_; }
  [[nodiscard]] runtime::virtual_scheduler& scheduler() { return scheduler_; }

 private:
  /// CAF's configuration with our scheduler in place of its own.
  struct configuration : caf::actor_system_config {
    configuration() { load<runtime::virtual_scheduler>(); }
  };

  void host_cores();
  void begin();
  void start_managers();

  const scenario::scenario& scenario_;
  const run_options& how_;
  runtime::shared_world world_;
  runtime::kernel kernel_;
  std::vector<actors::driver> drivers_;
  std::vector<actors::rider> riders_;
  std::vector<actors::matcher> matchers_;
  std::vector<actors::lease_manager> lease_managers_;
  std::vector<actors::ledger> ledgers_;
  std::vector<actors::demand> demands_;
  std::vector<actors::sweeper> sweepers_;
  configuration configuration_;
  caf::actor_system system_;
  runtime::virtual_scheduler& scheduler_;
};

}  // namespace dibs::engine
