/// What a search is for: an objective, the constraints that a choice must meet, and what people
/// want to see of each value.
#pragma once

#include "base/result.hpp"
#include "scenario/scenario.hpp"
#include "study/formula.hpp"
#include "study/lab.hpp"

#include <span>
#include <string>
#include <vector>

namespace dibs::study {

/// How many seconds of a hidden driver a missed accept weighs, unless the user says.
inline constexpr double missed_weight_standard_s = 30;

struct goal_request {
  std::string objective;  ///< empty: missed accepts against hidden supply
  double missed_weight_s = missed_weight_standard_s;
  std::vector<std::string> constraints;
};

struct goal {
  formula objective;
  std::vector<formula> constraints;  ///< their room
  std::vector<formula> shown;        ///< as `shown_metrics`
  std::vector<formula>
      missed_and_hidden;  ///< per ride: a count, and seconds; as they are traded off
  std::vector<scenario::bound> thresholds;
  std::vector<formula> bounded;  ///< the metric of each threshold
  metric_index index;            ///< what runs have to be asked for

  /// Errors (exit 2): as `formula`.
  [[nodiscard]] static result<goal> make(const goal_request& r,
                                         const std::vector<scenario::bound>& thresholds);

  /// The objective of each of the first `n` runs (its pseudo-values), turned so that less is
  /// better. None if it has no value.
  [[nodiscard]] std::vector<double> costs(std::span<const sample> runs, std::size_t n) const;

  /// Why a point cannot be chosen, by its runs so far: a broken promise, a constraint that is shown
  /// to be missed, no value of the objective. Empty if it can.
  [[nodiscard]] std::string flaw_of(const lab& l, std::uint32_t point, block b) const;

  /// Whether every constraint is shown to be met, but for this probability: the standard, or less
  /// where a value was looked for that only just meets them.
  static constexpr double tail_standard = 0.05;
  static constexpr double tail_at_edge = 0.001;
  [[nodiscard]] bool is_met(std::span<const sample> runs, double tail = tail_standard) const;
};

}  // namespace dibs::study
