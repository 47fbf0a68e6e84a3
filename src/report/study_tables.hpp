/// What was kept of a choice, of a map of where everything holds or of a survival table, as tables
/// for papers (Markdown) and programs (CSV).
#pragma once

#include "base/result.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace dibs::report {

/// `model`: the page's, from `choice_model_of`. Errors (exit 3): a part of it is missing.
[[nodiscard]] result<std::string> markdown_of_study(const nlohmann::ordered_json& model);

/// One kind of row under one heading, whatever the study holds. Errors: as above.
[[nodiscard]] result<std::string> csv_of_study(const nlohmann::ordered_json& model);

/// The same of what `dibs tune --format json` and `dibs region --format json` print.
[[nodiscard]] std::string csv_of_tuning(const nlohmann::ordered_json& tuning);
[[nodiscard]] std::string csv_of_region(const nlohmann::ordered_json& region);

}  // namespace dibs::report
