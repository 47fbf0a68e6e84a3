/// The map of a page: where drivers and riders were, where supply was hidden and riders blocked.
#pragma once

#include "history/indexed_run.hpp"
#include "pages/drawn_sample.hpp"

#include <nlohmann/json.hpp>

#include <string>

namespace dibs::pages {

/// Seconds by square cell, over all drivers and rides within the measured time; null without
/// geography.
[[nodiscard]] nlohmann::ordered_json map_json(const history::indexed_run& c,
                                              const drawn_sample& kept);

/// Where each driver was from when on: came online, picked up a rider, ended a trip; in metres east
/// and north of the middle of the map.
[[nodiscard]] std::string places_json(const history::indexed_run& c, const drawn_sample& kept);

/// When each driver went off line; she is back at her next place.
[[nodiscard]] std::string gone_json(const history::indexed_run& c, const drawn_sample& kept);

}  // namespace dibs::pages
