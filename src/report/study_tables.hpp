/// What a page of many runs holds, as tables for papers (Markdown) and programs (CSV): a sweep, a
/// choice, a map of where everything holds, the survival table, runs side by side.
#pragma once

#include "base/result.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace dibs::report {

/// `model`: the page's, from `sweep_model_of`, `choice_model_of` or `runs_model_of`. Errors (exit
/// 2): a page of another kind.
[[nodiscard]] result<std::string> markdown_of_study(const std::string& model);

/// One kind of row under one heading, whatever the study holds. Errors: as above.
[[nodiscard]] result<std::string> csv_of_study(const std::string& model);

/// The same of what `dibs region --format json` prints.
[[nodiscard]] std::string csv_of_region(const nlohmann::ordered_json& region);

}  // namespace dibs::report
