#include "report/assignment_levels.hpp"

#include "report/json_cells.hpp"
#include "stats/confidence_interval.hpp"
#include "text/number.hpp"

#include <algorithm>

namespace dibs::report {

std::string rate_of(const nlohmann::ordered_json& figures, const assignment_level& l) {
  const double seen = figure_in(figures, l.seen).value_or(stats::estimate()).value;
  const double among = figure_in(figures, l.among).value_or(stats::estimate()).value;
  if (among <= 0 || seen > 0) {
    return among <= 0 ? "" : text::significant(1000 * seen / among);
  }
  // Figures are those of a run, in the mean; none was seen in all runs together.
  const double bound = stats::zero_event_bound(among * runs_of(figures));
  return "< " + text::significant(1000 * std::min(1.0, bound));
}

double runs_of(const nlohmann::ordered_json& figures) {
  return std::max(figures.value("runs_counted", 1.0), 1.0);
}

}  // namespace dibs::report
