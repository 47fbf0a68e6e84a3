#include "runtime/live_node.hpp"

#include "runtime/shared_world.hpp"

#include <cstring>

namespace dibs::runtime {
namespace {

/// An event takes about as long as memory does.
constexpr std::size_t fetched_ahead = 2;

/// To read the clock, to write a moment into the record and to put a message into another's mail
/// take longer than most events do, and each is as dear for a few as for one.
constexpr std::size_t events_of_a_moment = 16;

event notice_of(node_id n, sim::outage_kind kind, sim_time due, const outage_notice& what) {
  event e;
  e.to = n;
  e.from = n;
  e.role = kind == sim::outage_kind::pause ? role::pause : role::crash;
  e.due = due;
  std::memcpy(e.content.data(), &what, sizeof what);
  return e;
}

sim::outage_kind kind_of(const event& e) {
  return e.role == role::pause ? sim::outage_kind::pause : sim::outage_kind::crash;
}

}  // namespace

live_node::live_node(live_system& system, node_id self, const registration& core)
    : system_(system), self_(self), core_(core) {
  if (system.may_strike(self.kind())) {
    own_outages().expect(self.kind());
  }
}

void live_node::take(std::span<const event> events, caf::execution_unit* unit) {
  if (events.empty() || system_.is_over()) {
    return;
  }
  now_ = system_.recorder().begin(self_);
  std::size_t first = 0;
  for (std::size_t i = 0; i < events.size(); ++i) {
    if (i + fetched_ahead < events.size()) {
      fetch(events[i + fetched_ahead]);
    }
    // Asked again: whoever ends the run waits for those that had begun by then, and for no others.
    if (now() < rules().ends && !system_.is_over()) {
      handle(events[i]);
      strike_now();
    }
    const std::size_t handled = i + 1 - first;
    if (i + 1 == events.size()) {
      post(unit);
      system_.recorder().end(self_, now_, events.subspan(first), facts_);
    } else if (handled == events_of_a_moment) {
      post(unit);
      now_ = system_.recorder().end_and_begin(self_, now_, events.subspan(first, handled), facts_);
      first = i + 1;
    }
  }
}

void live_node::start(caf::execution_unit* unit) {
  if (core_.on_start == nullptr || system_.is_over()) {
    return;
  }
  now_ = system_.recorder().begin(self_);
  if (!system_.is_over()) {
    call(core_.on_start);
  }
  post(unit);
  event none;
  none.due = now();
  system_.recorder().end(self_, now_, {&none, 1}, facts_);
}

void live_node::post(caf::execution_unit* unit) {
  if (!timers_.empty()) {
    system_.set_timers(timers_);
    timers_.clear();
  }
  system_.deliver(mail_, unit);
  mail_.clear();
  if (!outgoing_.empty()) {
    system_.send_elsewhere(now(), outgoing_);
    outgoing_.clear();
  }
}

void live_node::fetch(const event& e) {
  if (e.role <= role::physical) {
    if (const auto fetch = core_.handlers[e.number].fetch) {
      fetch(core_.core, *this, e);
    }
  }
}

void live_node::handle(const event& e) {
  switch (e.role) {
    case role::physical:
      deliver(e);
      return;
    case role::pause:
    case role::crash:
      begin_noticed(e);
      return;
    case role::resume:
    case role::restart:
      end_outage(e);
      return;
    case role::message:
    case role::answer:
    case role::timer:
    case role::acknowledgement:
    case role::repeat:
      arrive_at_gate(e);
      return;
    case role::foreign:
      ensure(false, "a live run has no use for the kernel's timers of CAF");
  }
}

void live_node::deliver(const event& e) {
  const auto take = core_.handlers[e.number].take;
  ensure(take != nullptr, "a message goes to the kind of node that takes it");
  take(core_.core, *this, e);
}

void live_node::strike_node(const strike& s, sim_time until) {
  event e = notice_of(s.node, s.kind, now(), {.until = until});
  if (s.node == self_) {
    begin_noticed(e);
  } else {
    push(e);
  }
}

void live_node::begin_noticed(const event& e) {
  outage_notice what;
  std::memcpy(&what, e.content.data(), sizeof what);
  if (what.group > 0) {
    const sim::group_outage& o = rules().plan.group_outages[what.group - 1];
    for (std::uint32_t i = 0; i < world().rides.seats(); ++i) {
      if (const node_id n{o.nodes.kind, i}; o.nodes.covers(n)) {
        event one = notice_of(n, o.kind, now(), {.until = o.until});
        push(one);
      }
    }
    return;
  }
  begin_outage(self_, kind_of(e), what.until);
  if (!what.stays) {
    event end = addressed(self_, self_, e.role == role::pause ? role::resume : role::restart);
    end.due = what.until;
    push(end);
  }
}

}  // namespace dibs::runtime
