/// The CAF actor of a live node, with its core and all that the runtime keeps for it. An ordinary
/// actor of an ordinary actor system: it runs on whichever thread CAF's scheduler gives it.
#pragma once

#include "actors/runtime/context.hpp"
#include "actors/runtime/live_node.hpp"
#include "actors/runtime/node_actor.hpp"

#include <caf/behavior.hpp>
#include <caf/event_based_actor.hpp>

#include <utility>

namespace dibs::actors::runtime {

template <class Core>
class live_actor final : public caf::event_based_actor {
 public:
  live_actor(caf::actor_config& config, live_system& system, node_id self, Core core)
      : caf::event_based_actor(config),
        core_(std::move(core)),
        node_(system, self, live_host<Core>::of(core_)) {}

  caf::behavior make_behavior() override { return behavior_for(typename Core::inbox{}); }

 private:
  template <class... Messages>
  caf::behavior behavior_for(message_list<Messages...>) {
    return {[this](const envelope& e) { node_.take(e.what, context()); },
            [this](begin_work) { node_.start(context()); },
            [this](const Messages& m) { take_from_outside(m); }...};
  }

  /// Anybody's ordinary CAF send of a message.
  template <class M>
  void take_from_outside(const M& m) {
    event e;
    e.to = node_.self();
    e.from = node_.self();
    e.role = role::message;
    e.due = sim_time::max();  // never late
    e.put(m);
    node_.take(e, context());
  }

  Core core_;
  live_node node_;
};

}  // namespace dibs::actors::runtime
