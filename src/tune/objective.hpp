/// The goal of a search: its objective, the constraints that a choice must meet, and the metrics
/// that are shown of each value.
#pragma once

#include "base/result.hpp"
#include "scenario/scenario.hpp"
#include "sweep/experiment.hpp"
#include "sweep/metric_formula.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace dibs::tune {

/// How many seconds of a hidden driver a missed accept weighs, unless the user says.
inline constexpr double missed_weight_standard_s = 30;

struct objective_request {
  std::string objective;                    ///< empty: missed accepts against hidden supply
  std::optional<double> missed_weight_s{};  ///< nothing: `missed_weight_standard_s`
  std::vector<std::string> constraints;
  bool allows_doubles = false;       ///< what is forbidden (see `forbidden_metrics`) is only shown
  std::vector<std::string> shown{};  ///< metrics besides `shown_metrics`
};

struct objective_spec {
  sweep::metric_formula objective;
  std::vector<sweep::metric_formula> constraints;  ///< their room
  std::vector<sweep::metric_formula> shown;        ///< `shown_metrics`, then those asked for
  std::vector<sweep::metric_formula> forbidden;    ///< as `forbidden_metrics`
  bool allows_doubles = false;
  std::vector<sweep::metric_formula>
      missed_and_hidden;  ///< per ride: a count, and seconds; as they are traded off
  std::vector<scenario::bound> thresholds;
  std::vector<sweep::metric_formula> bounded;  ///< the metric of each threshold
  sweep::metric_index index;                   ///< what runs have to be asked for

  /// Errors (exit 2): as `metric_formula`.
  [[nodiscard]] static result<objective_spec> make(const objective_request& r,
                                                   const std::vector<scenario::bound>& thresholds);

  /// The objective of each of the first `n` runs (its pseudo-values), turned so that less is
  /// better. None if it has no value.
  [[nodiscard]] std::vector<double> costs(std::span<const sweep::sample> runs, std::size_t n) const;

  /// What is forbidden and was seen in some run of a point, of any seed: a harm that is not
  /// allowed, or that a run got nowhere and was ended; empty if nothing was. One run refutes what
  /// has to hold in all.
  [[nodiscard]] std::string harm_of(const sweep::experiment& l, std::uint32_t point) const;

  /// Why a point cannot be chosen, by its runs so far: a broken promise, a forbidden harm, a
  /// constraint that is shown to be missed, no value of the objective. Empty if it can.
  [[nodiscard]] std::string rejection_reason(const sweep::experiment& l,
                                             std::uint32_t point,
                                             sweep::seed_block b) const;

  /// Whether every constraint is shown to be met, but for this probability: the standard, or less
  /// where a value was looked for that only just meets them. One that asks for none is met where
  /// none was seen.
  static constexpr double tail_standard = 0.05;
  static constexpr double tail_at_range_end = 0.001;
  [[nodiscard]] bool is_met(std::span<const sweep::sample> runs, double tail = tail_standard) const;
};

}  // namespace dibs::tune
