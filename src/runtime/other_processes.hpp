/// The other processes of a live run that lies over several: who is there, and what goes to them.
///
/// A process has some of the run's nodes, and a copy of the record of who is available. Its own
/// facts it hands on in order; what its nodes say to nodes elsewhere, after all facts before it.
#pragma once

#include "base/ids.hpp"
#include "base/time.hpp"
#include "events/observer.hpp"
#include "runtime/driver_availability.hpp"
#include "runtime/event.hpp"

#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace dibs::runtime {

class live_system;

/// How often processes send each other what there is, in seconds.
inline constexpr double exchange_every = 0.002;

/// Observes the facts of this process, as they are merged.
class other_processes : public events::observer {
 public:
  // -- for nodes, on any thread

  [[nodiscard]] virtual bool have(node_id n) const = 0;
  /// Sent at `sent`, and each due at its `due`, which is later.
  virtual void carry(sim_time sent, std::span<const event> mail) = 0;
  virtual void carry(const lapse_notice& lapse) = 0;

  // -- for whoever drives the run, on its thread

  /// Who reads the merged history of all; nobody where this process is not the host.
  virtual void set_readers(std::vector<events::observer*> readers) = 0;
  /// All drivers of this process have come to work, and it foresees these rides, as a hash. Waits
  /// for the others; when the run begins, as the machine's clock has it. Nothing: it does not.
  [[nodiscard]] virtual std::optional<std::chrono::nanoseconds> await_start(
      live_system& system, const std::string& rides) = 0;
  /// Sends what is there, and takes in what has come. `sure`: all facts before it were observed.
  /// Up to when the history is merged.
  virtual sim_time exchange(sim_time sure) = 0;
  /// Waits in reality, for less if something comes.
  virtual void wait(double seconds) = 0;
  [[nodiscard]] virtual bool is_stopped() const = 0;
  /// The run is over here, and all facts were observed. Waits for those of the others.
  virtual void finish() = 0;
};

}  // namespace dibs::runtime
