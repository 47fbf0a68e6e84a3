/// A clean-up job apart from the lease manager: tells it, so often, what is over by a clock of its
/// own.
#pragma once

#include "messages/messages.hpp"
#include "runtime/context.hpp"

namespace dibs::actors {

class sweeper {
 public:
  using context = runtime::context;
  using inbox = messages::message_list<messages::sweeper_due>;

  void on(context& x, const messages::sweeper_due& m) {
    x.send({node_kind::lease_manager, 0}, messages::sweep{x.wall()});
    x.after(x.world().options.lease.cleanup.every, m);
  }

  void restart(context& x) {
    x.after(x.world().options.lease.cleanup.every, messages::sweeper_due{});
  }
};

}  // namespace dibs::actors
