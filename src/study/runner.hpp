/// Runs what a plan still lacks, several runs at a time.
///
/// Results are handed over one at a time, in the order in which runs end; each is the same whatever
/// the number of threads. A run that was stopped before its end is not handed over.
#pragma once

#include "base/result.hpp"
#include "engine/run.hpp"
#include "study/plan.hpp"
#include "study/record.hpp"

#include <atomic>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <utility>

namespace dibs::study {

struct runner_options {
  std::uint32_t jobs = 1;
  const std::atomic<bool>* stop = nullptr;
  /// How far all runs are together; called by one thread at a time.
  std::function<void(const engine::progress&)> on_progress{};
  /// The command that repeats a run, for a programmer's error to print.
  std::function<std::string(const point&, std::uint64_t seed)> replay_line{};
};

/// Runs everything but what is in `finished` (point and replication). `keep` is called by one
/// thread at a time; an error of its own ends the study. Errors: demand that cannot be read.
[[nodiscard]] result<void> run_rest(
    const plan& p,
    const std::set<std::pair<std::uint32_t, std::uint32_t>>& finished,
    const runner_options& how,
    const std::function<result<void>(const run_record&)>& keep);

}  // namespace dibs::study
