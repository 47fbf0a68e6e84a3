// What the kernel does to nodes when a fault says so.

#include "runtime/kernel.hpp"
#include "runtime/shared_world.hpp"

namespace dibs::runtime {

void kernel::schedule_outages() {
  for (const node_kind kind : faults_.may_strike()) {
    own_outages().expect(kind);
  }
  const auto begin = [this](node_id n, sim::outage_kind kind, sim_time from, std::size_t entry) {
    event e = addressed(n, n, kind == sim::outage_kind::pause ? role::pause : role::crash);
    e.exchange = static_cast<std::uint32_t>(entry);
    e.due = from;
    push(e);
    own_outages().expect(n.kind());
  };
  for (std::size_t i = 0; i < conditions_.plan.outages.size(); ++i) {
    const sim::outage& o = conditions_.plan.outages[i];
    begin(o.node, o.kind, o.from, i);
    if (!o.into_crash) {
      end_later(o.node, o.kind, o.until);
    }
  }
  for (std::size_t i = 0; i < conditions_.plan.group_outages.size(); ++i) {
    const sim::group_outage& o = conditions_.plan.group_outages[i];
    begin({o.nodes.kind, 0}, o.kind, o.from, conditions_.plan.outages.size() + i);
  }
}

void kernel::begin_planned(const event& e) {
  if (e.exchange < conditions_.plan.outages.size()) {
    const sim::outage& o = conditions_.plan.outages[e.exchange];
    begin_outage(o.node, o.kind, o.until);
    return;
  }
  const sim::group_outage& o =
      conditions_.plan.group_outages[e.exchange - conditions_.plan.outages.size()];
  for (std::uint32_t i = 0; i < world_.rides.seats(); ++i) {
    if (const node_id n{o.nodes.kind, i}; o.nodes.covers(n)) {
      begin_outage(n, o.kind, o.until);
      end_later(n, o.kind, o.until);
    }
  }
}

void kernel::end_later(node_id n, sim::outage_kind kind, sim_time until) {
  event end = addressed(n, n, kind == sim::outage_kind::pause ? role::resume : role::restart);
  end.due = until;
  push(end);
}

void kernel::on_crash(node_id n) {
  if (const auto hook = registrations_[static_cast<std::size_t>(n.kind())].on_crash) {
    hook(*this, n);
  }
}

void kernel::on_restart(node_id n) {
  if (const auto hook = registrations_[static_cast<std::size_t>(n.kind())].on_restart) {
    hook(*this, n);
  }
}

void kernel::strike_node(const strike& s, sim_time until) {
  begin_outage(s.node, s.kind, until);
  end_later(s.node, s.kind, until);
}

std::optional<sim_time> kernel::expiry_of(token_id token) const {
  const auto expiry = expiries_.find(token);
  return expiry == expiries_.end() ? std::nullopt : std::optional(expiry->second);
}

}  // namespace dibs::runtime
