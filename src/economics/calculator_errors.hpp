/// What the lease-economics calculator of the document "Lease Pattern: time-bound resource
/// ownership" gets wrong, in sentences with the numbers of one case.
///
/// Says nothing about a case in which a mistake does not show: where the minimum lease is a whole
/// number of seconds, nothing is cut off it.
#pragma once

#include "economics/calculator.hpp"

#include <string>
#include <vector>

namespace dibs::economics {

/// One sentence for each mistake, the most expensive first; plain ASCII, no line breaks. `said` is
/// what `compat(p)` and `right` what `corrected(p)` answered.
[[nodiscard]] std::vector<std::string> faults(const parameters& p,
                                              const result<compat_answer>& said,
                                              const corrected_answer& right);

}  // namespace dibs::economics
