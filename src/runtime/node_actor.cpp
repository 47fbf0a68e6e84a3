#include "runtime/node_actor.hpp"

#include "runtime/kernel.hpp"

namespace dibs::runtime {

node_actor::node_actor(caf::actor_config& config, kernel& k, node_id node)
    : caf::event_based_actor(config), kernel_(k), node_(node) {
  set_exception_handler(pass_on);
}

const char* node_actor::name() const {
  switch (node_.kind()) {
    case node_kind::driver:
      return "driver";
    case node_kind::rider:
      return "rider";
    case node_kind::matcher:
      return "matcher";
    case node_kind::lease_manager:
      return "lease_manager";
    case node_kind::ledger:
      return "ledger";
    case node_kind::demand:
      return "demand";
    case node_kind::sweeper:
      return "sweeper";
  }
  return "node";
}

caf::behavior node_actor::make_behavior() {
  set_default_handler(taking_any_of(messages::all_messages{},
                                    [this](const auto& m) { kernel_.send(node_, node_, m); }));
  return {[this](const envelope& e) { kernel_.enter(e.what); }};
}

}  // namespace dibs::runtime
