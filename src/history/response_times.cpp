#include "history/response_times.hpp"

#include <algorithm>

namespace dibs::history {

using metrics::try_record;

responses response_times(const indexed_run& c, sim_duration step, std::size_t steps) {
  responses r;
  r.step = step;
  r.accepted.resize(steps);
  r.declined.resize(steps);
  r.late.resize(steps);
  for (const try_record& t : c.tries()) {
    const bool is_answered = t.shown != never && t.decided != never;
    if (!c.window().holds(is_answered ? t.decided : t.sent)) {
      continue;
    }
    if (!is_answered) {
      ++(t.shown == never ? r.undelivered : r.unanswered);
      continue;
    }
    const auto i = std::min(static_cast<std::size_t>((t.decided - t.shown) / step), steps - 1);
    auto& kind = !t.accepted ? r.declined : t.in_time ? r.accepted : r.late;
    ++kind[i];
  }
  return r;
}

}  // namespace dibs::history
