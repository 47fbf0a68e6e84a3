/// Which figures are shown of a study that was kept as JSON.
#pragma once

#include "base/result.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace dibs::report {

/// Has what shows the study show these metrics alone; all, if none is named. Errors (exit 2): a
/// choice does not hold one of them; of where everything holds there are no figures to choose from.
[[nodiscard]] result<void> keep_shown(nlohmann::ordered_json& study,
                                      const std::vector<std::string>& metrics);

/// The metrics of a choice that are shown, in their order. Requires: its rows have their `metrics`.
[[nodiscard]] std::vector<std::string> shown_of(const nlohmann::ordered_json& tuning);

/// Whether `keep_shown` chose them.
[[nodiscard]] bool is_chosen(const nlohmann::ordered_json& tuning);

}  // namespace dibs::report
