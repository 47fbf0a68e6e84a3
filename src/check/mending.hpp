/// Tries mends of what befalls a scenario: each with the cause, for what it takes away, and
/// without, for what it costs.
#pragma once

#include "base/result.hpp"
#include "check/study.hpp"

#include <span>

namespace dibs::check {

/// Fills in the cheapest mend of each row that breaks or degrades. One works if at least half of
/// the row's worst harm is gone and nothing breaks any more. Where one costs nothing that can be
/// seen, no further ones are tried; where none works, the scenario's own settings are put back one
/// by one. Of rows that degrade less than a few others only what worked for an earlier one is
/// tried. Requires: the worst first.
[[nodiscard]] result<void> mend_all(const study& of, std::span<befallen> all);

}  // namespace dibs::check
