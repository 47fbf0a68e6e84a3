/// The points of a sweep with what their runs say together: what its tables and its page are of.
#pragma once

#include "base/result.hpp"
#include "stats/estimate.hpp"
#include "sweep/journal.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dibs::sweep {

struct measured_point {
  kept_point what;
  std::size_t runs = 0;
  std::size_t broken = 0;  ///< of these: in which a promise was broken
  /// Every metric that has a value, in the order of `results::metric_names`.
  std::vector<std::pair<std::string, stats::estimate>> estimates{};

  /// Nothing if the metric has no value.
  [[nodiscard]] std::optional<stats::estimate> find(std::string_view metric) const;
};

[[nodiscard]] measured_point measured(kept_point p, std::span<const results::run_record> runs);

/// All that the journal holds. Errors: those of the journal.
[[nodiscard]] result<std::vector<measured_point>> measured_points(const journal& j);

}  // namespace dibs::sweep
