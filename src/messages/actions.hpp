/// What a pure machine asks of the node that it decides for, as data.
///
/// Each decision is one turn: an instant on the node's clock, and a list of what follows from it,
/// in the order in which the node carries it out. The machine sends nothing and reads no clock
/// itself, so a test can look at all that it asks for.
#pragma once

#include "base/ids.hpp"
#include "base/time.hpp"

#include <boost/container/small_vector.hpp>
#include <utility>

namespace dibs::messages {

template <class M>
struct message {
  node_id to;
  M what;
};

/// To whoever asked what is being decided.
template <class M>
struct answer {
  M what;
};

/// To the node itself, after so much of its own time; `forever`: never.
template <class M>
struct timer {
  sim_duration wait{};
  M what;
};

/// Something has become true.
template <class Fact>
struct fact {
  Fact what;
};

/// `Action` is the variant of all that a machine may ask for.
template <class Action>
class turn {
 public:
  explicit turn(local_time at) : now(at) {}

  const local_time now;

  template <class M>
  void send(node_id to, const M& m) {
    add(message<M>{to, m});
  }
  template <class M>
  void reply(const M& m) {
    add(answer<M>{m});
  }
  template <class M>
  void after(sim_duration wait, const M& m) {
    add(timer<M>{wait, m});
  }
  template <class Fact>
  void publish(const Fact& f) {
    add(fact<Fact>{f});
  }
  template <class A>
  void add(const A& a) {
    actions_.emplace_back(std::in_place_type<A>, a);
  }

  [[nodiscard]] const auto& actions() const { return actions_; }

 private:
  boost::container::small_vector<Action, 6> actions_;
};

}  // namespace dibs::messages
