/// Runs points of a plan on seeds, several runs at a time.
///
/// Results are handed over one at a time, in the order in which runs end; each is the same whatever
/// the number of threads. A run that was stopped before its end is not handed over.
#pragma once

#include "base/result.hpp"
#include "engine/prepared_scenario.hpp"
#include "engine/run.hpp"
#include "results/run_record.hpp"
#include "sweep/plan.hpp"

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <utility>

namespace dibs::sweep {

struct runner_options {
  std::uint32_t jobs = 1;
  const std::atomic<bool>* stop = nullptr;
  /// How far all runs are together; called by one thread at a time.
  std::function<void(const engine::progress&)> on_progress{};
  /// The command that repeats a run, for a programmer's error to print.
  std::function<std::string(const point&, std::uint64_t seed)> replay_line{};
};

/// One run: a point of the plan, from 1, on a seed.
struct task {
  std::uint32_t point = 1;
  std::uint64_t seed = 0;
};

/// What the runs of one point share.
struct station {
  scenario::scenario scenario;
  engine::prepared_scenario shared;
};

/// Points that are run again and again: each is read once and kept. May be asked by several
/// threads.
class scenario_cache {
 public:
  /// Errors: demand that cannot be read.
  [[nodiscard]] result<std::shared_ptr<const station>> of(const plan& p, std::uint32_t point);

 private:
  std::mutex mutex_;
  std::map<std::uint32_t, std::shared_ptr<const station>> stations_;
};

/// Runs all tasks. `keep` gets the number of the task and its result, by one thread at a time; an
/// error of its own ends the study. With a stock, points stay read. Errors: demand that cannot be
/// read.
[[nodiscard]] result<void> run_tasks(
    const plan& p,
    std::span<const task> tasks,
    const runner_options& how,
    scenario_cache* kept,
    const std::function<result<void>(std::size_t, const engine::run_result&)>& keep);

/// Runs so many replications of each point but those in `finished` (point and replication). `keep`
/// is called by one thread at a time; an error of its own ends the study. Errors: demand that
/// cannot be read.
[[nodiscard]] result<void> run_rest(
    const plan& p,
    std::span<const std::uint32_t> replications,
    const std::set<std::pair<std::uint32_t, std::uint32_t>>& finished,
    const runner_options& how,
    const std::function<result<void>(const results::run_record&)>& keep);

}  // namespace dibs::sweep
