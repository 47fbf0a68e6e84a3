/// How far runs are from missing a condition.
#pragma once

#include "sweep/metric_formula.hpp"

#include <optional>
#include <span>

namespace dibs::sweep {

/// How much room a condition leaves, from many runs.
struct constraint_margin {
  double room = 0;
  double least = 0;  ///< one-sided bounds, each but for a probability
  double most = 0;
  /// It asks for none (`metric_formula::asks_for_none`), and none was seen.
  bool only_refutable = false;
};

/// Nothing if it has no value, or there is but one run.
[[nodiscard]] std::optional<constraint_margin> constraint_margin_of(const metric_formula& condition,
                                                                    std::span<const sample> runs,
                                                                    double tail);

}  // namespace dibs::sweep
