#include "bench/race/minimal_observer.hpp"

#include "base/prefetch.hpp"

#include <algorithm>
#include <variant>

namespace dibs::bench {

void minimal_observer::observe(std::span<const events::event> batch) {
  events::read_ahead(
      batch,
      static_cast<std::uint32_t>(drivers_.size()),
      [this](driver_id d, events::distance how_far) {
        if (how_far == events::distance::far && d.value < drivers_.size()) {
          fetch_line(&drivers_[d.value]);
        }
      },
      [this](const events::event& e) {
        now_ = e.t;
        std::visit([this](const auto& fact) { on(fact); }, e.what);
      });
}

void minimal_observer::on(const events::lease_granted& f) {
  driver& her = drivers_[f.driver.value];
  figures_.breaches += her.is != state::free || f.token <= her.newest ? 1U : 0U;
  her.is = state::leased;
  her.newest = f.token;
  her.leased_at = now_;
  her.to_offer = reaction::none;
}

void minimal_observer::on(const events::lease_ended& f) {
  driver& her = drivers_[f.driver.value];
  her.is = state::free;
  hidden_by(her.to_offer) += now_ - her.leased_at;
}

void minimal_observer::on(const events::offer_shown& f) {
  driver& her = drivers_[f.driver.value];
  const auto room = std::ranges::find(her.screen, token_id::none());
  figures_.double_offers += static_cast<std::uint64_t>(
      std::ranges::count_if(her.screen, [](token_id t) { return t.is_some(); }));
  (room == her.screen.end() ? her.screen.front() : *room) = f.token;
  if (f.token == her.newest) {
    her.to_offer = reaction::shown;
    her.shown_until = sim_time{f.deadline.time_since_epoch()};
  }
}

void minimal_observer::on(const events::offer_dismissed& f) {
  leave_screen(drivers_[f.driver.value], f.token);
}

void minimal_observer::on(const events::offer_answered& f) {
  driver& her = drivers_[f.driver.value];
  leave_screen(her, f.token);
  // Of the last lease but one it comes too late.
  if (f.token != her.newest || now_ >= her.shown_until) {
    return;
  }
  const bool accepts = f.answer == events::offer_response::accepted;
  her.to_offer = accepts ? reaction::accepted : reaction::declined;
}

void minimal_observer::on(const events::trip_committed& f) {
  driver& her = drivers_[f.driver.value];
  figures_.double_commits += her.is == state::on_trip ? 1U : 0U;
  figures_.breaches += her.is != state::leased || f.token != her.newest ? 1U : 0U;
  her.is = state::on_trip;
  figures_.converted += now_ - her.leased_at;
}

void minimal_observer::on(const events::trip_ended& f) {
  drivers_[f.driver.value].is = state::free;
}

void minimal_observer::leave_screen(driver& her, token_id token) {
  std::replace(her.screen.begin(), her.screen.end(), token, token_id::none());
}

sim_duration& minimal_observer::hidden_by(reaction to_offer) {
  switch (to_offer) {
    case reaction::none:
      return figures_.undelivered;
    case reaction::shown:
      return figures_.ignored;
    case reaction::declined:
      return figures_.declined;
    case reaction::accepted:
      break;
  }
  return figures_.lost_accept;
}

}  // namespace dibs::bench
