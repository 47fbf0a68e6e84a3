// How an accept becomes an assignment: the confirm, the write, and what the matcher tells the
// rider.

#include "match/search_machine.hpp"

namespace dibs::match {

using events::lease_ending;
using events::try_ending;
using sim::life_step;

void search_machine::accept(turn& t, ride_search& p) {
  if (p.any_other_try(&ride_try::has_accept)) {  // another driver was first
    give_back(t, p, lease_ending::cancelled);
    close_try(t, p, try_ending::withdrawn);
    try_again(t, p);
  } else if (!ends_outlived(t, p)) {
    t.add(take_step{.search = &p, .here = life_step::after_accept});
  }
}

bool search_machine::ends_outlived(turn& t, ride_search& p) {
  const bool is_outlived = rules_->holder_judges() && p.trusted_until != local_time::max() &&
                           t.now + rules_->lease.margin >= p.trusted_until;
  if (is_outlived) {
    give_back(t, p, lease_ending::released);
    next_after(t, p, try_ending::timed_out);
  }
  return is_outlived;
}

void search_machine::ask_rider(turn& t, ride_search& p) const {
  p.enter(search_stage::asking);
  p.renew_until = t.now + *rules_->rider_confirms;
  t.publish(events::rider_asked{p.token, p.driver, p.ride, rules_->self});
  t.add(messages::confirm_wanted{p.ride, p.driver, p.token});
  t.after(*rules_->rider_confirms + rules_->matching.reply_timeout,
          messages::reply_timeout_due{p.ride, p.step});
}

void search_machine::on(turn& t, const messages::rider_confirmed& m) {
  ride_search* p = find(m.ride, m.token, search_stage::asking);
  if (p != nullptr && !ends_outlived(t, *p)) {
    confirm_or_write(t, *p);
  }
}

void search_machine::confirm_or_write(turn& t, ride_search& p) {
  if (!rules_->manager_judges()) {
    write_it(t, p);
    return;
  }
  p.enter(search_stage::confirming);
  p.manager = leader_.node();
  t.send(p.manager, messages::confirm{p.ride, p.driver, p.token});
  t.after(rules_->matching.reply_timeout, messages::reply_timeout_due{p.ride, p.step});
}

void search_machine::on(turn& t, const messages::confirm_taken& m) {
  if (ride_search* p = find(m.ride, m.token, search_stage::confirming)) {
    t.add(take_step{.search = p, .here = life_step::after_confirm});
  } else if (rules_->lease.manager_commits()) {
    promise_late(t, m.ride, m.driver, m.token);
  } else {
    return_unused(t, m.ride, m.driver, m.token, lease_ending::cancelled);
  }
}

// A late copy of the yes to an acquire or a confirm may come before the write, or after it.
void search_machine::return_unused(
    turn& t, ride_id r, driver_id d, token_id token, lease_ending cause) {
  const ride_search* p = find(r);
  const auto last = written_.find(d);
  const bool is_written = last != written_.end() && last->second == token;
  const bool is_in_use =
      p != nullptr && p->any_try([&](const ride_try& one) { return one.token == token; });
  if (!is_written && !is_in_use) {
    t.send(leader_.node(), messages::release{r, d, token, cause});
  }
}

void search_machine::confirmed(turn& t, ride_search& p) {
  if (rules_->lease.manager_commits()) {
    commit_trip(t, p, p.driver, p.token);
  } else {
    write_it(t, p);
  }
}

void search_machine::on(turn& t, const messages::confirm_denied& m) {
  ride_search* p = find_where(m.ride, [&](const ride_try& one) {
    return one.token == m.token &&
           (one.stage == search_stage::confirming || one.stage == search_stage::offered);
  });
  if (p == nullptr) {
    return;
  }
  if (m.holder_token.is_some()) {
    yield_to(t, *p, try_ending::refused, m.driver, m.holder_token);
  } else if (p->stage == search_stage::confirming) {
    next_after(t, *p, try_ending::refused);
  }
}

void search_machine::on(turn& t, const messages::lease_converted& m) {
  if (ride_search* p = find(m.ride, m.token, search_stage::offered)) {
    commit_trip(t, *p, m.driver, m.token);
  } else {
    promise(t, m.ride, m.driver, m.token);
  }
}

void search_machine::write_it(turn& t, ride_search& p) {
  if (rules_->matching.claims && rules_->matching.claims->at_completion &&
      p.stage != search_stage::claiming) {
    p.enter(search_stage::claiming);
    p.manager = leader_.node();
    claim(t, p, true);
  } else {
    p.enter(search_stage::writing);
    written_[p.driver] = p.token;
    t.send({node_kind::ledger, 0}, messages::write{p.ride, p.driver, p.token, p.version});
  }
  t.after(rules_->matching.reply_timeout, messages::reply_timeout_due{p.ride, p.step});
}

void search_machine::on(turn& t, const messages::write_taken& m) {
  if (ride_search* p = find(m.ride, m.token, search_stage::writing)) {
    t.add(take_step{.search = p, .here = life_step::after_write});
  } else {
    promise_late(t, m.ride, m.driver, m.token);
  }
}

void search_machine::on(turn& t, const messages::write_denied& m) {
  ride_search* p = find(m.ride, m.token, search_stage::writing);
  if (p == nullptr) {
    return;
  }
  if (m.holder_token.is_some()) {
    yield_to(t, *p, try_ending::not_written, m.driver, m.holder_token);
  } else {
    next_after(t, *p, try_ending::not_written);
  }
}

void search_machine::yield_to(
    turn& t, ride_search& p, try_ending cause, driver_id holder, token_id token) {
  close_try(t, p, cause);
  promise(t, p.ride, holder, token);
  close_served(t, p);
}

void search_machine::commit_trip(turn& t, ride_search& p, driver_id d, token_id token) {
  promise(t, p.ride, d, token);
  close_try(t, p, try_ending::committed);
  close_served(t, p);
}

// The drivers whom it asked besides are asked no longer.
void search_machine::close_served(turn& t, ride_search& p) {
  withdraw(t, p, try_ending::withdrawn);
  close(t, p.ride, true);
}

// The matcher had moved on, and whoever it asks by now would say yes in vain.
void search_machine::promise_late(turn& t, ride_id r, driver_id d, token_id token) {
  promise(t, r, d, token);  // the rider knows whether she still wants it
  if (ride_search* p = find(r); p != nullptr && !p->any_try(&ride_try::has_accept)) {
    withdraw(t, *p, try_ending::withdrawn);
    close(t, r, true);
  }
}

void search_machine::promise(turn& t, ride_id r, driver_id d, token_id token) {
  t.add(tell_of_driver{r, d, token});
}

}  // namespace dibs::match
