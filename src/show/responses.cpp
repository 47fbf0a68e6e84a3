#include "show/responses.hpp"

#include <algorithm>

namespace dibs::show {

using metrics::never;
using metrics::try_record;

responses response_times(const chronicle& c, sim_duration step, std::size_t steps) {
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

nlohmann::ordered_json responses_json(const chronicle& c) {
  const scenario::lease_options& lease = c.of().scenario.lease;
  const sim_duration window = lease.offer_window.value_or(lease.ttl);
  const sim_duration shown = window == forever
                                 ? sim_duration{60s}
                                 : std::max(window, lease.ttl == forever ? window : lease.ttl) * 2;
  constexpr std::size_t steps = 60;
  const responses r = response_times(c, std::max<sim_duration>(shown / steps, 1ms), steps);
  return {{"step_s", in_seconds(r.step)},
          {"accepted", r.accepted},
          {"declined", r.declined},
          {"late", r.late},
          {"unanswered", r.unanswered},
          {"undelivered", r.undelivered}};
}

}  // namespace dibs::show
