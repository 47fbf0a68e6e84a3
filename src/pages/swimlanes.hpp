/// Swim-lanes of one breach, as bars and words on lanes: what a picture draws.
#pragma once

#include "explain/harm.hpp"
#include "history/fault_intervals.hpp"
#include "history/message_in_flight.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace dibs::pages {

struct lane {
  std::string name;
  int tracks = 1;
  node_id of;
};

/// A lease is outlived by its trip where it was over before the trip was written down.
enum class bar_kind {
  lease_converted,
  lease_in_vain,
  trip,
  belief,
  stale_belief,
  screen,
  lease_outlived
};

struct lane_bar {
  std::size_t lane = 0;
  int track = 0;
  bar_kind is{};
  time_interval when;
  std::string label;
};

/// A message on its way.
struct lane_message {
  std::size_t from = 0;
  std::size_t to = 0;
  time_interval when;
  bool is_lost = false;
};

/// A fault while it lasts.
struct lane_band {
  std::size_t lane = 0;
  history::fault_interval what;
  time_interval when;  ///< within what is drawn
  int strip = 0;       ///< of those that fill no lane: which one along it
};

/// Where a fault that lay in wait struck one of the tries that are drawn.
struct lane_fault {
  std::size_t from = 0;
  std::size_t to = 0;
  sim_time t{};
  std::string_view what;
};

struct swimlane_layout {
  time_interval span;
  std::vector<lane> lanes;
  std::vector<lane_bar> bars;
  std::vector<lane_message> messages;
  std::vector<lane_band> bands;
  std::vector<lane_fault> faults;
};

/// Matchers first, then the lease manager and the ledger, then drivers. A driver's lane has what
/// was true of her on top and below it a track for each offer on her screen. Requires: the breach
/// has tries.
[[nodiscard]] swimlane_layout swimlane_layout_of(const history::indexed_run& c,
                                                 const explain::harm& b);

}  // namespace dibs::pages
