/// CAF's configuration for the actors of a live run, which wait for each other all the time.
#pragma once

#include <caf/actor_system_config.hpp>
#include <caf/atom.hpp>
#include <caf/timespan.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace dibs::runtime {

/// A worker without work sleeps for 10 ms by default, which at a speed of 100 is a second. And no
/// actor may keep a thread for itself for long while others wait.
struct live_threads : caf::actor_system_config {
  explicit live_threads(std::uint32_t threads) {
    set("scheduler.policy", caf::atom("stealing"));
    set("scheduler.max-threads", static_cast<std::size_t>(threads));
    set("scheduler.max-throughput", std::size_t{64});
    set("work-stealing.moderate-sleep-duration", caf::timespan{std::chrono::microseconds{20}});
    set("work-stealing.relaxed-sleep-duration", caf::timespan{std::chrono::microseconds{50}});
  }
};

}  // namespace dibs::runtime
