/// One scenario and one seed give one result.
#pragma once

#include "base/result.hpp"
#include "checkers/run_checker.hpp"
#include "engine/stall.hpp"
#include "events/observer.hpp"
#include "metrics/metrics.hpp"
#include "scenario/scenario.hpp"

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace dibs::engine {

struct progress {
  sim_time reached{};
  sim_time ends{};
  std::uint64_t events = 0;  ///< messages delivered and timers fired
};

/// How events reach the actors. Both give the same history.
enum class delivery : std::uint8_t {
  direct,   ///< plain data straight to the core
  mailbox,  ///< through each CAF actor's mailbox
};

struct run_options {
  std::uint64_t seed = 1;
  std::uint32_t first = 0;  ///< of several replications, the number of the first
  engine::delivery delivery = engine::delivery::direct;
  /// From here on nothing goes wrong any more: links are perfect and what is under way arrives at
  /// once, no fault strikes and whoever is out of action is back, clocks are right, phones stay
  /// connected, matchers see the drivers as they are. People, protocol and what was forgotten
  /// before stay as they are. Until then the history is the one without it.
  std::optional<sim_time> fault_free_from{};
  /// Healed links lose nothing, but take their time as ever, what is under way goes on as it was
  /// sent, and views lag: only what goes wrong is mended.
  bool keeps_ordinary_delays = false;
  bool observe = true;  ///< metrics and checkers; off in benchmarks only
  /// Metrics, checkers and the hash read on a thread of their own, for where a processor is idle.
  bool observes_on_second_thread = false;
  /// More readers of the history, in addition to metrics, checkers and the hash; always on the
  /// run's thread.
  std::vector<events::observer*> observers{};
  /// Called every few thousand events, on the run's thread.
  std::function<void(const progress&)> on_progress{};
  /// The command that repeats a replication, for a programmer's error to print.
  std::function<std::string(std::uint64_t seed)> replay_line{};
  /// Set it to stop at the next event boundary; the result says so.
  const std::atomic<bool>* stop = nullptr;
};

struct run_result {
  std::uint64_t seed = 0;
  std::string history;       ///< hash, 16 hexadecimal digits
  std::uint64_t facts = 0;   ///< recorded
  std::uint64_t events = 0;  ///< messages delivered and timers fired
  double wall_s = 0;
  sim_time reached{};
  bool interrupted = false;
  std::optional<stall> stuck;            ///< it got nowhere, and was ended where that was noticed
  std::vector<std::string> idle_faults;  ///< ids of those that struck nobody; live, none of links
  std::uint64_t trace_rows_dropped = 0;  ///< demand outside the bounds
  metrics::report metrics;
  checkers::check_result checks;
};

/// Runs one replication to its end. Errors: demand that cannot be read.
[[nodiscard]] result<run_result> run(const scenario::scenario& s, const run_options& how);

/// Replications with the seeds `seed_of(seed, first .. first+runs-1)`, on `jobs` threads, each in
/// an actor system of its own, with a thread of its readers where there are two jobs for each run;
/// results in the order of the seeds whatever the number of threads.
[[nodiscard]] result<std::vector<run_result>> run_many(const scenario::scenario& s,
                                                       const run_options& how,
                                                       std::uint32_t runs,
                                                       std::uint32_t jobs);

/// Has the readers of a run that is over report and judge. They must have come to one account of
/// its accepts, or S14 is broken; of a run that was cut short they count its last instant
/// differently.
void conclude(run_result& r,
              metrics::collector& measured,
              checkers::run_checker& judged,
              const scenario::scenario& s);

/// The seed of the k-th replication: the root seed itself for k = 0.
[[nodiscard]] std::uint64_t seed_of(std::uint64_t root, std::uint32_t k);

/// The ids of the faults at these places among those that wait for something.
[[nodiscard]] std::vector<std::string> ids_of_waiting(const scenario::scenario& s,
                                                      const std::vector<std::size_t>& places);

/// What to measure the scenario with: the same events and options give the same report.
[[nodiscard]] metrics::options metrics_options_of(const scenario::scenario& s);

/// What to judge the scenario by, run with this seed: the same events and options give the same
/// judgement.
[[nodiscard]] checkers::options checkers_options_of(const scenario::scenario& s,
                                                    std::uint64_t seed);

/// An estimate of the memory that a run will take, in bytes. Reads the demand's traces, and
/// allocates nothing else.
[[nodiscard]] std::uint64_t memory_estimate(const scenario::scenario& s);

}  // namespace dibs::engine
