/// A point that somebody looks at, with the runs that it has so far.
///
/// Runs count in the order of their seeds, and only up to the first that is missing: so the figures
/// after k runs are those of `dibs run --runs k`, whichever run ended first.
#pragma once

#include "engine/prepared_scenario.hpp"
#include "explore/explored_scenario.hpp"
#include "results/run_results.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace dibs::explore {

class looked_point {
 public:
  /// What is told of some runs.
  using teller = std::function<std::string(const results::run_results&)>;

  /// `so_far`: scenario, program, file, overrides and seed; no runs.
  looked_point(results::run_results so_far, engine::prepared_scenario shared);

  [[nodiscard]] const scenario::scenario& scenario() const { return all_.scenario; }
  [[nodiscard]] const engine::prepared_scenario& shared() const { return shared_; }

  /// Takes the run on the k-th seed. How many runs count now. May be called by several threads.
  [[nodiscard]] std::uint32_t add(std::uint32_t k, engine::run_result run);

  /// Of how many runs they are: more may have come since they were asked for.
  struct words {
    std::shared_ptr<const std::string> text;
    std::uint32_t runs = 0;
  };

  /// What `tell` says of the runs that count; of the same runs it is asked once. Once there are as
  /// many as seeds, the words stay and the runs go: those of a city take megabytes each. Requires:
  /// then nobody runs it any more.
  [[nodiscard]] words told(const teller& tell, std::uint32_t seeds);

 private:
  std::mutex mutex_;
  results::run_results all_;
  engine::prepared_scenario shared_;
  std::map<std::uint32_t, engine::run_result> ahead_;  ///< of one before them
  std::shared_ptr<const std::string> told_;
  std::size_t told_runs_ = 0;
  bool is_over_ = false;
};

}  // namespace dibs::explore
