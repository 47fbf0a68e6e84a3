#include "load/service_record.hpp"

#include <algorithm>

namespace dibs::load {

void service_record::note(service_client::outcome how,
                          int status,
                          const std::string& why,
                          sim_time now) {
  using service_client::outcome;
  constexpr int unauthorized = 401;
  const std::lock_guard held(lock_);
  if (how == outcome::lost) {
    if (!all_.is_away) {
      ++all_.outages;
      away_since_ = now;
    }
    all_.is_away = true;
    all_.last_trouble = why;
    return;
  }
  if (all_.is_away) {
    all_.away += std::max(now - away_since_, sim_duration::zero());
    all_.is_away = false;
  }
  if (how == outcome::unfit) {
    ++all_.unfit[why];
    is_locked_ = is_locked_ || status == unauthorized;
  }
}

service_account service_record::account(sim_time end) const {
  const std::lock_guard held(lock_);
  service_account found = all_;
  if (found.is_away) {
    found.away += std::max(end - away_since_, sim_duration::zero());
  }
  return found;
}

}  // namespace dibs::load
