#include "metrics/starvation_follower.hpp"

#include "base/ensure.hpp"
#include "metrics/run_tables.hpp"

#include <algorithm>
#include <utility>

namespace dibs::metrics {
namespace {

constexpr sim_duration looks_every = 2s;

}  // namespace

starvation_follower::starvation_follower(run_tables& told,
                                         const time_interval& window,
                                         std::optional<double> radius_m)
    : told_(told), judge_(starvation_inputs_of(told), window, radius_m) {
  ensure(told.riders().spells().is_followed(), "a story tells its follower what begins");
}

void starvation_follower::look(sim_time now) {
  take_begun();
  while (!judge_.slice().is_empty() && judge_.slice().end <= std::min(now, decided_until())) {
    judge_.judge_slice();
  }
  judge_.free_over(now, told_);
  looks_again_ = now + looks_every;
}

void starvation_follower::take_begun() {
  told_.riders().spells().each_begun([this](std::uint32_t i) { judge_.add_wait(i); });
  told_.drivers().available_spells().each_begun(
      [this](std::uint32_t i) { judge_.add_available(i); });
  auto& held = told_.drivers().held_spells();
  held.each_begun([&](std::uint32_t i) {
    judge_.add_held(i);
    holdings_.push_back({i, held[i].when.begin, held[i].of});
  });
}

sim_time starvation_follower::decided_until() {
  while (!holdings_.empty() && !is_open(holdings_.front())) {
    holdings_.pop_front();
  }
  return holdings_.empty() ? never : holdings_.front().since;
}

// A spell that was over before the slice has nothing to do with it; its number may be another's.
bool starvation_follower::is_open(const holding& h) const {
  const spell& its = std::as_const(told_).drivers().held_spells()[h.spell];
  return told_.tries().at(h.lease).is_live() && its.when.begin == h.since &&
         its.when.end > judge_.slice().begin;
}

const starvation& starvation_follower::finish(sim_time end) {
  take_begun();
  judge_.end_by(end);
  while (!judge_.slice().is_empty()) {
    judge_.judge_slice();
  }
  return judge_.found();
}

}  // namespace dibs::metrics
