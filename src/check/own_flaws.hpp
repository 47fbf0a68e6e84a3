/// What is wrong with a scenario before anything befalls it.
#pragma once

#include "base/result.hpp"
#include "check/study.hpp"

#include <span>
#include <vector>

namespace dibs::check {

/// What a change would mend although nothing befalls the scenario: settings of its own put back,
/// the mends of the study, clocks that are right. A row for the harm that no trip should see, and
/// one for service, if the change gains something worth telling and costs less than half of that.
/// Looked for where the rules of `known` that do harm are set right.
[[nodiscard]] result<std::vector<row>> flaws_as_it_stands(const study& whole,
                                                          std::span<const befallen> known);

}  // namespace dibs::check
