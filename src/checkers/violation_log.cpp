#include "checkers/violation_log.hpp"

#include <algorithm>

namespace dibs::checkers {

check_result violation_log::close() {
  // A double commit is found an instant after its event, so the order of entry is not quite the
  // order of the history.
  std::ranges::stable_sort(checks_.violations, [](const violation& a, const violation& b) {
    return a.event_index < b.event_index;
  });
  return std::move(checks_);
}

void violation_log::leave_undecided(lease::invariant i, std::uint64_t drivers, bool was_stopped) {
  const std::uint32_t bit = lease::bit(i);
  checks_.undecided_drivers += drivers;
  checks_.was_stopped = was_stopped;
  if ((checks_.broken & bit) == 0) {
    checks_.judged &= ~bit;
    checks_.undecided |= bit;
  }
}

violation& violation_log::tell(lease::invariant broken,
                               sim_time t,
                               std::uint64_t event_index,
                               std::string words) {
  return checks_.violations.emplace_back(violation{broken, t, event_index, std::move(words)});
}

void compare(check_result& j,
             const accept_account& judged,
             const accept_account& measured,
             sim_time end) {
  const std::uint32_t bit = lease::bit(lease::invariant::accepts_accounted);
  if (measured == judged || (j.judged & bit) == 0) {
    return;
  }
  j.broken |= bit;
  ++j.violation_count;
  const auto words = [](const accept_account& a) {
    return fmt::format("{} accepts in time: {} trips, {} unwanted, {} lost",
                       a.in_time,
                       a.trips,
                       a.unwanted,
                       a.lost);
  };
  if (j.violations.size() < violation_log::told_max) {
    j.violations.push_back(
        {lease::invariant::accepts_accounted,
         end,
         0,
         fmt::format("measured are {}; the events tell of {}", words(measured), words(judged))});
  }
}

}  // namespace dibs::checkers
