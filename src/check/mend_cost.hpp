/// What a change of the design costs where nothing befalls it.
#pragma once

#include "base/result.hpp"
#include "check/study.hpp"

#include <string>
#include <vector>

namespace dibs::check {

struct mend_cost {
  scenario::scenario mended;
  tried_mend told;
  bool breaks = false;
};

/// What the mend costs, in points, as far as the intervals leave no doubt.
[[nodiscard]] double cost_seen(const tried_mend& m);

/// Errors: the change leaves no scenario, or a run fails.
[[nodiscard]] result<mend_cost> cost_of(const study& of, const mend& m);

/// What is judged of a change besides what every pair is judged by: accepts missed, and the way to
/// the pick-up.
[[nodiscard]] const std::vector<std::string>& figures_of_changes();

}  // namespace dibs::check
