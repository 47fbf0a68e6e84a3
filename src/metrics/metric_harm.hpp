/// Which harm a metric of the catalogue counts or measures.
#pragma once

#include "metrics/metrics.hpp"

#include <optional>
#include <string_view>

namespace dibs::metrics {

/// Nothing for a metric of service, which no single harm makes worse.
[[nodiscard]] std::optional<harm_kind> harm_behind(std::string_view metric);

}  // namespace dibs::metrics
