#include "checkers/zone_exclusion.hpp"

namespace dibs::checkers {

void zones::judge(const events::zone_granted& f, const event_context& s) {
  auto& held = held_[f.zone];
  for (const zone_hold& c : held) {
    const bool both_read = c.mode == events::zone_mode::read && f.mode == events::zone_mode::read;
    if (c.matcher != f.matcher && !both_read) {
      s.report_violation(invariant::one_live_lease,
                         "zone {} was given to matcher {} while matcher {} held it",
                         ordinal(f.zone),
                         ordinal(f.matcher),
                         ordinal(c.matcher));
    }
  }
  std::erase_if(held, [&](const zone_hold& c) { return c.matcher == f.matcher; });
  held.push_back({f.matcher, f.mode});
}

void zones::judge(const events::zone_ended& f, const event_context&) {
  std::erase_if(held_[f.zone], [&](const zone_hold& c) { return c.matcher == f.matcher; });
}

}  // namespace dibs::checkers
