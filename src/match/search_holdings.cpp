// What a matcher holds while it searches: the lease of an open offer, the rides that it has
// claimed, and the zones that it works in.

#include "match/search_machine.hpp"

namespace dibs::match {

using events::lease_ending;
using events::try_ending;

namespace {

/// Sets a ride that was taken over apart from one that its rider asked for, in the matcher's draws.
constexpr std::uint32_t taken_over_asks = 1U << 20;

bool is_claiming(const ride_try& one) { return one.stage == search_stage::claiming; }

}  // namespace

// Of many requests that the manager let lie the first alone counts.
void search_machine::doubt_leader(node_id asked) {
  if (rules_->lease.standby) {
    leader_.doubt(asked);
  }
}

// -- the lease of an open offer ------------------------------------------------------------------

void search_machine::greet_phone(turn& t, ride_search& p, sim_duration left) const {
  p.enter(search_stage::greeting);
  p.ends = left == forever ? local_time::max() : t.now + left;
  t.send(node_of(p.driver), messages::greet{p.ride, p.token});
  t.after(*rules_->lease.handshake, messages::ping_timeout_due{p.ride, p.step});
}

void search_machine::on(turn& t, const messages::phone_there& m) {
  if (ride_search* p = find(m.ride, m.token, search_stage::greeting)) {
    send_offer(t, *p, p->ends == local_time::max() ? forever : p->ends - t.now);
  }
}

void search_machine::on(turn& t, const messages::ping_timeout_due& m) {
  if (ride_search* p = find_at(m.ride, m.step)) {
    give_back(t, *p, lease_ending::released);
    next_after(t, *p, try_ending::unreachable);
  }
}

void search_machine::on(turn& t, const messages::renew_due& m) {
  if (ride_search* p = find_open(m.ride, m.token)) {
    lease_.renew(t, *p, m, leader_.node());
  }
}

void search_machine::on(turn& t, const messages::lease_extended& m) {
  if (ride_search* p = find_open(m.ride, m.token)) {
    lease_.extended(t, *p, m.attempt, m.deadline);
  }
}

void search_machine::on(turn& t, const messages::renewal_denied& m) {
  if (ride_search* p = find_open(m.ride, m.token)) {
    if (rules_->lease.renewal.on_loss == lease::on_loss::withdraw) {
      lost_lease(t, *p);
    } else {
      p->renewals_seen = p->renewals;  // an answer, if not the one it wished for
    }
  }
}

void search_machine::lost_lease(turn& t, ride_search& p) {
  t.send(node_of(p.driver), messages::withdraw_offer{p.ride, p.token});
  next_after(t, p, try_ending::lease_lost);
}

void search_machine::on(turn& t, const messages::renewal_timeout_due& m) {
  if (const ride_search* p = find_open(m.ride, m.token)) {
    lease_.unanswered(t, *p, m.attempt);
  }
}

// -- rides as work -------------------------------------------------------------------------------

void search_machine::claim(turn& t, const ride_search& p, bool must_hold) const {
  t.send(leader_.node(), messages::claim_ride{p.ride, rules_->self, p.wait, must_hold});
  t.after(rules_->matching.claims->interval(), messages::claim_heartbeat_due{p.ride});
}

void search_machine::on(turn& t, const messages::claim_heartbeat_due& m) {
  if (const ride_search* p = find(m.ride)) {
    claim(t, *p, p->is_claimed);
  }
}

void search_machine::on(turn& t, const messages::claim_given& m) {
  ride_search* p = find(m.ride);
  if (p == nullptr) {
    return;  // done meanwhile, as the manager has been told
  }
  if (p->take_up(is_claiming)) {
    write_it(t, *p);
  } else if (!p->is_claimed) {
    p->is_claimed = true;
    pursue(t, *p);
  }
}

// The ride is no longer this matcher's to serve.
void search_machine::on(turn& t, const messages::claim_refused& m) {
  if (ride_search* p = find(m.ride)) {
    if (p->take_up(is_claiming)) {
      give_back(t, *p, lease_ending::released);
    }
    withdraw(t, *p, try_ending::displaced);
    forget(*p);
  }
}

void search_machine::on(turn& t, const messages::take_over& m, const ride_facts& of) {
  if (find(m.ride) == nullptr) {
    begin(t, {m.ride, taken_over_asks, m.wait}, of);
  }
}

// -- zones ---------------------------------------------------------------------------------------

void search_machine::on(turn& t, const messages::zone_given& m) {
  for (const ride_id r : zones_.given(t, m.zone)) {
    t.add(try_ride{r});
  }
}

void search_machine::on(turn& t, const messages::zone_refused& m) {
  for (const ride_id r : zones_.refused(t, m)) {
    if (const ride_search* p = find(r); p != nullptr && p->stage == search_stage::idle) {
      hand_on(t, *p, m.holder);
    }
  }
}

void search_machine::hand_on(turn& t, const ride_search& p, matcher_id to) {
  const ride_id r = p.ride;
  t.send(node_of(to), messages::want_ride{r, p.asked, p.wait});
  handed_on_[r] = to;
  close(t, r);
}

bool search_machine::hand_to_writer(turn& t, const ride_search& p) {
  const bool only_looks = rules_->only_looks(rules_->self);
  if (only_looks) {
    hand_on(
        t, p, matcher_id{p.zone.value % (rules_->matching.count - rules_->lease.zones->readers)});
  }
  return only_looks;
}

void search_machine::on(turn& t, const messages::zone_renewal_due& m, bool has_leases) {
  zones_.renew(t, m, has_leases, leader_.node());
}

void search_machine::on(turn& t, const messages::zone_reply_timeout_due& m) {
  if (const auto asked = zones_.silent_about(m)) {
    doubt_leader(*asked);
    zones_.ask(t, m.zone, leader_.node());
  }
}

}  // namespace dibs::match
