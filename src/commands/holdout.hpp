/// Runs the values of a search again on the demand of another scenario (`--holdout`).
#pragma once

#include "commands/experiment_runs.hpp"
#include "sweep/experiment.hpp"
#include "sweep/search_space.hpp"
#include "sweep/stuck_runs.hpp"
#include "tune/objective.hpp"
#include "tune/tuning_result.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace dibs::commands {

struct tune_request;

/// Whether two scenarios come to the same runs: all alike but for what they are called.
[[nodiscard]] result<bool> is_same_demand(const sweep::plan& a, const sweep::plan& b);

class holdout {
 public:
  /// `elapsed` are the seconds of the budget that are gone, if it is in time; `others` work on it
  /// too, if not null. All must outlive it.
  holdout(const tune_request& r,
          const std::string& program,
          sweep::search_space& there,
          const tune::objective_spec& what,
          std::function<double()> elapsed,
          work::journal* others);

  /// Of a budget in runs, what it takes at most: a value for each row of the answer.
  [[nodiscard]] std::uint64_t runs_to_hold_back(std::uint64_t budget) const;

  /// Of a budget in time, by the pace of a first run: what all rows take, a quarter at most.
  /// Errors: those of the run.
  [[nodiscard]] result<double> seconds_to_hold_back();

  /// The rows of the answer on as many seeds as the budget has left; without rows if it has too
  /// few. Errors: those of the runs; the answer makes no valid scenario there.
  [[nodiscard]] result<tune::tuning> judge(const tune::tuning& found, std::uint64_t left);

  /// With its name there in each label.
  [[nodiscard]] std::vector<sweep::stuck_point> stuck() const;

 private:
  [[nodiscard]] std::uint64_t rows() const;

  const tune_request& asked_;
  sweep::search_space& there_;
  const tune::objective_spec& what_;
  std::function<double()> elapsed_;
  experiment_runs runs_;
  sweep::experiment experiment_;
};

}  // namespace dibs::commands
