#include "lease/ride_claims.hpp"

#include <algorithm>

namespace dibs::lease {

using events::claim_ending;

void ride_claims::claim(turn& t, const messages::claim_ride& m, sim_duration ttl) {
  work& job = work_[m.ride];
  const bool is_lost = m.must_hold && !table_.holds(m.ride.value, m.holder, t.now);
  if (m.wait <= job.served || is_lost) {
    t.reply(messages::claim_refused{m.ride});
    return;
  }
  job.wait = std::max(job.wait, m.wait);
  const auto outcome = table_.claim(m.ride.value, m.holder, t.now, ttl);
  const auto* given = std::get_if<claim_table::given>(&outcome);
  if (given == nullptr) {
    t.reply(messages::claim_refused{m.ride});
    return;
  }
  if (!given->renewed) {
    const bool taken_over = given->after && *given->after != m.holder;
    t.publish(events::ride_claimed{m.ride, m.holder, taken_over, given->expires});
  }
  t.after(ttl, messages::claim_due{m.ride});
  t.reply(messages::claim_given{m.ride});
}

void ride_claims::done(turn& t, const messages::claim_done& m) {
  if (m.is_served) {
    work& job = work_[m.ride];
    job.served = std::max(job.served, m.wait);
  }
  if (table_.release(m.ride.value, m.holder)) {
    t.publish(events::ride_claim_ended{m.ride, m.holder, claim_ending::released});
  }
}

void ride_claims::expire(
    turn& t, ride_id r, sim_duration ttl, std::uint32_t& asked, std::uint32_t matchers) {
  for (const matcher_id holder : table_.expire(r.value, t.now)) {
    t.publish(events::ride_claim_ended{r, holder, claim_ending::expired});
  }
  const auto orphan = table_.orphan_of(r.value);
  const work& job = work_[r];
  if (!orphan || job.wait <= job.served) {
    return;
  }
  // The next matcher may be down too: ask one after another, until one claims the ride.
  t.send(node_of(table_.heir_of(*orphan, asked++, matchers)), messages::take_over{r, job.wait});
  t.after(ttl, messages::claim_due{r});
}

void ride_claims::watch_again(turn& t) const {
  for (const auto& due : table_.pending()) {
    t.after(std::max(due.when - t.now, sim_duration::zero()),
            messages::claim_due{ride_id{due.thing}});
  }
}

}  // namespace dibs::lease
