/// What a machine asked for in a test, by kind.
#pragma once

#include "messages/actions.hpp"

#include <algorithm>
#include <cstddef>
#include <variant>
#include <vector>

namespace dibs {

/// All actions of one kind, in their order.
template <class Kind, class Actions>
std::vector<Kind> all_of(const Actions& actions) {
  std::vector<Kind> found;
  for (const auto& each : actions) {
    if (const auto* one = std::get_if<Kind>(&each)) {
      found.push_back(*one);
    }
  }
  return found;
}

template <class M, class Actions>
std::vector<messages::message<M>> sent(const Actions& actions) {
  return all_of<messages::message<M>>(actions);
}
template <class M, class Actions>
std::vector<messages::timer<M>> timers(const Actions& actions) {
  return all_of<messages::timer<M>>(actions);
}
template <class Fact, class Actions>
std::vector<messages::fact<Fact>> facts(const Actions& actions) {
  return all_of<messages::fact<Fact>>(actions);
}

}  // namespace dibs
