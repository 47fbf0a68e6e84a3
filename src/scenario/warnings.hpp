/// Warnings about a valid scenario: fields that have no effect, and settings that nobody can mean.
#pragma once

#include "scenario/scenario.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dibs::scenario {

/// Why the metric cannot be anything but 0 in any run of the scenario; nothing where it may.
[[nodiscard]] std::optional<std::string> why_zero(const scenario& s, std::string_view metric);

/// Of traces what was left out, laid together or is doubted, and those without a row in the
/// simulated hours, with the hours that they have; other sources of
/// rides that begin when no more rides come; fields that a profile would fill otherwise; thresholds
/// on figures that can only be 0. Requires: a scenario that was read, with its rows.
[[nodiscard]] std::vector<std::string> remarks_on(const scenario& s);

}  // namespace dibs::scenario
