#include "lease/manager_machine.hpp"

#include "base/random.hpp"

#include <algorithm>
#include <utility>

namespace dibs::lease {
namespace {

constexpr node_id the_ledger{node_kind::ledger, 0};

matcher_id matcher_of(node_id n) {
  return n.kind() == node_kind::matcher ? matcher_id{n.index()} : matcher_id::none();
}

machine_options machine_options_of(const manager_rules& rules) {
  const lease_options& l = rules.lease;
  const bool expires = rules.protocol.expires;
  return {.protocol = rules.protocol,
          .ttl = expires ? l.granted_ttl() : forever,
          .grace = l.grace,
          .confirm_hold = expires ? l.confirm_hold : forever,
          .lock_delay = l.lock_delay,
          .commit_on_confirm = l.manager_commits(),
          .ends_on_sight = l.ends_on_sight(),
          .numbers_renewals = l.renewal.numbered,
          .jitter = l.jitter,
          .hold_min = l.hold_min};
}

}  // namespace

manager_machine::manager_machine(const manager_rules& rules)
    : rules_(std::make_unique<const manager_rules>(rules)),
      leases_(machine_options_of(rules), rules.drivers),
      lead_(*rules_) {}

// -- grants --------------------------------------------------------------------------------------

bool manager_machine::may_acquire(turn& t, const messages::acquire& m) const {
  if (!lead_.leads()) {
    return false;
  }
  if (m.zone.is_some() && !zones_.holds(m.zone, m.holder, t.now)) {
    t.publish(events::lease_denied{m.driver, m.ride, m.holder, events::denial::no_zone});
    t.reply(messages::lease_refused{m.ride, m.driver, m.request});
    return false;
  }
  return true;
}

void manager_machine::on(turn& t, const messages::acquire& m, const asker& by) {
  if (!may_acquire(t, m)) {
    return;
  }
  const local_time now = judging_time(t, m.ride, by);
  tidy(t, now);
  conclude(
      t,
      m,
      by,
      leases_.acquire(m.driver, m.ride, m.holder, now, m.request, jitter(m.ride, by.ride_key)));
}

void manager_machine::conclude(turn& t,
                               const messages::acquire& m,
                               const asker& /*by*/,
                               const acquire_outcome& outcome) {
  const auto* g = std::get_if<granted>(&outcome);
  const auto* d = std::get_if<denied>(&outcome);
  if (const auto& previous = g != nullptr ? g->previous : d->previous) {
    report(t, *previous, true);
  }
  if (g != nullptr) {
    if (!g->repeated) {
      grant(t, m, *g);
    }
    t.reply(messages::lease_given{m.ride, m.driver, m.request, g->token, g->ttl});
    return;
  }
  t.publish(events::lease_denied{m.driver, m.ride, m.holder, d->cause});
  t.reply(messages::lease_refused{m.ride, m.driver, m.request});
}

void manager_machine::grant(turn& t, const messages::acquire& m, const granted& g) {
  t.publish(events::lease_granted{g.token, m.driver, m.ride, m.holder, g.ttl, g.expires});
  if (rules_->raises_fence()) {
    t.send(the_ledger, messages::raise_fence{m.ride, m.driver, g.token});
  }
  if (m.zone.is_some()) {
    zones_.put_under(m.zone, m.driver);
  }
  watch_expiry(t, m.driver, g.token, due_of(g.expires));
  lead_.tell_lease(t, leases_, m.driver);
}

local_time manager_machine::judging_clock(const turn& t, const asker& by) {
  return by.clock.value_or(t.now);
}

local_time manager_machine::judging_time(const turn& t, ride_id r, const asker& by) {
  const local_time now = judging_clock(t, by);
  if (!rules_->lease.transactions_take_time()) {
    return now;
  }
  auto draws = stream::keyed(rules_->seed, purpose::transaction, by.ride_key, draws_[r]++);
  return now - draw(rules_->lease.transaction, draws);
}

sim_duration manager_machine::jitter(ride_id r, std::uint64_t ride_key) {
  const sim_duration most = rules_->lease.jitter;
  if (most == sim_duration::zero()) {
    return most;
  }
  auto draws = stream::keyed(rules_->seed, purpose::lease_jitter, ride_key, draws_[r]++);
  return sim_duration{static_cast<std::int64_t>(draws.unit() * static_cast<double>(most.count()))};
}

// -- confirms, renewals and releases -------------------------------------------------------------

void manager_machine::on(turn& t, const messages::confirm& m, const asker& by) {
  if (!lead_.leads()) {
    return;
  }
  conclude(t,
           m,
           by,
           leases_.confirm(m.driver, m.token, judging_time(t, m.ride, by), matcher_of(by.node)));
}

void manager_machine::conclude(turn& t,
                               const messages::confirm& m,
                               const asker& by,
                               const confirm_outcome& outcome) {
  if (const auto* c = std::get_if<confirmed>(&outcome)) {
    accept(t, m, *c, by.node);
    return;
  }
  refuse(t, m, std::get<refused>(outcome), by.node);
}

void manager_machine::refuse(turn& t, const messages::confirm& m, const refused& no, node_id by) {
  const bool by_driver = by.kind() == node_kind::driver;
  const bool is_taken = no.holder.token.is_some();
  if (no.previous) {
    report(t, *no.previous, no.previous->token != m.token || (by_driver && !is_taken));
  }
  t.publish(events::confirm_refused{m.token, m.driver, m.ride, no.cause});
  const messages::confirm_denied word{
      m.ride, is_taken ? no.holder.driver : m.driver, m.token, no.holder.token};
  if (!by_driver) {
    t.reply(word);
    return;
  }
  t.reply(messages::answer_seen{m.ride});
  if (is_taken) {  // the ride's matcher has not heard of its driver: another had it, and is gone
    t.send(node_of(no.previous->holder), word);
  }
}

void manager_machine::accept(turn& t, const messages::confirm& m, const confirmed& c, node_id by) {
  t.publish(events::confirm_accepted{m.token, m.driver, m.ride, c.repeated});
  if (c.committed) {
    t.publish(events::trip_committed{m.token, m.driver, m.ride, c.holder});
    t.send(the_ledger, messages::record_commit{m.ride, m.driver, m.token});
    lead_.tell_trip(t, m.driver, m.token);
    if (c.other) {
      report(t, *c.other, true);
    }
  } else if (!c.repeated) {
    watch(t, m.driver, c.lease, c.hold_until);
  }
  lead_.tell_lease(t, leases_, m.driver);
  if (by.kind() == node_kind::matcher) {
    t.reply(messages::confirm_taken{m.ride, m.driver, m.token});
    return;
  }
  t.reply(messages::answer_seen{m.ride});
  if (!c.repeated) {
    t.send(node_of(c.holder), messages::lease_converted{m.ride, m.driver, m.token});
  }
}

void manager_machine::on(turn& t, const messages::renew& m, const asker& by) {
  if (!lead_.leads()) {
    return;
  }
  const local_time now = judging_time(t, m.ride, by);
  conclude(t,
           m,
           by,
           leases_.renew(
               m.driver, m.token, now, matcher_of(by.node), m.nth, jitter(m.ride, by.ride_key)));
}

void manager_machine::conclude(turn& t,
                               const messages::renew& m,
                               const asker& /*by*/,
                               const renew_outcome& outcome) {
  if (const auto* longer = std::get_if<renewed>(&outcome)) {
    t.publish(events::lease_renewed{longer->token, m.driver, longer->expires});
    watch_expiry(t, m.driver, longer->token, due_of(longer->expires));
    lead_.tell_lease(t, leases_, m.driver);
    t.reply(messages::lease_extended{m.token, longer->ttl, m.ride, m.driver, m.attempt});
    return;
  }
  const auto& no = std::get<refused>(outcome);
  if (no.previous) {
    report(t, *no.previous, no.previous->token != m.token);
  }
  t.publish(events::renewal_refused{m.token, m.driver, m.ride, no.cause});
  t.reply(messages::renewal_denied{m.ride, m.driver, m.token, m.attempt});
}

void manager_machine::on(turn& t, const messages::release& m, const asker& by) {
  if (!lead_.leads()) {
    return;
  }
  conclude(
      t,
      m,
      by,
      rules_->lease.release_frees
          ? leases_.give_back(m.driver, m.token, m.cause, judging_clock(t, by), matcher_of(by.node))
          : std::nullopt);
}

void manager_machine::conclude(turn& t,
                               const messages::release& m,
                               const asker& by,
                               const std::optional<ended>& e) {
  const bool by_driver = by.node.kind() == node_kind::driver;
  if (e) {
    report(t, *e, by_driver);
  } else {
    watch_held(t, m.driver);
  }
  if (by_driver) {
    t.reply(messages::answer_seen{m.ride});
  } else {
    t.reply(messages::release_seen{m.ride, m.driver, m.token});
  }
}

void manager_machine::on(turn& t, const messages::revoke& m) {
  if (lead_.leads()) {
    if (const auto e = leases_.release(m.driver, m.token, events::lease_ending::expired)) {
      report(t, *e, true);
    }
  }
}

void manager_machine::report(turn& t, const ended& e, bool to_holder) {
  t.publish(events::lease_ended{e.token, e.driver, e.ride, e.cause});
  lead_.tell_lease(t, leases_, e.driver);
  if (to_holder) {
    t.send(node_of(e.holder), messages::lease_over{e.ride, e.driver, e.token, e.cause});
  }
}

// -- what the ledger says ------------------------------------------------------------------------

void manager_machine::on(turn& t, const messages::write_outcome& m) {
  conclude(
      t,
      m,
      {},
      m.taken ? leases_.trip_began(m.driver, m.token) : leases_.write_refused(m.driver, m.token));
}

void manager_machine::conclude(turn& t,
                               const messages::write_outcome& m,
                               const asker& /*by*/,
                               const std::optional<ended>& e) {
  if (e) {
    report(t, *e, m.taken);
  }
  lead_.tell_lease(t, leases_, m.driver);
  if (m.taken) {
    lead_.tell_trip(t, m.driver, leases_.entry_of(m.driver).trip);
  }
}

void manager_machine::on(turn& t, const messages::trip_closed& m) {
  conclude(t, m, {}, leases_.trip_ended(m.driver, m.token, m.ride));
}

void manager_machine::conclude(turn& t,
                               const messages::trip_closed& m,
                               const asker& /*by*/,
                               bool was_on_it) {
  if (m.was_over && was_on_it) {
    t.publish(
        events::assignment_revoked{m.ride, m.token, m.driver, events::revocation::rider_cancelled});
  }
  lead_.tell_trip(t, m.driver, leases_.entry_of(m.driver).trip);
}

// -- expiry --------------------------------------------------------------------------------------

void manager_machine::on(turn& t, const messages::lease_due& m) {
  if (lead_.acts_on_expiry()) {
    conclude(t, m, {}, leases_.expire(m.driver, m.token, t.now));
  }
}

void manager_machine::conclude(turn& t,
                               const messages::lease_due& m,
                               const asker& /*by*/,
                               const std::optional<ended>& e) {
  if (e) {
    if (lead_.leads()) {
      report(t, *e, true);
    } else {
      t.send(lead_.other(), messages::revoke{m.driver, m.token});
    }
  }
}

void manager_machine::on(turn& t, const messages::sweep_due& m) {
  sweep_until(t, t.now);
  t.after(rules_->lease.cleanup.every, m);
}

// Whoever is let go by then is found by the next look, and where nobody looks, by this timer.
void manager_machine::watch_held(turn& t, driver_id d) const {
  if (const auto held = leases_.just_kept(d)) {
    watch(t, d, held->token, held->until);
  }
}

void manager_machine::sweep_until(turn& t, local_time now) {
  if (lead_.leads() && rules_->lease.cleanup.lag > sim_duration::zero()) {
    reads_.push_back(leases_.over_at(now, rules_->lease.cleanup.most.value_or(SIZE_MAX)));
    t.after(rules_->lease.cleanup.lag, messages::sweep_acts_due{});
  } else if (lead_.leads()) {
    for (const ended& e : leases_.sweep(now, rules_->lease.cleanup.most.value_or(SIZE_MAX))) {
      report(t, e, true);
    }
  }
}

void manager_machine::on(turn& t, const messages::sweep_acts_due&) {
  if (reads_.empty()) {
    return;
  }
  const std::vector<machine::due> read = std::move(reads_.front());
  reads_.pop_front();
  for (const machine::due& one : lead_.leads() ? read : std::vector<machine::due>{}) {
    const auto e = rules_->lease.cleanup.check == sweep_check::once
                       ? leases_.sweep_whatever(one.driver)
                       : leases_.sweep_one(one.driver, one.token, t.now);
    if (e) {
      report(t, *e, true);
    }
  }
}

local_time manager_machine::due_of(local_time expires) const {
  return expires == local_time::max() ? expires : expires + rules_->lease.grace;
}

void manager_machine::watch(turn& t, driver_id d, token_id token, local_time due) const {
  if (due != local_time::max()) {
    t.after(std::max(due - t.now, sim_duration::zero()), messages::lease_due{d, token});
  }
}

void manager_machine::watch_expiry(turn& t, driver_id d, token_id token, local_time due) {
  if (rules_->lease.cleanup.kind == cleanup::timer) {
    watch(t, d, token, due);
  } else if (rules_->lease.cleanup.kind == cleanup::lazy && due != local_time::max()) {
    running_out_.push({due, d, token});
    t.add(lapse{d, token, std::max(due - t.now, sim_duration::zero())});
  }
}

void manager_machine::tidy(turn& t, local_time now) {
  while (!running_out_.empty() && running_out_.top().at <= now) {
    const due_lease<local_time> one = running_out_.top();
    running_out_.pop();
    if (const auto e = leases_.expire(one.driver, one.token, now)) {
      report(t, *e, true);
    }
  }
}

// -- a store outside ------------------------------------------------------------------------------

std::optional<any_command> manager_machine::command_for(turn& t,
                                                        const messages::acquire& m,
                                                        const asker& by) {
  if (!may_acquire(t, m)) {
    return std::nullopt;
  }
  return command::acquire{m.driver, m.ride, m.holder, m.request, jitter(m.ride, by.ride_key)};
}

std::optional<any_command> manager_machine::command_for(turn& /*t*/,
                                                        const messages::confirm& m,
                                                        const asker& /*by*/) const {
  return command::confirm{m.driver, m.token};
}

std::optional<any_command> manager_machine::command_for(turn& /*t*/,
                                                        const messages::renew& m,
                                                        const asker& by) {
  return command::renew{m.driver, m.token, jitter(m.ride, by.ride_key)};
}

std::optional<any_command> manager_machine::command_for(turn& t,
                                                        const messages::release& m,
                                                        const asker& by) {
  if (!rules_->lease.release_frees) {
    conclude(t, m, by, std::nullopt);
    return std::nullopt;
  }
  return command::release{m.driver, m.token, m.cause};
}

std::optional<any_command> manager_machine::command_for(turn& /*t*/,
                                                        const messages::write_outcome& m,
                                                        const asker& /*by*/) const {
  if (m.taken) {
    return command::trip_began{m.driver, m.token};
  }
  return command::write_refused{m.driver, m.token};
}

std::optional<any_command> manager_machine::command_for(turn& /*t*/,
                                                        const messages::trip_closed& m,
                                                        const asker& /*by*/) const {
  return command::trip_ended{m.driver, m.token, m.ride};
}

std::optional<any_command> manager_machine::command_for(turn& /*t*/,
                                                        const messages::lease_due& m,
                                                        const asker& /*by*/) const {
  return command::expire{m.driver, m.token};
}

// -- claims --------------------------------------------------------------------------------------

void manager_machine::on(turn& t, const messages::claim_ride& m) {
  if (lead_.leads() && rules_->claims) {
    rides_.claim(t, m, rules_->claims->ttl);
  }
}

void manager_machine::on(turn& t, const messages::claim_due& m) {
  rides_.expire(t, m.ride, rules_->claims->ttl, draws_[m.ride], rules_->matchers);
}

void manager_machine::on(turn& t, const messages::claim_zone& m) {
  if (lead_.leads() && rules_->lease.zones) {
    end_zone_claims(t, m.zone);  // a timer is due at this very instant
    zones_.claim(t, m, *rules_->lease.zones, rules_->matchers);
  }
}

void manager_machine::end_zone_claims(turn& t, zone_id z) {
  for (const matcher_id holder : zones_.expire(z, t.now)) {
    t.publish(events::zone_ended{z,
                                 holder,
                                 rules_->lease.zones->mode_of(holder, rules_->matchers),
                                 events::claim_ending::expired});
    for (const ended& e : zones_.release_under(z, holder, leases_)) {
      report(t, e, true);
    }
    t.send(node_of(holder), messages::zone_over{z});
  }
}

// -- beginning and coming back -------------------------------------------------------------------

void manager_machine::start(turn& t) const {
  const cleanup_options& sweeps = rules_->lease.cleanup;
  if (sweeps.kind == cleanup::periodic && sweeps.by == sweep_clock::manager) {
    t.after(sweeps.every, messages::sweep_due{});
  }
  if (rules_->lease.restart.leases == after_restart::checkpoint) {
    t.after(rules_->lease.restart.checkpoint, messages::checkpoint_due{});
  }
  lead_.start(t);
}

void manager_machine::restart(turn& t) {
  lead_.come_back();
  reads_.clear();
  start(t);
  if (lead_.leads()) {
    recover(t);
  }
}

void manager_machine::on(turn& t, const messages::leader_silent& m) {
  if (lead_.takes_the_lead(t, m, leases_)) {
    recover(t);
    lead_.beat(t);
  }
}

void manager_machine::on(turn& t, const messages::lease_in_doubt& m) {
  if (const auto e = lead_.forget_doubtful(m)) {
    report(t, *e, true);
  }
}

void manager_machine::on(turn& t, const messages::checkpoint_due& m) {
  leases_.take_checkpoint(t.now);
  t.after(rules_->lease.restart.checkpoint, m);
}

void manager_machine::recover(turn& t) {
  switch (rules_->lease.restart.leases) {
    case after_restart::kept:
      break;
    case after_restart::extended:
      leases_.extend_all(t.now, rules_->lease.restart.extra);
      break;
    case after_restart::checkpoint:
      leases_.restore_checkpoint(t.now);
      break;
    case after_restart::forgotten:
      for (const ended& e : leases_.forget(rules_->lease.restart.keeps_tokens)) {
        report(t, e, false);
      }
      rides_.forget();
      zones_.forget();
      return;
  }
  watch_all_again(t);
  if (rules_->lease.manager_commits()) {
    return;  // the trips are this manager's own word, and the ledger may have missed it
  }
  for (const auto& trip : leases_.trips()) {
    t.send(the_ledger, messages::whose_trip{trip.driver, trip.ride, trip.token});
  }
}

void manager_machine::watch_all_again(turn& t) {
  const bool has_moved = rules_->lease.restart.leases != after_restart::kept;
  for (const auto& due : leases_.pending()) {
    if (!due.confirmed && has_moved && t.now < due.when && due.when != local_time::max()) {
      t.publish(events::lease_reset{due.token, due.driver, due.when - rules_->lease.grace});
    }
    if (due.confirmed) {
      watch(t, due.driver, due.token, due.when);
    } else {
      watch_expiry(t, due.driver, due.token, due.when);
    }
  }
  rides_.watch_again(t);
  zones_.watch_again(t);
}

}  // namespace dibs::lease
