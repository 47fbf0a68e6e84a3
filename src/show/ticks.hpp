/// Where an axis of time has its marks: at whole steps, as near to each other as their labels let
/// them be.
#pragma once

#include "base/time.hpp"

#include <functional>
#include <string>
#include <vector>

namespace dibs::show {

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

}  // namespace dibs::show
