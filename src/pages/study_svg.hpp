/// A page of many runs as one picture (SVG), for papers and dashboards: the curves of a sweep, the
/// trade-off of a choice, the map of where everything holds, the survival table. No script, no font
/// of its own, and nothing by colour alone.
#pragma once

#include "base/result.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace dibs::pages {

/// `model`: the page's, from `sweep_model_of` or `choice_model_of`. Errors: a page of another kind
/// (exit 2), a part is missing (exit 3).
[[nodiscard]] result<std::string> study_svg(const nlohmann::ordered_json& model);

}  // namespace dibs::pages
