/// What has come for a live node and waits for its actor: events, in the order in which they came.
///
/// The actor is woken by one message of CAF for all that waits, so that a mailbox element, its
/// allocation and its dispatch are paid once for many events where much is going on. Any thread
/// puts in; the actor alone takes out.
///
/// Invariant: while something waits, the actor has been woken and has not come yet.
#pragma once

#include "runtime/event.hpp"

#include <mutex>
#include <span>
#include <utility>
#include <vector>

namespace dibs::runtime {

class inbox {
 public:
  /// True if nothing waited: then the caller wakes the actor. Requires: some events.
  [[nodiscard]] bool put(std::span<const event> events) {
    const std::lock_guard lock(guard_);
    const bool is_first = waiting_.empty();
    waiting_.insert(waiting_.end(), events.begin(), events.end());
    return is_first;
  }

  /// All that waits, in the place of what `events` held, whose room is used anew.
  void take(std::vector<event>& events) {
    events.clear();
    const std::lock_guard lock(guard_);
    std::swap(waiting_, events);
  }

 private:
  std::mutex guard_;
  std::vector<event> waiting_;
};

}  // namespace dibs::runtime
