#include "runtime/live_system.hpp"

#include "base/ensure.hpp"
#include "base/thread_order.hpp"
#include "runtime/node_actor.hpp"
#include "runtime/node_outages.hpp"
#include "runtime/real_wait.hpp"
#include "runtime/shared_world.hpp"

#include <caf/actor.hpp>
#include <caf/actor_cast.hpp>
#include <caf/mailbox_element.hpp>
#include <caf/send.hpp>

#include <algorithm>
#include <cstring>
#include <utility>
#include <variant>

namespace dibs::runtime {

live_system::live_system(const run_condition_options& options, double speed, shared_world& world)
    : conditions_(options),
      world_(world),
      clock_(speed),
      recorder_(clock_),
      faults_(options.faults.triggered, options.seed),
      timers_(clock_, [this](std::span<const event> due) { deliver(due, nullptr); }) {
  const auto expect = [this](node_kind kind) { struck_[static_cast<std::size_t>(kind)] = true; };
  for (const node_kind kind : faults_.may_strike()) {
    expect(kind);
  }
  for (const sim::outage& o : conditions_.plan.outages) {
    expect(o.node.kind());
  }
  for (const sim::group_outage& o : conditions_.plan.group_outages) {
    expect(o.nodes.kind);
  }
}

void live_system::reserve(node_kind kind, std::size_t nodes) {
  actors_[static_cast<std::size_t>(kind)].reserve(nodes);
}

void live_system::register_actor(node_id node,
                                 caf::strong_actor_ptr actor,
                                 std::shared_ptr<inbox> mail) {
  auto& of_kind = actors_[static_cast<std::size_t>(node.kind())];
  ensure(of_kind.size() == node.index(), "actors are lodged in the order of their nodes");
  ensure(of_kind.size() < of_kind.capacity(), "nobody moves while others look");
  of_kind.push_back({std::move(actor), std::move(mail)});
}

void live_system::start(std::optional<std::chrono::nanoseconds> when) {
  clock_.start(when);
  schedule_outages();
  timers_.start();
}

void live_system::begin_work(node_id node) {
  const caf::strong_actor_ptr& actor =
      actors_[static_cast<std::size_t>(node.kind())].at(node.index()).actor;
  comes_before(actor.get());
  caf::anon_send(caf::actor_cast<caf::actor>(actor), runtime::begin_work{});
}

void live_system::post(event e) {
  e.due = clock_.now();
  deliver({&e, 1}, nullptr);
}

bool live_system::take_in(std::span<const event> mail) {
  const auto is_here = [this](const event& e) {
    const auto kind = static_cast<std::size_t>(e.to.kind());
    return kind < node_kinds && e.to.index() < actors_[kind].size() &&
           actors_[kind][e.to.index()].mail != nullptr;
  };
  if (!std::ranges::all_of(mail, is_here)) {
    return false;
  }
  const sim_time now = clock_.now();
  for (const event& e : mail) {
    if (e.due > now) {
      timers_.set({&e, 1});
    } else {
      deliver({&e, 1}, nullptr);
    }
  }
  return true;
}

void live_system::learn(std::span<const events::event> facts,
                        std::span<const lapse_notice> lapses) {
  driver_availability& drivers = world_.availability;
  for (const events::event& e : facts) {
    for (; !lapses.empty() && lapses.front().now < e.t; lapses = lapses.subspan(1)) {
      drivers.set_lapse(lapses.front());
    }
    std::visit([&](const auto& what) { drivers.apply_fact(e.t, what); }, e.what);
  }
  for (const lapse_notice& l : lapses) {
    drivers.set_lapse(l);
  }
  for (const matcher_id m : drivers.take_matchers_to_wake()) {
    event wake;
    wake.to = node_of(m);
    wake.from = wake.to;
    wake.role = role::timer;
    wake.exchange = any_life;
    wake.due = clock_.now() + world_.options.matchers.view_lag + 1ns;
    wake.put(messages::someone_free{});
    timers_.set({&wake, 1});
  }
}

void live_system::record(node_id where, const events::fact& what) {
  const recorded_instant now = recorder_.begin(where);
  std::vector<events::event> facts{{now.t, conditions_.clocks.of(where).reading(now.t), what, {}}};
  event none;
  none.due = now.t;
  recorder_.end(where, now, {&none, 1}, facts);
}

void live_system::stop() {
  over_ = true;
  timers_.stop();
}

void live_system::dismiss() {
  while (!recorder_.is_idle()) {  // who is at work may look for whom to tell
    wait_in_reality(0.001);
  }
  for (auto& of_kind : actors_) {
    for (const actor_registration& node : of_kind) {
      if (node.actor != nullptr) {
        caf::anon_send_exit(node.actor, caf::exit_reason::user_shutdown);
      }
    }
    of_kind.clear();
  }
}

void live_system::deliver(std::span<const event> events, caf::execution_unit* unit) {
  while (!events.empty() && !is_over()) {
    const node_id to = events.front().to;
    const auto others = std::ranges::find_if(events, [to](const event& e) { return e.to != to; });
    const auto its_own = events.first(static_cast<std::size_t>(others - events.begin()));
    // Without `at`, which reads the end of a vector that grows while others look.
    const actor_registration& node =
        actors_[static_cast<std::size_t>(to.kind())].data()[to.index()];
    if (node.mail->put(its_own)) {
      comes_before(node.actor.get());
      node.actor->enqueue(
          caf::make_mailbox_element(nullptr, caf::make_message_id(), {}, mail_came{}), unit);
    }
    events = events.subspan(its_own.size());
  }
}

// -- faults --------------------------------------------------------------------------------------

void live_system::note_expiry(token_id token, sim_time when) {
  const std::lock_guard lock(faults_guard_);
  expiries_.insert_or_assign(token, when);
}

std::optional<sim_time> live_system::expiry_of(token_id token) {
  const std::lock_guard lock(faults_guard_);
  const auto found = expiries_.find(token);
  return found == expiries_.end() ? std::nullopt : std::optional(found->second);
}

void live_system::schedule_outages() {
  const auto schedule =
      [this](node_id n, sim::outage_kind kind, sim_time from, const outage_notice& notice) {
        if (is_elsewhere(n)) {
          return;
        }
        event e;
        e.to = n;
        e.from = n;
        e.role = kind == sim::outage_kind::pause ? role::pause : role::crash;
        e.due = from;
        std::memcpy(e.content.data(), &notice, sizeof notice);
        timers_.set({&e, 1});
      };
  for (const sim::outage& o : conditions_.plan.outages) {
    schedule(o.node, o.kind, o.from, {.until = o.until, .stays = o.into_crash});
  }
  for (std::size_t i = 0; i < conditions_.plan.group_outages.size(); ++i) {
    const sim::group_outage& o = conditions_.plan.group_outages[i];
    // Whoever makes riders appear knows who is there.
    schedule({node_kind::demand, 0},
             o.kind,
             o.from,
             {.until = o.until, .group = static_cast<std::uint32_t>(i + 1)});
  }
}

}  // namespace dibs::runtime
