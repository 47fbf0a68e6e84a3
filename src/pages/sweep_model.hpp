/// What a page shows of a sweep, from its journal. Valid JSON, and safe within a script element.
#pragma once

#include "base/result.hpp"
#include "scenario/scenario.hpp"
#include "sweep/journal.hpp"

#include <optional>
#include <string>

namespace dibs::pages {

struct sweep_model_options {
  std::string directory;  ///< as the user typed it
  std::string version;    ///< of dibs
  /// Whose thresholds say what is safe; without it no point is called so.
  std::optional<scenario::scenario> scenario;
};

/// Every metric of every point with its 95 % interval, as in `summary.csv`. Errors (exit 3): a
/// damaged journal, or one that holds no run.
[[nodiscard]] result<std::string> sweep_model_of(const sweep::journal& j,
                                                 const sweep_model_options& how);

}  // namespace dibs::pages
