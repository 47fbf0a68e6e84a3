/// Where an axis has its marks: of time at whole steps, as near to each other as their labels let
/// them be; of values at a few round ones.
#pragma once

#include "base/time.hpp"

#include <functional>
#include <string>
#include <vector>

namespace dibs::pages {

struct time_tick {
  sim_time at{};
  std::string label;
};

/// `label` says an instant, on an axis of this step. Nothing where not even two labels fit.
[[nodiscard]] std::vector<time_tick> time_ticks(
    sim_time from,
    sim_time until,
    double width,
    double letters,
    const std::function<std::string(sim_time, sim_duration)>& label);

/// Whole multiples of 1, 2 or 5 times a power of ten, from the first above 0 up to `most`: two to
/// five of them. Requires: most > 0.
[[nodiscard]] std::vector<double> value_ticks(double most);

}  // namespace dibs::pages
