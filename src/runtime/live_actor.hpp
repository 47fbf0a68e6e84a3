/// The CAF actor of a live node, with its core and all that the runtime keeps for it. An ordinary
/// actor of an ordinary actor system: it runs on whichever thread CAF's scheduler gives it.
#pragma once

#include "base/thread_order.hpp"
#include "runtime/context.hpp"
#include "runtime/inbox.hpp"
#include "runtime/live_node.hpp"
#include "runtime/node_actor.hpp"

#include <caf/actor_cast.hpp>
#include <caf/actor_system.hpp>
#include <caf/behavior.hpp>
#include <caf/event_based_actor.hpp>

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace dibs::runtime {

/// CAF has an actor do one thing after the other, on whichever thread, and after it was woken.
class turn {
 public:
  explicit turn(void* mark) : mark_(mark) { comes_after(mark_); }
  turn(const turn&) = delete;
  turn& operator=(const turn&) = delete;
  ~turn() { comes_before(mark_); }

 private:
  void* mark_;
};

template <class Core>
class live_actor final : public caf::event_based_actor {
 public:
  live_actor(caf::actor_config& config,
             live_system& system,
             node_id self,
             Core core,
             std::shared_ptr<inbox> mail)
      : caf::event_based_actor(config),
        core_(std::move(core)),
        node_(system, self, live_host<Core>::of(core_)),
        mail_(std::move(mail)) {
    set_exception_handler(pass_on);
    comes_before(ctrl());
  }
  live_actor(const live_actor&) = delete;
  live_actor& operator=(const live_actor&) = delete;
  ~live_actor() override { comes_after(ctrl()); }

  caf::behavior make_behavior() override {
    set_default_handler(taking_any_of(typename Core::inbox{},
                                      [this](const auto& m) { this->take_from_outside(m); }));
    return {[this](mail_came) { take_mail(); }, [this](begin_work) { start(); }};
  }

  /// What a thread looks at before it comes to a handler, the behavior, another thread may have
  /// made.
  resume_result resume(caf::execution_unit* on, std::size_t messages_max) override {
    const turn mine(ctrl());
    return caf::event_based_actor::resume(on, messages_max);
  }

 private:
  void start() {
    const turn mine(ctrl());
    node_.start(context());
  }

  void take_mail() {
    const turn mine(ctrl());
    mail_->take(taken_);
    node_.take(taken_, context());
  }

  /// Anybody's ordinary CAF send of a message.
  template <class M>
  void take_from_outside(const M& m) {
    const turn mine(ctrl());
    event e;
    e.to = node_.self();
    e.from = node_.self();
    e.role = role::message;
    e.due = sim_time::max();  // never late
    e.put(m);
    node_.take({&e, 1}, context());
  }

  Core core_;
  live_node node_;
  std::shared_ptr<inbox> mail_;
  std::vector<event> taken_;
};

/// The actor of a node, at its place in the system.
template <class Core>
void spawn_live(caf::actor_system& actors, live_system& system, node_id node, Core core) {
  auto mail = std::make_shared<inbox>();
  const auto actor =
      actors.spawn<live_actor<Core>, caf::lazy_init>(system, node, std::move(core), mail);
  system.register_actor(node, caf::actor_cast<caf::strong_actor_ptr>(actor), std::move(mail));
}

}  // namespace dibs::runtime
