#include "actors/lease_manager.hpp"

#include <algorithm>

namespace dibs::actors {
namespace {

constexpr node_id the_ledger{node_kind::ledger, 0};

matcher_id asking_matcher(const runtime::context& x) {
  return x.sender().kind() == node_kind::matcher ? matcher_id{x.sender().index()}
                                                 : matcher_id::none();
}

}  // namespace

void lease_manager::on(context& x, const acquire& m) {
  const auto outcome = leases_.acquire(m.driver, m.ride, m.holder, x.now(), m.request);
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
  x.record(events::lease_denied{m.driver, m.ride, m.holder, d->cause});
  x.answer(lease_refused{m.ride, m.driver, m.request});
}

void lease_manager::grant(context& x, const acquire& m, const lease::granted& g) {
  const auto& options = x.world().options.lease;
  x.record(events::lease_granted{g.token, m.driver, m.ride, m.holder, g.ttl, g.expires});
  if (x.world().protocol.ledger == lease::ledger_rule::fence &&
      options.fence == scenario::fence::grant && options.commit == scenario::commit_at::ledger) {
    x.send(the_ledger, raise_fence{m.ride, m.driver, g.token});
  }
  if (options.cleanup.kind == scenario::cleanup::timer && g.expires != local_time::max()) {
    watch(x, m.driver, g.token, g.expires + options.grace);
  }
}

void lease_manager::answer(context& x, const acquire& m, const lease::granted& g) {
  sim_duration deadline = g.ttl;
  if (x.world().options.lease.deadline == scenario::deadline::absolute && g.ttl != forever) {
    deadline = x.wall().time_since_epoch() + g.ttl;
  }
  x.answer(lease_given{m.ride, m.driver, m.request, g.token, deadline});
}

void lease_manager::on(context& x, const confirm& m) {
  const auto outcome = leases_.confirm(m.driver, m.token, x.now(), asking_matcher(x));
  if (const auto* c = std::get_if<lease::confirmed>(&outcome)) {
    accept(x, m, *c);
    return;
  }
  const auto& no = std::get<lease::refused>(outcome);
  if (no.previous) {
    report(
        x, *no.previous, no.previous->token != m.token || x.sender().kind() != node_kind::matcher);
  }
  x.record(events::confirm_refused{m.token, m.driver, m.ride, no.cause});
  if (x.sender().kind() == node_kind::driver) {
    x.answer(answer_seen{m.ride});
  } else {
    x.answer(confirm_denied{m.ride, m.driver, m.token});
  }
}

void lease_manager::accept(context& x, const confirm& m, const lease::confirmed& c) {
  x.record(events::confirm_accepted{m.token, m.driver, m.ride, c.repeated});
  if (c.committed) {
    x.record(events::trip_committed{m.token, m.driver, m.ride, c.holder});
    x.send(the_ledger, record_commit{m.ride, m.driver, m.token});
  } else if (!c.repeated) {
    watch(x, m.driver, m.token, c.hold_until);
  }
  if (x.sender().kind() == node_kind::matcher) {
    x.answer(confirm_taken{m.ride, m.driver, m.token});
    return;
  }
  x.answer(answer_seen{m.ride});
  if (!c.repeated) {
    x.send(node_of(c.holder), lease_converted{m.ride, m.driver, m.token});
  }
}

void lease_manager::on(context& x, const release& m) {
  const bool by_driver = x.sender().kind() == node_kind::driver;
  if (const auto ended = leases_.release(m.driver, m.token, m.cause, asking_matcher(x))) {
    report(x, *ended, by_driver);
  }
  if (by_driver) {
    x.answer(answer_seen{m.ride});
  } else {
    x.answer(release_seen{m.ride, m.driver, m.token});
  }
}

void lease_manager::on(context& x, const write_outcome& m) {
  const auto ended =
      m.taken ? leases_.trip_began(m.driver, m.token) : leases_.write_refused(m.driver, m.token);
  if (ended) {
    report(x, *ended, m.taken);
  }
}

void lease_manager::on(context&, const trip_closed& m) {
  leases_.trip_ended(m.driver, m.token, m.ride);
}

void lease_manager::on(context& x, const lease_due& m) {
  if (const auto ended = leases_.expire(m.driver, m.token, x.now())) {
    report(x, *ended, true);
  }
}

void lease_manager::on(context& x, const sweep_due& m) {
  for (const lease::ended& e : leases_.sweep(x.now())) {
    report(x, e, true);
  }
  x.after(x.world().options.lease.cleanup.every, m);
}

void lease_manager::restart(context& x) {
  const auto kind = x.world().options.lease.cleanup.kind;
  if (kind == scenario::cleanup::periodic) {
    x.after(x.world().options.lease.cleanup.every, sweep_due{});
  }
  for (const auto& due : leases_.pending()) {
    if (kind == scenario::cleanup::timer || due.confirmed) {
      watch(x, due.driver, due.token, due.when);
    }
  }
}

void lease_manager::report(context& x, const lease::ended& e, bool to_holder) {
  x.record(events::lease_ended{e.token, e.driver, e.ride, e.cause});
  if (to_holder) {
    x.send(node_of(e.holder), lease_over{e.ride, e.driver, e.token, e.cause});
  }
}

void lease_manager::watch(context& x, driver_id d, token_id token, local_time due) {
  if (due != local_time::max()) {
    x.after(std::max(due - x.now(), sim_duration::zero()), lease_due{d, token});
  }
}

}  // namespace dibs::actors
