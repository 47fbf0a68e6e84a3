/// Which of two lease managers a node takes for the leader, as far as it has heard.
#pragma once

#include "base/ids.hpp"

#include <cstdint>

namespace dibs::lease {

class known_leader {
 public:
  [[nodiscard]] node_id node() const { return {node_kind::lease_manager, manager_}; }

  /// A manager says that it leads. What an earlier leader says comes too late.
  void hear(std::uint32_t manager, std::uint32_t term) {
    if (term > term_) {
      term_ = term;
      manager_ = manager;
    }
  }

  /// Nothing came back from the manager that was asked. Only while it is taken for the leader does
  /// that say anything: of many requests that it let lie, the first makes the node turn to the
  /// other one, and the rest must not make it turn back. Requires: there are two.
  void doubt(node_id asked) {
    if (asked == node()) {
      manager_ = 1 - manager_;
    }
  }

 private:
  std::uint32_t manager_ = 0;
  std::uint32_t term_ = 1;
};

}  // namespace dibs::lease
