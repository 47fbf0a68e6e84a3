/// How long drivers took to answer, as a page holds it.
#pragma once

#include "history/indexed_run.hpp"

#include <nlohmann/json.hpp>

namespace dibs::pages {

/// `response_times`, in sixty steps up to twice the time that drivers had.
[[nodiscard]] nlohmann::ordered_json responses_json(const history::indexed_run& c);

}  // namespace dibs::pages
