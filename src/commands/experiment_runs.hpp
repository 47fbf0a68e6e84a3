/// Runs of a search or a map, with their progress on standard error.
#pragma once

#include "base/stopwatch.hpp"
#include "commands/progress_watcher.hpp"
#include "tune/tune.hpp"
#include "work/shared_study.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace dibs::commands {

struct experiment_run_options {
  std::uint32_t jobs = 1;
  bool quiet = false;
  /// That a search may take, for one line of progress over all that it tries; it may end before.
  /// Without either, what is tried together has a line of its own.
  std::uint64_t runs = 0;
  std::optional<double> seconds{};
  /// Shared with other processes, if not null.
  work::journal* journal = nullptr;
  work::decider_options decider{};
};

class experiment_runs {
 public:
  /// All must outlive it.
  experiment_runs(sweep::search_space& where,
                  const std::string& program,
                  experiment_run_options how)
      : space_(where), program_(program), how_(how) {}

  [[nodiscard]] sweep::batch_runner experiment(const std::vector<std::string>& metrics);

  /// What is about to be done, on a terminal.
  void say(const std::string& what);
  /// Takes the progress line away; the next runs draw it again.
  void clear();

 private:
  [[nodiscard]] bool is_of_all() const { return how_.runs > 0 || how_.seconds; }
  /// Shows so many runs, as a part of all that may come where that is known.
  [[nodiscard]] std::function<void(const engine::progress&)> progress_of(std::size_t tasks);

  [[nodiscard]] sweep::batch_runner shared_experiment(const std::vector<std::string>& metrics);
  [[nodiscard]] result<void> run_shared(std::span<const sweep::task> tasks,
                                        const std::vector<std::string>& metrics,
                                        const sweep::observer& keep);

  sweep::search_space& space_;
  const std::string& program_;
  experiment_run_options how_;
  sweep::scenario_cache cache_;
  std::unique_ptr<work::shared_study> shared_;
  std::unique_ptr<watcher> watcher_;
  stopwatch watch_;
  std::uint64_t done_ = 0;    ///< runs, before those that are under way
  std::uint64_t events_ = 0;  ///< of these
};

/// Says what is wrong with a scenario or a grid, and returns the exit code.
[[nodiscard]] int refuse(const sweep::planning_error& problem);

/// Errors: so many runs at a time would not fit into memory.
[[nodiscard]] result<void> check_room(const sweep::plan& p, std::uint32_t jobs);

}  // namespace dibs::commands
