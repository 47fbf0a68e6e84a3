#include "actors/lease_manager.hpp"

#include "actors/node_options.hpp"

#include <algorithm>

namespace dibs::actors {
namespace {

matcher_id asking_matcher(const runtime::context& x) {
  return x.sender().kind() == node_kind::matcher ? matcher_id{x.sender().index()}
                                                 : matcher_id::none();
}

local_time due_of(const runtime::context& x, local_time expires) {
  return expires == local_time::max() ? expires : expires + lease_of(x).grace;
}

bool is_instant(const distribution& d) {
  const auto* c = std::get_if<constant_duration>(&d);
  return c != nullptr && c->value == sim_duration::zero();
}

}  // namespace

// -- grants --------------------------------------------------------------------------------------

void lease_manager::on(context& x, const acquire& m) {
  if (!leads_) {
    return;
  }
  if (m.zone.is_some() && !zones_.holds(m.zone.value, m.holder, x.now())) {
    x.publish(events::lease_denied{m.driver, m.ride, m.holder, events::denial::no_zone});
    x.answer(lease_refused{m.ride, m.driver, m.request});
    return;
  }
  const local_time now = judging_time(x, m.ride);
  tidy(x, now);
  const auto outcome =
      leases_.acquire(m.driver, m.ride, m.holder, now, m.request, jitter(x, m.ride));
  const auto* g = std::get_if<lease::granted>(&outcome);
  const auto* d = std::get_if<lease::denied>(&outcome);
  if (const auto& previous = g != nullptr ? g->previous : d->previous) {
    report(x, *previous, true);
  }
  if (g != nullptr) {
    if (!g->repeated) {
      grant(x, m, *g);
    }
    answer(x, m, *g);
    return;
  }
  x.publish(events::lease_denied{m.driver, m.ride, m.holder, d->cause});
  x.answer(lease_refused{m.ride, m.driver, m.request});
}

void lease_manager::grant(context& x, const acquire& m, const lease::granted& g) {
  const auto& options = lease_of(x);
  x.publish(events::lease_granted{g.token, m.driver, m.ride, m.holder, g.ttl, g.expires});
  if (x.world().protocol.ledger == lease::ledger_rule::fence &&
      options.fence == scenario::fence::grant && options.commit == scenario::commit_at::ledger) {
    x.send(the_ledger, raise_fence{m.ride, m.driver, g.token});
  }
  if (m.zone.is_some()) {
    zone_of_.resize(std::max<std::size_t>(zone_of_.size(), m.driver.value + std::size_t{1}));
    zone_of_[m.driver.value] = m.zone;
  }
  watch_expiry(x, m.driver, g.token, due_of(x, g.expires));
  tell_follower(x, m.driver);
}

void lease_manager::answer(context& x, const acquire& m, const lease::granted& g) {
  x.answer(
      lease_given{m.ride, m.driver, m.request, g.token, deadline_of(x, m.ride, m.driver, g.ttl)});
}

sim_duration lease_manager::deadline_of(context& x,
                                        ride_id r,
                                        driver_id d,
                                        sim_duration left) const {
  const bool absolute = lease_of(x).deadline == scenario::deadline::absolute;
  return absolute && left != forever ? x.wall_for(r, d).time_since_epoch() + left : left;
}

local_time lease_manager::judging_time(context& x, ride_id r) {
  const distribution& begun = lease_of(x).transaction;
  if (is_instant(begun)) {
    return x.now();
  }
  auto draws = x.random(purpose::transaction, x.world().rides.at(r).key, draws_[r]++);
  return x.now() - draw(begun, draws);
}

sim_duration lease_manager::jitter(context& x, ride_id r) {
  const sim_duration most = lease_of(x).jitter;
  if (most == sim_duration::zero()) {
    return most;
  }
  auto draws = x.random(purpose::lease_jitter, x.world().rides.at(r).key, draws_[r]++);
  return sim_duration{static_cast<std::int64_t>(draws.unit() * static_cast<double>(most.count()))};
}

// -- confirms, renewals and releases -------------------------------------------------------------

void lease_manager::on(context& x, const confirm& m) {
  if (!leads_) {
    return;
  }
  const auto outcome =
      leases_.confirm(m.driver, m.token, judging_time(x, m.ride), asking_matcher(x));
  if (const auto* c = std::get_if<lease::confirmed>(&outcome)) {
    accept(x, m, *c);
    return;
  }
  refuse(x, m, std::get<lease::refused>(outcome));
}

void lease_manager::refuse(context& x, const confirm& m, const lease::refused& no) {
  const bool by_driver = x.sender().kind() == node_kind::driver;
  const bool is_taken = no.holder.token.is_some();
  if (no.previous) {
    report(x, *no.previous, no.previous->token != m.token || (by_driver && !is_taken));
  }
  x.publish(events::confirm_refused{m.token, m.driver, m.ride, no.cause});
  const confirm_denied word{
      m.ride, is_taken ? no.holder.driver : m.driver, m.token, no.holder.token};
  if (!by_driver) {
    x.answer(word);
    return;
  }
  x.answer(answer_seen{m.ride});
  if (is_taken) {  // the ride's matcher has not heard of its driver: another had it, and is gone
    x.send(node_of(no.previous->holder), word);
  }
}

void lease_manager::accept(context& x, const confirm& m, const lease::confirmed& c) {
  x.publish(events::confirm_accepted{m.token, m.driver, m.ride, c.repeated});
  if (c.committed) {
    x.publish(events::trip_committed{m.token, m.driver, m.ride, c.holder});
    x.send(the_ledger, record_commit{m.ride, m.driver, m.token});
    tell_follower_of_trip(x, m.driver, m.token);
    if (c.other) {
      report(x, *c.other, true);
    }
  } else if (!c.repeated) {
    watch(x, m.driver, c.lease, c.hold_until);
  }
  tell_follower(x, m.driver);
  if (x.sender().kind() == node_kind::matcher) {
    x.answer(confirm_taken{m.ride, m.driver, m.token});
    return;
  }
  x.answer(answer_seen{m.ride});
  if (!c.repeated) {
    x.send(node_of(c.holder), lease_converted{m.ride, m.driver, m.token});
  }
}

void lease_manager::on(context& x, const renew& m) {
  if (!leads_) {
    return;
  }
  const auto outcome = leases_.renew(
      m.driver, m.token, judging_time(x, m.ride), asking_matcher(x), m.nth, jitter(x, m.ride));
  if (const auto* longer = std::get_if<lease::renewed>(&outcome)) {
    x.publish(events::lease_renewed{longer->token, m.driver, longer->expires});
    watch_expiry(x, m.driver, longer->token, due_of(x, longer->expires));
    tell_follower(x, m.driver);
    x.answer(lease_extended{
        m.token, deadline_of(x, m.ride, m.driver, longer->ttl), m.ride, m.driver, m.attempt});
    return;
  }
  const auto& no = std::get<lease::refused>(outcome);
  if (no.previous) {
    report(x, *no.previous, no.previous->token != m.token);
  }
  x.publish(events::renewal_refused{m.token, m.driver, m.ride, no.cause});
  x.answer(renewal_denied{m.ride, m.driver, m.token, m.attempt});
}

void lease_manager::on(context& x, const release& m) {
  if (!leads_) {
    return;
  }
  const bool by_driver = x.sender().kind() == node_kind::driver;
  if (lease_of(x).release_frees) {
    if (const auto ended = leases_.release(m.driver, m.token, m.cause, asking_matcher(x))) {
      report(x, *ended, by_driver);
    }
  }
  if (by_driver) {
    x.answer(answer_seen{m.ride});
  } else {
    x.answer(release_seen{m.ride, m.driver, m.token});
  }
}

// -- what the ledger says ------------------------------------------------------------------------

void lease_manager::on(context& x, const write_outcome& m) {
  const auto ended =
      m.taken ? leases_.trip_began(m.driver, m.token) : leases_.write_refused(m.driver, m.token);
  if (ended) {
    report(x, *ended, m.taken);
  }
  tell_follower(x, m.driver);
  if (m.taken) {
    tell_follower_of_trip(x, m.driver, leases_.entry_of(m.driver).trip);
  }
}

void lease_manager::on(context& x, const trip_closed& m) {
  const bool was_on_it = leases_.trip_ended(m.driver, m.token, m.ride);
  if (m.was_over && was_on_it) {
    x.publish(
        events::assignment_revoked{m.ride, m.token, m.driver, events::revocation::rider_cancelled});
  }
  tell_follower_of_trip(x, m.driver, leases_.entry_of(m.driver).trip);
}

// -- expiry --------------------------------------------------------------------------------------

void lease_manager::on(context& x, const lease_due& m) {
  if (!leads_ && !(behind_ && lease_of(x).standby->old_leader_acts)) {
    return;
  }
  const auto ended = leases_.expire(m.driver, m.token, x.now());
  if (!ended) {
    return;
  }
  if (leads_) {
    report(x, *ended, true);
  } else {
    const std::uint32_t other = 1 - x.self().index();
    x.send({node_kind::lease_manager, other}, revoke{m.driver, m.token});
  }
}

void lease_manager::on(context& x, const sweep_due& m) {
  sweep_until(x, x.now());
  x.after(lease_of(x).cleanup.every, m);
}

void lease_manager::on(context& x, const sweep& m) {
  sweep_until(x, x.now() + (m.wall - x.wall()));
}

void lease_manager::sweep_until(context& x, local_time now) {
  if (!leads_) {
    return;
  }
  const auto most = lease_of(x).cleanup.most;
  for (const lease::ended& e : leases_.sweep(now, most ? *most : SIZE_MAX)) {
    report(x, e, true);
  }
}

void lease_manager::report(context& x, const lease::ended& e, bool to_holder) {
  x.publish(events::lease_ended{e.token, e.driver, e.ride, e.cause});
  tell_follower(x, e.driver);
  if (to_holder) {
    x.send(node_of(e.holder), lease_over{e.ride, e.driver, e.token, e.cause});
  }
}

void lease_manager::watch(context& x, driver_id d, token_id token, local_time due) {
  if (due != local_time::max()) {
    x.after(std::max(due - x.now(), sim_duration::zero()), lease_due{d, token});
  }
}

void lease_manager::watch_expiry(context& x, driver_id d, token_id token, local_time due) {
  const auto kind = lease_of(x).cleanup.kind;
  if (due == local_time::max()) {
    return;
  }
  if (kind == scenario::cleanup::timer) {
    watch(x, d, token, due);
  } else if (kind == scenario::cleanup::lazy) {
    running_out_.push({due, d, token});
    const sim_duration left = x.true_length(std::max(due - x.now(), sim_duration::zero()));
    const sim_time at = left == forever ? sim_time::max() : x.world_time() + left;
    x.world().supply.lapses_at(x.world_time(), d, token, at);
  }
}

void lease_manager::tidy(context& x, local_time now) {
  while (!running_out_.empty() && running_out_.top().at <= now) {
    const lease::deadline<local_time> one = running_out_.top();
    running_out_.pop();
    if (const auto ended = leases_.expire(one.driver, one.token, now)) {
      report(x, *ended, true);
    }
  }
}

}  // namespace dibs::actors
