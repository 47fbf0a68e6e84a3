#include "match/lease_keeping.hpp"

#include "base/random.hpp"
#include "base/saturating_add.hpp"

#include <algorithm>

namespace dibs::match {

void lease_keeping::keep(turn& t, ride_search& p, sim_duration left) const {
  const local_time lease_ends = end_of_lease(t.now, left);
  const local_time last_word = latest_answer(p, lease_ends);
  p.outlasted = last_word < lease_ends;
  p.ends = std::min(last_word, lease_ends);
  if (p.ends != local_time::max()) {
    // A renewal that was answered late finds the time for the last word over.
    t.after(std::max(p.ends - t.now, sim_duration::zero()),
            messages::try_timeout_due{p.ride, p.step});
  }
  if (left != forever && rules_.renews()) {
    schedule_renewal(t, p, left);
  }
}

// When the lease ends by itself: where none is taken, and a lock lasts until it is given back,
// never.
local_time lease_keeping::end_of_lease(local_time now, sim_duration left) const {
  if (!rules_.protocol.leases || !rules_.protocol.expires || left == forever) {
    return local_time::max();
  }
  return saturating_add(now, std::max(left + rules_.grace(), sim_duration::zero()));
}

// Phones that send an answer at any time are heard for as long as the lease lasts, if it ends.
local_time lease_keeping::latest_answer(const ride_search& p, local_time lease_ends) const {
  const bool is_any_time_right = rules_.hears_late_answers && lease_ends != local_time::max();
  return is_any_time_right ? lease_ends
                           : saturating_add(p.renew_until, rules_.matching.reply_timeout);
}

void lease_keeping::schedule_renewal(turn& t, const ride_search& p, sim_duration ttl) const {
  const lease::renewal_options& renewal = rules_.lease.renewal;
  sim_duration wait = lease::renewal_interval(renewal.kind, renewal.at, ttl, to_manager_.mean());
  if (renewal.stagger > sim_duration::zero()) {
    auto draws = stream::keyed(rules_.seed, purpose::renewal_stagger, p.key, p.picks, p.renewals);
    wait -= sim_duration{
        static_cast<std::int64_t>(draws.unit() * static_cast<double>(renewal.stagger.count()))};
  }
  // By its own clock an absolute deadline may be over when it comes: each renewal would ask for the
  // next one at once.
  constexpr sim_duration least = 1ms;
  t.after(ttl > sim_duration::zero() ? std::max(wait, least) : std::max(renewal.retry, least),
          messages::renew_due{p.ride, p.token, p.renewals, false});
}

void lease_keeping::renew(turn& t,
                          ride_search& p,
                          const messages::renew_due& m,
                          node_id leader) const {
  if (t.now >= p.renew_until || t.now >= p.ends) {
    return;
  }
  // The answer came after all, and the next renewal follows from it.
  if (m.after != p.renewals || (m.unless_answered && p.renewals_seen == m.after)) {
    return;
  }
  ++p.renewals;
  p.asked_at = t.now;
  t.send(leader, messages::renew{p.ride, p.driver, p.token, p.renewals_done + 1, p.renewals});
  t.after(rules_.lease.renewal.timeout, messages::renewal_timeout_due{p.ride, p.token, p.renewals});
}

void lease_keeping::extended(turn& t, ride_search& p, std::uint32_t attempt, sim_duration left) {
  if (attempt != p.renewals || attempt == p.renewals_seen) {
    return;  // the answer is an old one or a copy
  }
  heard(t, p);
  p.renewals_seen = p.renewals;
  ++p.renewals_done;
  p.trusted_until = rules_.lease.is_absolute() && left != forever
                        ? t.now + left
                        : saturating_add(p.asked_at, rules_.lease.ttl);
  keep(t, p, left);
}

void lease_keeping::unanswered(turn& t, const ride_search& p, std::uint32_t attempt) const {
  if (p.renewals != attempt || p.renewals_seen == attempt) {
    return;
  }
  const lease::renewal_options& renewal = rules_.lease.renewal;
  sim_duration pause = renewal.retry;
  if (renewal.then == lease::after_silence::interval) {
    pause += lease::renewal_interval(
        renewal.kind, renewal.at, rules_.lease.granted_ttl(), to_manager_.mean());
  }
  t.after(pause, messages::renew_due{p.ride, p.token, p.renewals, true});
}

bool lease_keeping::takes_offer_back(const turn& t, const ride_search& p) const {
  return p.stage == search_stage::offered && rules_.renews() &&
         rules_.lease.renewal.on_loss == lease::on_loss::withdraw && t.now < p.renew_until;
}

}  // namespace dibs::match
