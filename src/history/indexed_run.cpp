#include "history/indexed_run.hpp"

#include "engine/run.hpp"

#include <algorithm>

namespace dibs::history {

indexed_run::indexed_run(const recorded_run& of)
    : of_(of),
      window_{of.scenario.measured_from(), std::min(of.scenario.measured_until(), of.end)},
      clocks_(of),
      leadership_(of),
      tables_(engine::metrics_options_of(of.scenario), found_),
      table_(tables_.tries()) {
  for (const events::event& e : of.events) {
    tables_.write(e);
  }
  tables_.finish(of.end);
}

}  // namespace dibs::history
