/// How a node carries out what its machine asks for: the part that is the same for all of them.
#pragma once

#include "messages/actions.hpp"
#include "runtime/context.hpp"

namespace dibs::actors {

struct machine_actor {
  template <class M>
  static void carry_out(runtime::context& x, const messages::message<M>& m) {
    x.send(m.to, m.what);
  }
  template <class M>
  static void carry_out(runtime::context& x, const messages::answer<M>& m) {
    x.answer(m.what);
  }
  template <class M>
  static void carry_out(runtime::context& x, const messages::timer<M>& m) {
    x.after(m.wait, m.what);
  }
  template <class Fact>
  static void carry_out(runtime::context& x, const messages::fact<Fact>& f) {
    x.publish(f.what);
  }
};

}  // namespace dibs::actors
