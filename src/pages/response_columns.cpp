#include "pages/response_columns.hpp"

#include "history/response_times.hpp"
#include "text/number.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>

namespace dibs::pages {

nlohmann::ordered_json responses_json(const history::indexed_run& c) {
  const scenario::lease_options& lease = c.of().scenario.lease;
  const sim_duration window = lease.offer_window.value_or(lease.ttl);
  const sim_duration shown = window == forever
                                 ? sim_duration{60s}
                                 : std::max(window, lease.ttl == forever ? window : lease.ttl) * 2;
  constexpr std::size_t steps = 60;
  const history::responses r =
      history::response_times(c, std::max<sim_duration>(shown / steps, 1ms), steps);
  const std::array<std::pair<const char*, std::uint64_t>, 5> kinds{
      {{"accepted", std::accumulate(r.accepted.begin(), r.accepted.end(), std::uint64_t{0})},
       {"declined", std::accumulate(r.declined.begin(), r.declined.end(), std::uint64_t{0})},
       {"late", std::accumulate(r.late.begin(), r.late.end(), std::uint64_t{0})},
       {"unanswered", r.unanswered},
       {"undelivered", r.undelivered}}};
  double all = 0;
  for (const auto& [kind, n] : kinds) {
    all += static_cast<double>(n);
  }
  nlohmann::ordered_json shares = nlohmann::ordered_json::object();
  for (const auto& [kind, n] : kinds) {
    shares[kind] =
        all > 0 ? text::format_value(static_cast<double>(n) / all, text::unit::share) : "";
  }
  return {{"step_s", in_seconds(r.step)},
          {"accepted", r.accepted},
          {"declined", r.declined},
          {"late", r.late},
          {"unanswered", r.unanswered},
          {"undelivered", r.undelivered},
          {"shares", shares}};
}

}  // namespace dibs::pages
