#include "checkers/zone_exclusion.hpp"

namespace dibs::checkers {

void zones::judge(const events::zone_granted& f, const scene& s) {
  auto& held = held_[f.zone];
  for (const claim& c : held) {
    const bool both_read = c.mode == events::zone_mode::read && f.mode == events::zone_mode::read;
    if (c.matcher != f.matcher && !both_read) {
      s.breach(invariant::one_live_lease,
               "zone {} was given to matcher {} while matcher {} held it",
               ordinal(f.zone),
               ordinal(f.matcher),
               ordinal(c.matcher));
    }
  }
  std::erase_if(held, [&](const claim& c) { return c.matcher == f.matcher; });
  held.push_back({f.matcher, f.mode});
}

void zones::judge(const events::zone_ended& f, const scene&) {
  std::erase_if(held_[f.zone], [&](const claim& c) { return c.matcher == f.matcher; });
}

}  // namespace dibs::checkers
