/// Swim-lanes: of one breach, as bars and words on lanes, which a picture draws; and for a page,
/// whose reader chooses drivers and a stretch, the row of each bar within its track.
#pragma once

#include "explain/harm.hpp"
#include "history/fault_intervals.hpp"
#include "history/holder_belief.hpp"

#include <cstddef>
#include <cstdint>
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

/// From the first try of the breach to the harm; a trip that lasts on is cut, and a lease that is
/// over long after the harm and all that was said and written of it. A harm that comes true later
/// than `harm_within` is left out.
[[nodiscard]] time_interval told_span(const history::indexed_run& c,
                                      const explain::harm& b,
                                      sim_duration harm_within);

/// In which row of its track each bar of a try lies: bars that overlap get rows of their own. A
/// page draws a driver's track of what was true (leases and trips), of what matchers believed and
/// of her screen; and on a matcher's lane a track for each driver. The rows are those of the whole
/// run, so that no bar leaves its row when the page shows another stretch, or other drivers.
struct bar_rows {
  static constexpr std::int64_t base = 32;  ///< of `code`; more rows than that fall together

  int lease = 0;
  int trip = 0;
  int belief = 0;
  int screen = 0;
  int of_matcher = 0;

  /// All in one number, which is 0 for nearly every try.
  [[nodiscard]] std::int64_t code() const;
};

/// For each of these tries. `beliefs`: of all tries.
[[nodiscard]] std::vector<bar_rows> bar_rows_of(const history::indexed_run& c,
                                                const std::vector<history::holder_belief>& beliefs,
                                                const std::vector<metrics::try_index>& tries);

/// Matchers first, then the lease manager and the ledger, then drivers. A driver's lane has what
/// was true of her on top and below it a track for each offer on her screen. Requires: the breach
/// has tries.
[[nodiscard]] swimlane_layout swimlane_layout_of(const history::indexed_run& c,
                                                 const explain::harm& b);

}  // namespace dibs::pages
