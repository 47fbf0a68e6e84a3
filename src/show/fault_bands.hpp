/// When who was out of action, for the bands of a drawing.
#pragma once

#include "show/chronicle.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace dibs::show {

struct fault_band {
  std::string what;  ///< crash, pause or partition
  std::string who;   ///< `matcher/3`, or `matcher/1 - lease_manager`
  metrics::interval when;
};

/// Crashes and pauses as the events tell them, partitions as the scenario does; by their begin.
[[nodiscard]] std::vector<fault_band> fault_bands(const history& h);

[[nodiscard]] nlohmann::ordered_json fault_bands_json(const chronicle& c);

}  // namespace dibs::show
