/// Warnings about a valid scenario: fields that have no effect, and settings that nobody can mean.
#pragma once

#include "scenario/scenario.hpp"

#include <string>
#include <vector>

namespace dibs::scenario {

/// Traces without a row in the simulated hours, with the hours that they have; thresholds on
/// figures that cannot be anything but 0. Requires: a scenario that was read, with its rows.
[[nodiscard]] std::vector<std::string> remarks_on(const scenario& s);

}  // namespace dibs::scenario
