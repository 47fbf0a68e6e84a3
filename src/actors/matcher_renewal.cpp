// How a matcher holds on to its lease while an offer is open: the handshake, renewals, and whom it
// takes for the lease manager.

#include "actors/matcher.hpp"
#include "actors/node_options.hpp"
#include "base/saturating_add.hpp"

#include <algorithm>

namespace dibs::actors {
namespace {

using events::lease_ending;
using events::try_ending;
using match::stage;

bool renews(const runtime::context& x) {
  return x.world().protocol.leases && lease_of(x).renewal.kind != lease::renewal::none;
}

}  // namespace

// -- the handshake -------------------------------------------------------------------------------

void matcher::greet_phone(context& x, pursuit& p, sim_duration left) {
  p.enter(stage::greeting);
  p.ends = left == forever ? local_time::max() : x.now() + left;
  x.send(node_of(p.driver), greet{p.ride, p.token});
  x.after(*lease_of(x).handshake, no_greeting{p.ride, p.step});
}

void matcher::on(context& x, const phone_there& m) {
  if (pursuit* p = find(m.ride, m.token, stage::greeting)) {
    send_offer(x, *p, p->ends == local_time::max() ? forever : p->ends - x.now());
  }
}

void matcher::on(context& x, const no_greeting& m) {
  pursuit* p = find(m.ride);
  if (p != nullptr && p->step == m.step) {
    give_back(x, *p, lease_ending::released);
    next_after(x, *p, try_ending::unreachable);
  }
}

// -- renewals ------------------------------------------------------------------------------------

void matcher::keep(context& x, pursuit& p, sim_duration left) {
  const local_time lease_ends = end_of_lease(x, left);
  const local_time last_word = latest_answer(x, p, lease_ends);
  p.outlasted = last_word < lease_ends;
  p.ends = std::min(last_word, lease_ends);
  if (p.ends != local_time::max()) {
    // A renewal that was answered late finds the time for the last word over.
    x.after(std::max(p.ends - x.now(), sim_duration::zero()), try_over{p.ride, p.step});
  }
  if (left != forever && renews(x)) {
    schedule_renewal(x, p, left);
  }
}

// When the lease ends by itself: where none is taken, and a lock lasts until it is given back,
// never.
local_time matcher::end_of_lease(context& x, sim_duration left) {
  const auto& lease = lease_of(x);
  const auto& protocol = x.world().protocol;
  if (!protocol.leases || !protocol.expires || left == forever) {
    return local_time::max();
  }
  // A manager that judges alone takes a confirm until its grace is over.
  const sim_duration grace = lease.judge == scenario::judge::manager
                                 ? std::max(lease.grace, sim_duration::zero())
                                 : sim_duration::zero();
  return later(x.now(), std::max(left + grace, sim_duration::zero()));
}

// Phones that send an answer at any time are heard for as long as the lease lasts, if it ends.
local_time matcher::latest_answer(context& x, const pursuit& p, local_time lease_ends) {
  const bool is_any_time_right =
      x.world().options.drivers.late_answer == scenario::late_answer::sent &&
      lease_ends != local_time::max();
  return is_any_time_right ? lease_ends : later(p.renew_until, matching_of(x).reply_timeout);
}

void matcher::schedule_renewal(context& x, pursuit& p, sim_duration ttl) {
  const auto& renewal = lease_of(x).renewal;
  sim_duration wait = lease::renewal_interval(renewal.kind, renewal.at, ttl, to_manager_.mean());
  if (renewal.stagger > sim_duration::zero()) {
    auto draws =
        x.random(purpose::renewal_stagger, x.world().rides.at(p.ride).key, p.picks, p.renewals);
    wait -= sim_duration{
        static_cast<std::int64_t>(draws.unit() * static_cast<double>(renewal.stagger.count()))};
  }
  // By its own clock an absolute deadline may be over when it comes: each renewal would ask for the
  // next one at once.
  constexpr sim_duration least = 1ms;
  x.after(ttl > sim_duration::zero() ? std::max(wait, least) : std::max(renewal.retry, least),
          renew_due{p.ride, p.token, p.renewals, false});
}

void matcher::on(context& x, const renew_due& m) {
  pursuit* p = find(m.ride, m.token, stage::offered);
  if (p == nullptr || x.now() >= p->renew_until || x.now() >= p->ends) {
    return;
  }
  // The answer came after all, and the next renewal follows from it.
  if (m.after != p->renewals || (m.unless_answered && p->renewals_seen == m.after)) {
    return;
  }
  ++p->renewals;
  p->asked_at = x.now();
  x.send(the_lease_manager(),
         renew{p->ride, p->driver, p->token, p->renewals_done + 1, p->renewals});
  x.after(lease_of(x).renewal.timeout, renewal_silent{p->ride, p->token, p->renewals});
}

void matcher::on(context& x, const lease_extended& m) {
  pursuit* p = find(m.ride, m.token, stage::offered);
  if (p == nullptr || m.attempt != p->renewals || m.attempt == p->renewals_seen) {
    return;  // the offer is closed, or the answer is an old one or a copy
  }
  to_manager_.add(x.now() - p->asked_at);
  p->renewals_seen = p->renewals;
  ++p->renewals_done;
  sim_duration left = m.deadline;
  p->trusted_until = later(p->asked_at, lease_of(x).ttl);
  if (lease_of(x).deadline == scenario::deadline::absolute && left != forever) {
    left = m.deadline - x.wall_for(m.ride, m.driver).time_since_epoch();
    p->trusted_until = x.now() + left;
  }
  keep(x, *p, left);
}

void matcher::on(context& x, const renewal_denied& m) {
  if (pursuit* p = find(m.ride, m.token, stage::offered); p != nullptr) {
    if (lease_of(x).renewal.on_loss == scenario::on_loss::withdraw) {
      lost_lease(x, *p);
    } else {
      p->renewals_seen = p->renewals;  // an answer, if not the one it wished for
    }
  }
}

bool matcher::takes_offer_back(const context& x, const pursuit& p) {
  return p.stage == stage::offered && renews(x) &&
         lease_of(x).renewal.on_loss == scenario::on_loss::withdraw && x.now() < p.renew_until;
}

void matcher::lost_lease(context& x, pursuit& p) {
  x.send(node_of(p.driver), withdraw_offer{p.ride, p.token});
  next_after(x, p, try_ending::lease_lost);
}

void matcher::on(context& x, const renewal_silent& m) {
  pursuit* p = find(m.ride, m.token, stage::offered);
  if (p == nullptr || p->renewals != m.attempt || p->renewals_seen == m.attempt) {
    return;
  }
  const auto& renewal = lease_of(x).renewal;
  sim_duration pause = renewal.retry;
  if (renewal.then == scenario::after_silence::interval) {
    pause += lease::renewal_interval(
        renewal.kind, renewal.at, lease_of(x).granted_ttl(), to_manager_.mean());
  }
  x.after(pause, renew_due{p->ride, p->token, p->renewals, true});
}

// -- the lease manager that leads ----------------------------------------------------------------

void matcher::on(context&, const leader_is& m) {
  if (m.term > term_) {
    term_ = m.term;
    leader_ = m.manager;
  }
}

void matcher::doubt_leader(context& x, std::uint32_t asked) {
  if (lease_of(x).standby && asked == leader_) {
    leader_ = 1 - asked;
  }
}

}  // namespace dibs::actors
