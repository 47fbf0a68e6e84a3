#include "history/indexed_run.hpp"

#include "engine/run.hpp"

#include <algorithm>

namespace dibs::history {

chronicle::chronicle(const recorded_run& of)
    : of_(of),
      window_{of.scenario.measured_from(), std::min(of.scenario.measured_until(), of.end)},
      clocks_(of),
      leaders_(of),
      story_(engine::metrics_options_of(of.scenario), found_),
      table_(story_.tries()) {
  for (const events::event& e : of.events) {
    story_.write(e);
  }
  story_.finish(of.end);
}

}  // namespace dibs::history
