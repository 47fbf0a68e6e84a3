/// What a page shows of a sweep, from its journal.
#pragma once

#include "scenario/scenario.hpp"
#include "sweep/journal.hpp"
#include "sweep/measured_point.hpp"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <vector>

namespace dibs::pages {

struct sweep_model_options {
  std::string directory;  ///< as the user typed it
  std::string version;    ///< of dibs
  /// Whose thresholds say what is safe; without it no point is called so.
  std::optional<scenario::scenario> scenario;
  std::vector<std::string> metrics{};  ///< what curves are drawn of; empty: both harms and service
};

/// Every metric of every point with its 95 % interval, as in `summary.csv`. `points`: all of the
/// journal, at least one.
[[nodiscard]] nlohmann::ordered_json sweep_model_of(
    const sweep::journal& j,
    const std::vector<sweep::measured_point>& points,
    const sweep_model_options& how);

}  // namespace dibs::pages
