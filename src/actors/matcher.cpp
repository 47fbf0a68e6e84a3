#include "actors/matcher.hpp"

namespace dibs::actors {
namespace {

using events::lease_ending;
using events::try_ending;
using match::stage;

constexpr node_id the_lease_manager{node_kind::lease_manager, 0};
constexpr node_id the_ledger{node_kind::ledger, 0};

matcher_id me(const runtime::context& x) { return matcher_id{x.self().index()}; }

const scenario::matcher_options& options_of(const runtime::context& x) {
  return x.world().options.matchers;
}

const scenario::lease_options& lease_of(const runtime::context& x) {
  return x.world().options.lease;
}

node_id rider_of(const runtime::context& x, ride_id r) { return x.world().rides.at(r).rider; }

local_time later(local_time now, std::optional<sim_duration> by) {
  return !by || *by > local_time::max() - now ? local_time::max() : now + *by;
}

}  // namespace

// -- asked for a ride ----------------------------------------------------------------------------

void matcher::on(context& x, const want_ride& m) {
  if (find(m.ride) != nullptr) {
    return;  // the rider asks again while her ride is being pursued
  }
  pursuit& p = pursuits_[m.ride];
  p.ride = m.ride;
  p.asked = m.nth;
  x.after(options_of(x).offers.total_wait, wait_over{m.ride, m.nth});
  try_next(x, p);
}

void matcher::on(context& x, const withdraw_ride& m) {
  if (pursuit* p = find(m.ride)) {
    withdraw(x, *p);
    pursuits_.erase(m.ride);
  }
}

void matcher::on(context& x, const wait_over& m) {
  pursuit* p = find(m.ride);
  if (p == nullptr || p->asked != m.nth) {
    return;
  }
  if (p->stage == stage::confirming || p->stage == stage::writing) {
    x.after(options_of(x).reply_timeout, m);  // a driver has accepted: let it come to an end
    return;
  }
  withdraw(x, *p);
  fail(x, *p, events::abandonment::wait);
}

// -- looking for a driver ------------------------------------------------------------------------

void matcher::try_next(context& x, pursuit& p) {
  const auto& options = options_of(x);
  if (p.tries >= options.offers.max) {
    fail(x, p, events::abandonment::tries);
    return;
  }
  const driver_id d = choose(x, p);
  if (!d.is_some()) {
    if (options.look_again) {
      x.after(*options.look_again, look_again{p.ride, p.step});
    } else {
      fail(x, p, events::abandonment::tries);
    }
    return;
  }
  p.driver = d;
  if (x.world().protocol.ledger == lease::ledger_rule::compare_and_set) {
    p.version = x.world().supply.version_of(d);
  }
  engaged_.insert(d);
  if (!x.world().protocol.leases) {
    p.token = token_id::unleased(me(x), ++unleased_tries_);
    send_offer(x, p, lease_of(x).ttl);
    return;
  }
  p.enter(stage::acquiring);
  p.trusted_until = later(x.now(), x.world().protocol.expires ? lease_of(x).ttl : forever);
  p.tries += options.tries == scenario::try_unit::acquire ? 1U : 0U;
  x.send(the_lease_manager, acquire{p.ride, d, me(x), ++requests_});
  p.request = requests_;
  x.after(options.reply_timeout, no_word{p.ride, p.step});
}

driver_id matcher::choose(context& x, pursuit& p) {
  const local_time now = x.now();
  const bool blind = options_of(x).view == scenario::view::blind;
  auto random = x.random(purpose::pick, x.world().rides.at(p.ride).plan.key, p.asked, p.picks);
  ++p.picks;
  return x.pick_driver(p.ride, random, [&](driver_id d) {
    return (!blind && engaged_.contains(d)) || !p.may_try(d, now);
  });
}

void matcher::on(context& x, const look_again& m) {
  if (pursuit* p = find(m.ride); p != nullptr && p->stage == stage::idle && p->step == m.step) {
    try_next(x, *p);
  }
}

// -- the lease -----------------------------------------------------------------------------------

void matcher::on(context& x, const lease_given& m) {
  pursuit* p = find(m.ride);
  if (p != nullptr && p->token == m.token) {
    return;  // a copy: the lease is in use
  }
  if (p == nullptr || p->stage != stage::acquiring || p->request != m.request) {
    // Too late for the try that asked for it.
    x.send(the_lease_manager, release{m.ride, m.driver, m.token, lease_ending::released});
    return;
  }
  p->token = m.token;
  sim_duration left = m.deadline;
  if (lease_of(x).deadline == scenario::deadline::absolute && left != forever) {
    left = m.deadline - x.wall().time_since_epoch();
    p->trusted_until = x.now() + left;
  }
  send_offer(x, *p, left);
}

void matcher::on(context& x, const lease_refused& m) {
  pursuit* p = find(m.ride);
  if (p == nullptr || p->stage != stage::acquiring || p->request != m.request) {
    return;
  }
  const auto& options = options_of(x);
  // Somebody has her, as the view will show in a while.
  p->rest(m.driver,
          options.look_again ? later(x.now(), options.view_lag + *options.look_again)
                             : local_time::max());
  close_try(x, *p, try_ending::denied);
  try_next(x, *p);
}

void matcher::on(context& x, const lease_over& m) {
  pursuit* p = find(m.ride, m.token, stage::offered);
  if (p == nullptr) {
    return;
  }
  if (m.cause == lease_ending::cancelled) {
    x.send(node_of(m.driver), withdraw_offer{m.ride, m.token});
  }
  next_after(
      x, *p, m.cause == lease_ending::declined ? try_ending::declined : try_ending::lease_lost);
}

void matcher::on(context& x, const no_word& m) {
  if (pursuit* p = find(m.ride); p != nullptr && p->step == m.step) {
    next_after(x, *p, try_ending::no_reply);
  }
}

// -- the offer -----------------------------------------------------------------------------------

void matcher::send_offer(context& x, pursuit& p, sim_duration left) {
  const auto& lease = lease_of(x);
  p.enter(stage::offered);
  p.tries += options_of(x).tries == scenario::try_unit::offer ? 1U : 0U;
  x.record(events::offer_sent{p.token, p.driver, p.ride, me(x)});
  // The rest of the lease after the driver's window covers delay and skew.
  const sim_duration window = lease.offer_window.value_or(lease.ttl);
  sim_duration deadline = window;
  if (lease.deadline == scenario::deadline::absolute && window != forever) {
    const sim_duration reserve = left == forever ? sim_duration::zero() : lease.ttl - window;
    deadline = x.wall().time_since_epoch() + (left == forever ? window : left - reserve);
  }
  x.send(node_of(p.driver), offer{p.ride, p.token, deadline});
  const sim_duration patience = x.world().protocol.expires ? left : lease.ttl;
  if (patience != forever) {
    // A manager that judges alone takes a confirm until its grace is over.
    const sim_duration grace =
        lease.judge == scenario::judge::manager ? lease.grace : sim_duration::zero();
    x.after(std::max(patience + grace, sim_duration::zero()), try_over{p.ride, p.step});
  }
}

void matcher::on(context& x, const offer_answer& m) {
  pursuit* p = find(m.ride, m.token, stage::offered);
  if (p == nullptr) {
    return;
  }
  if (m.answer == events::verdict::accepted) {
    accept(x, *p);
    return;
  }
  give_back(x, *p, lease_ending::declined);
  next_after(x, *p, try_ending::declined);
}

void matcher::on(context& x, const try_over& m) {
  if (pursuit* p = find(m.ride); p != nullptr && p->step == m.step) {
    if (!x.world().protocol.expires) {
      give_back(x, *p, lease_ending::released);
    }
    next_after(x, *p, try_ending::timed_out);
  }
}

// -- the assignment ------------------------------------------------------------------------------

void matcher::accept(context& x, pursuit& p) {
  const auto& lease = lease_of(x);
  const bool leases = x.world().protocol.leases;
  if (leases && lease.judge != scenario::judge::manager && p.trusted_until != local_time::max() &&
      x.now() + lease.margin >= p.trusted_until) {
    give_back(x, p, lease_ending::released);
    next_after(x, p, try_ending::timed_out);
    return;
  }
  if (!leases || lease.judge == scenario::judge::holder) {
    write_it(x, p);
    return;
  }
  p.enter(stage::confirming);
  x.send(the_lease_manager, confirm{p.ride, p.driver, p.token});
  x.after(options_of(x).reply_timeout, no_word{p.ride, p.step});
}

void matcher::on(context& x, const confirm_taken& m) {
  const bool committed = lease_of(x).commit == scenario::commit_at::manager;
  pursuit* p = find(m.ride, m.token, stage::confirming);
  if (p != nullptr && committed) {
    settle(x, *p, m.driver, m.token);
  } else if (p != nullptr) {
    write_it(x, *p);
  } else if (committed) {
    promise(x, m.ride, m.driver, m.token);
  } else {
    x.send(the_lease_manager, release{m.ride, m.driver, m.token, lease_ending::cancelled});
  }
}

void matcher::on(context& x, const confirm_denied& m) {
  if (pursuit* p = find(m.ride, m.token, stage::confirming)) {
    next_after(x, *p, try_ending::refused);
  }
}

void matcher::on(context& x, const lease_converted& m) {
  if (pursuit* p = find(m.ride, m.token, stage::offered)) {
    settle(x, *p, m.driver, m.token);
  } else {
    promise(x, m.ride, m.driver, m.token);
  }
}

void matcher::write_it(context& x, pursuit& p) {
  p.enter(stage::writing);
  x.send(the_ledger, write{p.ride, p.driver, p.token, p.version});
  x.after(options_of(x).reply_timeout, no_word{p.ride, p.step});
}

void matcher::on(context& x, const write_taken& m) {
  if (pursuit* p = find(m.ride, m.token, stage::writing)) {
    settle(x, *p, m.driver, m.token);
  } else {
    promise(x, m.ride, m.driver, m.token);  // the rider knows whether she still wants it
  }
}

void matcher::on(context& x, const write_denied& m) {
  pursuit* p = find(m.ride, m.token, stage::writing);
  if (p == nullptr) {
    return;
  }
  if (m.holder_token.is_some()) {  // the ride has a driver, of whom this matcher had not heard
    close_try(x, *p, try_ending::not_written);
    promise(x, m.ride, m.driver, m.holder_token);
    pursuits_.erase(m.ride);
    return;
  }
  next_after(x, *p, try_ending::not_written);
}

void matcher::settle(context& x, pursuit& p, driver_id d, token_id token) {
  promise(x, p.ride, d, token);
  close_try(x, p, try_ending::committed);
  pursuits_.erase(ride_id{p.ride});
}

void matcher::promise(context& x, ride_id r, driver_id d, token_id token) {
  x.send(rider_of(x, r), assigned{r, d, token, x.world().eta(d, r)});
}

// -- ending --------------------------------------------------------------------------------------

void matcher::next_after(context& x, pursuit& p, try_ending cause) {
  p.rest(p.driver, later(x.now(), options_of(x).offers.cooldown_after_decline));
  close_try(x, p, cause);
  try_next(x, p);
}

void matcher::close_try(context& x, pursuit& p, try_ending cause) {
  x.record(events::try_closed{p.token, p.driver, p.ride, me(x), cause});
  engaged_.erase(p.driver);
  p.end_try();
}

void matcher::fail(context& x, pursuit& p, events::abandonment cause) {
  x.send(rider_of(x, p.ride), unserved{p.ride, cause});
  pursuits_.erase(ride_id{p.ride});
}

void matcher::withdraw(context& x, pursuit& p) {
  if (p.stage == stage::idle) {
    return;
  }
  if (p.stage == stage::offered) {
    x.send(node_of(p.driver), withdraw_offer{p.ride, p.token});
    give_back(x, p, lease_ending::cancelled);
  }
  close_try(x, p, try_ending::withdrawn);
}

void matcher::give_back(context& x, const pursuit& p, lease_ending cause) {
  if (p.token.is_leased()) {
    x.send(the_lease_manager, release{p.ride, p.driver, p.token, cause});
  }
}

void matcher::crash() {
  pursuits_.clear();
  engaged_.clear();
}

matcher::pursuit* matcher::find(ride_id r) {
  const auto found = pursuits_.find(r);
  return found == pursuits_.end() ? nullptr : &found.value();
}

matcher::pursuit* matcher::find(ride_id r, token_id token, stage s) {
  pursuit* p = find(r);
  return p != nullptr && p->token == token && p->stage == s ? p : nullptr;
}

}  // namespace dibs::actors
