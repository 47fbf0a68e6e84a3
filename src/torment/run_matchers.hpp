/// The matcher processes of one run: started, struck, waited for, and what they put on record.
#pragma once

#include "base/result.hpp"
#include "events/facts.hpp"
#include "torment/cases.hpp"
#include "torment/faults.hpp"
#include "torment/plan.hpp"
#include "torment/process.hpp"
#include "torment/run_stores.hpp"
#include "torment/start_barrier.hpp"

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace dibs::torment {

/// What all processes of a run are told alike.
struct run_terms {
  const real_case* what = nullptr;
  std::string program;  ///< that has the command `matcher`
  std::uint64_t seed = 0;
  sim_duration length{};
  const std::atomic<bool>* stop = nullptr;  ///< set to break off
};

/// Not copied. What it started ends when it goes.
class run_matchers {
 public:
  /// `stores` outlives it. `folder`: of the run.
  run_matchers(run_terms terms, std::filesystem::path folder, const run_stores& stores);

  /// Starts them, waits until all are connected, and lets them begin. Errors: one cannot be
  /// started, or does not connect; stopped (exit code 130).
  [[nodiscard]] result<void> begin();
  /// When the run began, as `machine_time` has it.
  [[nodiscard]] sim_duration began() const { return began_; }
  [[nodiscard]] result<void> apply(const real_fault& f);
  /// Until some matcher has a grant on record that it has not now, or for 3 s. Errors: stopped.
  [[nodiscard]] result<void> wait_for_a_grant() const;
  /// Errors: one does not end; stopped.
  [[nodiscard]] result<void> wait_for_the_end();
  /// What each put on record, in each of its lives. Errors: as `read_facts`.
  [[nodiscard]] result<std::vector<std::vector<events::event>>> facts() const;

 private:
  [[nodiscard]] matcher_plan plan_of(std::uint32_t process) const;
  [[nodiscard]] result<void> start(std::uint32_t process);
  [[nodiscard]] result<void> wait_until_connected();
  [[nodiscard]] std::string log_of(std::uint32_t process) const;

  run_terms terms_;
  std::filesystem::path folder_;
  const run_stores& stores_;
  start_barrier barrier_;
  sim_duration began_{};
  std::vector<process> processes_;
  std::vector<std::uint32_t> lives_;
};

}  // namespace dibs::torment
