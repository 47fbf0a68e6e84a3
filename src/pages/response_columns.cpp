#include "pages/response_columns.hpp"

#include "history/response_times.hpp"

#include <algorithm>
#include <cstddef>

namespace dibs::show {

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
