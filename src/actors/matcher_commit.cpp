// How an accept becomes an assignment: the confirm, the write, and what the matcher tells the
// rider.

#include "actors/matcher.hpp"
#include "actors/node_options.hpp"

namespace dibs::actors {
namespace {

using events::lease_ending;
using events::try_ending;
using match::stage;
using sim::life_step;

}  // namespace

void matcher::accept(context& x, pursuit& p) {
  const auto& lease = lease_of(x);
  const bool leases = x.world().protocol.leases;
  if (leases && lease.judge != scenario::judge::manager && p.trusted_until != local_time::max() &&
      x.now() + lease.margin >= p.trusted_until) {
    give_back(x, p, lease_ending::released);
    next_after(x, p, try_ending::timed_out);
    return;
  }
  if (!is_stopped(x, p, life_step::after_accept)) {
    confirm_or_write(x, p);
  }
}

void matcher::confirm_or_write(context& x, pursuit& p) {
  if (!x.world().protocol.leases || lease_of(x).judge == scenario::judge::holder) {
    write_it(x, p);
    return;
  }
  p.enter(stage::confirming);
  p.manager = leader_;
  x.send(the_lease_manager(), confirm{p.ride, p.driver, p.token});
  x.after(matching_of(x).reply_timeout, no_word{p.ride, p.step});
}

void matcher::on(context& x, const confirm_taken& m) {
  const bool committed = lease_of(x).commit == scenario::commit_at::manager;
  pursuit* p = find(m.ride, m.token, stage::confirming);
  if (p != nullptr) {
    if (!is_stopped(x, *p, life_step::after_confirm)) {
      confirmed(x, *p);
    }
  } else if (committed) {
    settle_late(x, m.ride, m.driver, m.token);
  } else {
    return_unused(x, m.ride, m.driver, m.token, lease_ending::cancelled);
  }
}

// A late copy of the yes to an acquire or a confirm may come before the write, or after it.
void matcher::return_unused(
    context& x, ride_id r, driver_id d, token_id token, lease_ending cause) {
  const pursuit* p = find(r);
  const auto last = written_.find(d);
  const bool is_written = last != written_.end() && last->second == token;
  if (!is_written && (p == nullptr || p->token != token)) {
    x.send(the_lease_manager(), release{r, d, token, cause});
  }
}

void matcher::confirmed(context& x, pursuit& p) {
  if (lease_of(x).commit == scenario::commit_at::manager) {
    settle(x, p, p.driver, p.token);
  } else {
    write_it(x, p);
  }
}

void matcher::on(context& x, const confirm_denied& m) {
  pursuit* p = find(m.ride);
  const bool is_asked = p != nullptr && p->token == m.token &&
                        (p->stage == stage::confirming || p->stage == stage::offered);
  if (!is_asked) {
    return;
  }
  if (m.holder_token.is_some()) {
    give_up_to(x, *p, try_ending::refused, m.driver, m.holder_token);
  } else if (p->stage == stage::confirming) {
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
  if (const auto& claims = matching_of(x).claims;
      claims && claims->at_completion && p.stage != stage::claiming) {
    p.enter(stage::claiming);
    p.manager = leader_;
    claim(x, p.ride, true);
    x.after(matching_of(x).reply_timeout, no_word{p.ride, p.step});
    return;
  }
  p.enter(stage::writing);
  written_[p.driver] = p.token;
  x.send(the_ledger, write{p.ride, p.driver, p.token, p.version});
  x.after(matching_of(x).reply_timeout, no_word{p.ride, p.step});
}

void matcher::on(context& x, const write_taken& m) {
  if (pursuit* p = find(m.ride, m.token, stage::writing)) {
    if (!is_stopped(x, *p, life_step::after_write)) {
      settle(x, *p, m.driver, m.token);
    }
  } else {
    settle_late(x, m.ride, m.driver, m.token);
  }
}

void matcher::on(context& x, const write_denied& m) {
  pursuit* p = find(m.ride, m.token, stage::writing);
  if (p == nullptr) {
    return;
  }
  if (m.holder_token.is_some()) {
    give_up_to(x, *p, try_ending::not_written, m.driver, m.holder_token);
  } else {
    next_after(x, *p, try_ending::not_written);
  }
}

void matcher::give_up_to(
    context& x, pursuit& p, try_ending cause, driver_id holder, token_id token) {
  const ride_id r = p.ride;
  close_try(x, p, cause);
  promise(x, r, holder, token);
  close(x, r, true);
}

void matcher::settle(context& x, pursuit& p, driver_id d, token_id token) {
  promise(x, p.ride, d, token);
  close_try(x, p, try_ending::committed);
  close(x, p.ride, true);
}

// The matcher had moved on, and whoever it asks by now would say yes in vain.
void matcher::settle_late(context& x, ride_id r, driver_id d, token_id token) {
  promise(x, r, d, token);  // the rider knows whether she still wants it
  if (pursuit* p = find(r); p != nullptr && !p->has_accept()) {
    withdraw(x, *p, try_ending::withdrawn);
    close(x, r, true);
  }
}

void matcher::promise(context& x, ride_id r, driver_id d, token_id token) {
  x.send(rider_of(x, r), assigned{r, d, token, x.world().eta(d, r)});
}

}  // namespace dibs::actors
