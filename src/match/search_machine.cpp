#include "match/search_machine.hpp"

#include "base/distribution.hpp"
#include "base/random.hpp"
#include "base/saturating_add.hpp"

namespace dibs::match {

using events::lease_ending;
using events::try_ending;
using sim::life_step;

// -- asked for a ride ----------------------------------------------------------------------------

void search_machine::on(turn& t, const messages::want_ride& m, const ride_facts& of) {
  // Else the rider asks again while her ride is being pursued.
  if (find(m.ride) == nullptr && !was_served(m.ride, m.wait)) {
    handed_on_.erase(m.ride);
    begin(t, m, of);
  }
}

bool search_machine::was_served(ride_id r, std::uint32_t wait) const {
  if (served_.empty() || r > served_.rbegin()->first) {  // nearly always
    return false;
  }
  const auto served = served_.find(r);
  return served != served_.end() && wait <= served->second;
}

void search_machine::begin(turn& t, const messages::want_ride& m, const ride_facts& of) {
  ride_search& p = searches_[m.ride];
  p.ride = m.ride;
  p.key = of.key;
  p.zone = of.zone;
  p.asked = m.nth;
  p.wait = m.wait;
  p.step = steps_;
  p.steps = steps_;
  t.after(rules_->matching.offers.total_wait, messages::search_timeout_due{m.ride, m.nth});
  if (rules_->matching.claims) {
    claim(t, p, false);
  } else {
    pursue(t, p);
  }
}

void search_machine::pursue(turn& t, ride_search& p) {
  if (!has_zone(t, p)) {
    return;
  }
  const offer_options& offers = rules_->matching.offers;
  for (std::uint32_t later = offers.open - 1; later > 0; --later) {
    t.after(until_pick(t, p, later * offers.stagger), messages::retry_due{p.ride, p.step});
    p.add_try();
  }
  try_next(t, p);
}

void search_machine::on(turn& t, const messages::withdraw_ride& m) {
  if (ride_search* p = find(m.ride)) {
    withdraw(t, *p, try_ending::withdrawn);
    close(t, m.ride);
  } else if (const auto other = handed_on_.find(m.ride); other != handed_on_.end()) {
    t.send(node_of(other->second), m);
    handed_on_.erase(other);
  }
}

void search_machine::on(turn& t, const messages::search_timeout_due& m) {
  ride_search* p = find(m.ride);
  if (p == nullptr || p->asked != m.nth) {
    return;
  }
  if (p->any_try(&ride_try::has_accept)) {
    t.after(rules_->matching.reply_timeout, m);  // a driver has accepted: let it come to an end
    return;
  }
  withdraw(t, *p, try_ending::withdrawn);
  fail(t, *p, events::abandonment::wait);
}

// -- looking for a driver ------------------------------------------------------------------------

// The overhead has to pass, and the batch has to come.
sim_duration search_machine::until_pick(const turn& t, ride_search& p, sim_duration wait) const {
  wait += has_no_more_tries(p) ? sim_duration::zero() : rules_->matching.overhead;
  if (rules_->matching.batch) {
    wait += *rules_->matching.batch - (t.now.time_since_epoch() + wait) % *rules_->matching.batch;
    p.batch = (t.now.time_since_epoch() + wait) / *rules_->matching.batch;
  }
  return wait;
}

bool search_machine::has_no_more_tries(const ride_search& p) const {
  const bool counts_offers = rules_->matching.tries == try_unit::offer;
  const std::uint32_t to_come = counts_offers ? p.count_before_offer() : 0;
  return p.tries + to_come >= rules_->matching.offers.max;
}

void search_machine::try_next(turn& t, ride_search& p) {
  const sim_duration wait = until_pick(t, p, sim_duration::zero());
  if (wait > sim_duration::zero()) {
    t.after(wait, messages::retry_due{p.ride, p.step});
  } else {
    try_now(t, p);
  }
}

void search_machine::try_now(turn& t, ride_search& p) {
  if (has_no_more_tries(p)) {
    fail_try(t, p, events::abandonment::tries);
  } else if (p.any_other_try(&ride_try::has_accept)) {
    t.after(rules_->matching.reply_timeout, messages::retry_due{p.ride, p.step});
  } else if (has_zone(t, p)) {  // a zone may be lost while its rides wait
    if (rules_->matching.assigns_batches()) {
      try_batch(t, p);
    } else {
      t.add(find_driver{&p});
    }
  }
}

void search_machine::found(turn& t, ride_search& p, driver_id d, std::uint32_t version) {
  ++p.picks;
  if (!d.is_some()) {
    retry_later(t, p);
  } else if (!hand_to_writer(t, p)) {
    p.driver = d;
    p.version = version;
    engaged_.insert(d);
    t.add(take_step{.search = &p, .here = life_step::after_pick});
  }
}

void search_machine::retry_later(turn& t, ride_search& p) {
  if (rules_->matching.queue) {
    t.add(join_waiting_line{&p});
  } else if (!rules_->matching.look_again) {
    fail_try(t, p, events::abandonment::tries);
  } else if (rules_->matching.batch) {
    try_next(t, p);
  } else {
    t.after(*rules_->matching.look_again, messages::retry_due{p.ride, p.step});
  }
}

void search_machine::joins_waiting_line(turn& t,
                                        ride_search& p,
                                        sim_time now,
                                        std::optional<sim_time> seen) {
  // Of whoever became free a moment ago the view does not know yet, and nobody will tell again.
  if (const auto wait = line_.until_seen(now, seen)) {
    t.add(call_line{*wait});
  }
  // Nor does anybody tell when a driver whom the ride has asked before may be asked again.
  if (const auto wait = waiting_line::until_rested(p, t.now)) {
    t.after(*wait, messages::someone_free{});
  }
  // Or of a lease that runs out where it is noticed on read.
  if (rules_->lease.cleanup.kind == lease::cleanup::lazy && rules_->matching.look_again) {
    p.enter(search_stage::idle);  // earlier timers of this kind fire into nothing
    t.after(*rules_->matching.look_again, messages::retry_due{p.ride, p.step});
  }
}

void search_machine::on(turn& t, const messages::someone_free&) {
  for (const ride_id r : line_.call()) {
    t.add(try_ride{r, true});
  }
}

void search_machine::called(turn& t, const try_ride& next) {
  ride_search* p = find_where(
      next.ride, [&](const ride_try& one) { return one.is_in_line || !next.is_from_line; });
  if (p == nullptr) {
    return;
  }
  p->is_in_line = p->is_in_line && !next.is_from_line;
  if (p->stage == search_stage::idle) {
    try_next(t, *p);
  }
}

void search_machine::on(turn& t, const messages::retry_due& m) {
  if (ride_search* p = find_at(m.ride, m.step); p != nullptr && p->stage == search_stage::idle) {
    try_now(t, *p);
  }
}

void search_machine::try_again(turn& t, ride_search& p) {
  auto draws = stream::keyed(rules_->seed, purpose::next_try, p.key, p.asked, p.picks);
  const sim_duration wait = draw(rules_->matching.offers.next_try_after, draws);
  if (wait > sim_duration::zero()) {
    t.after(wait, messages::retry_due{p.ride, p.step});
  } else {
    try_next(t, p);
  }
}

// -- where a fault may stop it -------------------------------------------------------------------

ride_search* search_machine::stopped(const messages::resume_step& m) {
  // The ride may have been withdrawn and asked for again while the matcher was stopped.
  return find_where(m.ride, [&](const ride_try& one) {
    return one.step == m.step && one.driver == m.driver && one.token == m.token;
  });
}

void search_machine::go_on(
    turn& t, ride_search& p, life_step here, sim_duration left, zone_id zone) {
  switch (here) {
    case life_step::after_pick:
      start_try(t, p, zone);
      return;
    case life_step::after_grant:
      send_offer(t, p, left);
      return;
    case life_step::after_offer:
      return;
    case life_step::after_accept:
      if (rules_->rider_confirms) {
        ask_rider(t, p);
      } else {
        confirm_or_write(t, p);
      }
      return;
    case life_step::after_confirm:
      confirmed(t, p);
      return;
    case life_step::after_write:
      commit_trip(t, p, p.driver, p.token);
      return;
  }
}

void search_machine::break_off(turn& t, ride_search& p, bool is_tidy) {
  do {
    if (is_tidy) {
      give_back(t, p, lease_ending::released);
    }
    end_engagement(t, p.driver);
  } while (p.drop_try());
  forget(p);
}

// -- the lease -----------------------------------------------------------------------------------

void search_machine::start_try(turn& t, ride_search& p, zone_id zone) {
  if (!rules_->protocol.leases) {
    p.token = token_id::unleased(rules_->self, ++unleased_tries_);
    send_offer(t, p, rules_->lease.ttl);
    return;
  }
  p.enter(search_stage::acquiring);
  p.asked_at = t.now;
  p.trusted_until =
      saturating_add(t.now, rules_->protocol.expires ? rules_->lease.granted_ttl() : forever);
  p.tries += rules_->matching.tries == try_unit::acquire ? 1U : 0U;
  if (zone.is_some()) {
    zones_.use(t, zone, leader_.node());
  }
  p.request = ++requests_;
  p.manager = leader_.node();
  t.send(p.manager, messages::acquire{p.ride, p.driver, rules_->self, p.request, zone});
  t.after(rules_->matching.reply_timeout, messages::reply_timeout_due{p.ride, p.step});
}

void search_machine::on(turn& t, const messages::lease_given& m) {
  ride_search* p = find(m.ride);
  if (p != nullptr && p->any_try([&](const ride_try& one) { return one.token == m.token; })) {
    return;  // a copy: the lease is in use
  }
  p = find_where(m.ride, [&](const ride_try& one) { return one.awaits(m.request); });
  if (p == nullptr) {
    // Too late for the try that asked for it.
    return_unused(t, m.ride, m.driver, m.token, lease_ending::released);
    return;
  }
  p->token = m.token;
  lease_.heard(t, *p);
  const sim_duration left = m.deadline;
  if (rules_->lease.is_absolute() && left != forever) {
    p->trusted_until = t.now + left;
  }
  if (rules_->lease.handshake) {
    greet_phone(t, *p, left);
  } else {
    t.add(take_step{p, left, life_step::after_grant});
  }
}

void search_machine::on(turn& t, const messages::lease_refused& m) {
  ride_search* p = find_where(m.ride, [&](const ride_try& one) { return one.awaits(m.request); });
  if (p == nullptr) {
    return;
  }
  if (rules_->lease.releases_refused) {
    t.send(leader_.node(),
           messages::release{m.ride, m.driver, token_id::none(), lease_ending::released});
  }
  // Somebody has her, as the view will show in a while.
  p->exclude_until(
      m.driver,
      rules_->matching.look_again
          ? saturating_add(t.now, rules_->matching.view_lag + *rules_->matching.look_again)
          : local_time::max());
  close_try(t, *p, try_ending::denied);
  try_again(t, *p);
}

void search_machine::on(turn& t, const messages::lease_over& m) {
  ride_search* p = find_open(m.ride, m.token);
  if (p == nullptr) {
    return;
  }
  if (m.cause == lease_ending::cancelled || m.cause == lease_ending::zone_lost ||
      (m.cause != lease_ending::declined && lease_.takes_offer_back(t, *p))) {
    t.send(node_of(m.driver), messages::withdraw_offer{m.ride, m.token});
  }
  next_after(
      t, *p, m.cause == lease_ending::declined ? try_ending::declined : try_ending::lease_lost);
}

void search_machine::on(turn& t, const messages::reply_timeout_due& m) {
  ride_search* p = find_at(m.ride, m.step);
  if (p == nullptr) {
    return;
  }
  if (p->stage == search_stage::asking) {
    give_back(t, *p, lease_ending::released);
  } else if (p->stage != search_stage::writing) {
    doubt_leader(p->manager);
  }
  next_after(t, *p, try_ending::no_reply);
}

// -- the offer -----------------------------------------------------------------------------------

void search_machine::send_offer(turn& t, ride_search& p, sim_duration left) {
  p.enter(search_stage::offered);
  p.tries += rules_->matching.tries == try_unit::acquire ? 0U : 1U;
  t.publish(events::offer_sent{p.token, p.driver, p.ride, rules_->self});
  // The rest of the lease after the driver's window covers delay and skew.
  const sim_duration window = rules_->lease.shown_window();
  sim_duration deadline = window;
  sim_duration shown = window;  // by this matcher's clock, or longer
  if (rules_->lease.is_absolute() && window != forever) {
    deadline = left == forever ? window : left - (rules_->lease.granted_ttl() - window);
    shown = std::max(window, deadline);
  }
  t.send(node_of(p.driver), messages::offer{p.ride, p.token, deadline});
  p.renew_until = saturating_add(t.now, shown);
  lease_.keep(t, p, left);
  // The last thing done here: whoever is stopped has sent the offer and remembers nothing.
  t.add(take_step{.search = &p, .here = life_step::after_offer});
}

void search_machine::on(turn& t, const messages::offer_answer& m) {
  ride_search* p = find(m.ride, m.token, search_stage::offered);
  if (p == nullptr) {
    return;
  }
  if (m.answer == events::offer_response::accepted) {
    accept(t, *p);
    return;
  }
  give_back(t, *p, lease_ending::declined);
  next_after(t, *p, try_ending::declined);
}

void search_machine::on(turn& t, const messages::try_timeout_due& m) {
  ride_search* p = find_at(m.ride, m.step);
  if (p == nullptr || t.now < p->ends) {
    return;
  }
  if (p->outlasted) {  // nobody else ends the lease, and a slow phone may show the offer still
    t.send(node_of(p->driver), messages::withdraw_offer{p->ride, p->token});
  }
  if (p->outlasted || !rules_->protocol.expires) {
    give_back(t, *p, lease_ending::released);
  }
  if (lease_.takes_offer_back(t, *p)) {
    lost_lease(t, *p);
  } else {
    next_after(t, *p, try_ending::timed_out);
  }
}

// -- ending --------------------------------------------------------------------------------------

void search_machine::next_after(turn& t, ride_search& p, try_ending cause) {
  p.exclude_until(
      p.driver,
      saturating_add(t.now, rules_->matching.offers.cooldown_after_decline.value_or(forever)));
  close_try(t, p, cause);
  try_again(t, p);
}

void search_machine::close_try(turn& t, ride_search& p, try_ending cause) {
  t.publish(events::try_closed{p.token, p.driver, p.ride, rules_->self, cause});
  end_engagement(t, p.driver);
  p.end_try();
}

// Those in line may have passed her by when she became free, for she was still engaged here.
void search_machine::end_engagement(turn& t, driver_id d) {
  engaged_.erase(d);
  if (!line_.empty()) {
    t.add(call_line{});
  }
}

void search_machine::fail_try(turn& t, ride_search& p, events::abandonment cause) {
  if (!p.drop_try()) {
    fail(t, p, cause);
  }
}

void search_machine::fail(turn& t, const ride_search& p, events::abandonment cause) {
  t.add(messages::unserved{p.ride, cause});
  close(t, p.ride);
}

void search_machine::close(turn& t, ride_id r, bool is_served) {
  const ride_search* p = find(r);
  if (rules_->matching.claims) {
    t.send(leader_.node(),
           messages::claim_done{r, rules_->self, p == nullptr ? 0 : p->wait, is_served});
  }
  if (p == nullptr) {
    return;
  }
  if (is_served) {
    served_[r] = p->wait;
  }
  forget(*p);
}

// A later search of the ride goes on counting, so that no timer of this one is due for it.
void search_machine::forget(const ride_search& p) {
  steps_ = std::max(steps_, p.steps) + 1;
  searches_.erase(ride_id{p.ride});
}

void search_machine::withdraw(turn& t, ride_search& p, try_ending cause) {
  do {
    withdraw_try(t, p, cause);
  } while (p.drop_try());
}

void search_machine::withdraw_try(turn& t, ride_search& p, try_ending cause) {
  if (p.stage == search_stage::idle) {
    return;
  }
  if (p.stage == search_stage::offered) {
    t.send(node_of(p.driver), messages::withdraw_offer{p.ride, p.token});
  }
  if (p.is_open() || p.stage == search_stage::greeting) {
    give_back(t, p, lease_ending::cancelled);
  }
  close_try(t, p, cause);
}

void search_machine::give_back(turn& t, const ride_search& p, lease_ending cause) const {
  if (p.token.is_leased()) {
    t.send(leader_.node(), messages::release{p.ride, p.driver, p.token, cause});
  }
}

void search_machine::crash() {
  searches_.clear();
  engaged_.clear();
  written_.clear();
  zones_.clear();
  handed_on_.clear();
  served_.clear();
  line_ = {};
}

ride_search* search_machine::find(ride_id r) {
  const auto found = searches_.find(r);
  return found == searches_.end() ? nullptr : &found.value();
}

}  // namespace dibs::match
