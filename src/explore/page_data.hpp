/// What the page is told: of its sliders once, of a point whenever that has more runs. JSON; every
/// figure stands beside its text, which reads as in other reports.
#pragma once

#include "explore/place.hpp"
#include "results/run_results.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace dibs::explore {

/// Path, stops, own stop and sentence of each.
[[nodiscard]] nlohmann::ordered_json sliders_json(const std::vector<slider>& sliders,
                                                  const explored_scenario& s);

/// The figures of a point. Requires: runs.
[[nodiscard]] std::string point_text(const results::run_results& a,
                                     const std::vector<slider>& sliders);

/// Why there is nothing to see at a place.
[[nodiscard]] std::string objection_text(const objection& o);

/// What repeats the runs of a point, to be pasted where dibs was started.
[[nodiscard]] std::string command_of(const results::run_results& a);

/// The scenario with all fields, as a file of its own.
[[nodiscard]] std::string file_of(const results::run_results& a);

}  // namespace dibs::explore
