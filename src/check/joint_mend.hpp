/// One design against all that breaks the scenario.
#pragma once

#include "base/result.hpp"
#include "check/study.hpp"

#include <optional>
#include <span>

namespace dibs::check {

/// The mends of all rows that break, put together: under how many of these causes it breaks all the
/// same, and what it costs. Nothing where one mend is all there is, or they do not go together.
[[nodiscard]] result<std::optional<joint_mend>> mends_together(const study& of,
                                                               std::span<const befallen> all);

}  // namespace dibs::check
