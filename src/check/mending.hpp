/// Tries mends: each on the scenario with the cause, for what it takes away, and on the scenario as
/// it stands, for what it costs.
#pragma once

#include "base/result.hpp"
#include "check/study.hpp"

#include <span>
#include <vector>

namespace dibs::check {

/// Fills in the cheapest mend of each row that breaks, and of the few that degrade most. One works
/// if at least half of the row's worst harm is gone and nothing breaks any more. Where one costs
/// nothing that can be seen, no further ones are tried. Requires: the worst first.
[[nodiscard]] result<void> mend_all(const study& of, std::span<befallen> all);

/// What a change would mend although nothing befalls the scenario: settings of its own put back,
/// the mends of the study, clocks that are right. A row for the harm that no trip should see, and
/// one for service, if the change gains something worth telling and costs less than half of that.
/// Not what a rule in `known` mends already.
[[nodiscard]] result<std::vector<row>> flaws_as_it_stands(const study& of,
                                                          std::span<const befallen> known);

}  // namespace dibs::check
