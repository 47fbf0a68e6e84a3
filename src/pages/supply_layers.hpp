/// What became of drivers' time under a lease: the words and colours in which pages and pictures
/// show it.
#pragma once

#include <array>
#include <string_view>

namespace dibs::pages {

struct supply_layer {
  std::string_view key;  ///< as in `history::supply_layers` and `supply.hidden_s.<key>`
  const char* says;
  const char* colour;  ///< in pictures; pages have theirs in report.css, for light and dark
  int stripes;         ///< degrees; 0: plain
};

inline constexpr std::array lease_layers{
    supply_layer{"converting", "a trip came of it", "#3d7edb", 0},
    supply_layer{"ignored", "ignored", "#e4572e", 45},
    supply_layer{"declined", "declined", "#f0a04b", -45},
    supply_layer{"undelivered", "offer not delivered", "#d9b310", 90},
    supply_layer{"cancelled", "ride cancelled", "#c06bb3", 20},
    supply_layer{"lost_accept", "accept lost", "#8a4fd3", -20},
    supply_layer{"denied_by_ledger", "refused by the ledger", "#8d6e63", 60},
    supply_layer{"zombie", "held by a crashed matcher", "#a0185f", 70},
    supply_layer{"overhang", "held past expiry", "#7f5539", -70},
    supply_layer{"censored", "open at the end", "#9a9a9a", 30}};

}  // namespace dibs::pages
