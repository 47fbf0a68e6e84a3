/// Events by due time, and by the order of arrival where that is the same.
///
/// Most timers of a live run last as long as others (the TTL, the patience for an answer), and
/// those of one length come in the order in which they are due. So there are a few runs, each in
/// order, that take and give in constant time, and a heap for what fits none of them. Unlike the
/// kernel's queue it takes events that are due before one that was given: threads set timers while
/// time goes on.
#pragma once

#include "base/time.hpp"
#include "runtime/event.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <vector>

namespace dibs::runtime {

class timer_queue {
 public:
  [[nodiscard]] bool empty() const { return first() == nullptr; }
  /// Requires: not empty, here and below.
  [[nodiscard]] sim_time next_due() const { return first()->due; }

  void push(const event& e) {
    event mine = e;
    mine.order = next_order_++;
    if (run* fits = run_for(mine)) {
      fits->push_back(mine);
    } else {
      heap_.push_back(mine);
      std::push_heap(heap_.begin(), heap_.end(), is_later);
    }
  }

  event pop() {
    const event next = *first();
    for (run& r : runs_) {
      if (!r.empty() && r.front().order == next.order) {
        r.pop_front();
        return next;
      }
    }
    std::pop_heap(heap_.begin(), heap_.end(), is_later);
    heap_.pop_back();
    return next;
  }

 private:
  using run = std::deque<event>;

  static bool is_later(const event& a, const event& b) {
    return a.due != b.due ? a.due > b.due : a.order > b.order;
  }

  /// The one that ends closest before the event; null if all end after it.
  [[nodiscard]] run* run_for(const event& e) {
    run* best = nullptr;
    for (run& r : runs_) {
      if (r.empty()) {
        best = best == nullptr ? &r : best;
      } else if (r.back().due <= e.due &&
                 (best == nullptr || best->empty() || best->back().due < r.back().due)) {
        best = &r;
      }
    }
    return best;
  }

  [[nodiscard]] const event* first() const {
    const event* next = heap_.empty() ? nullptr : &heap_.front();
    for (const run& r : runs_) {
      if (!r.empty() && (next == nullptr || is_later(*next, r.front()))) {
        next = &r.front();
      }
    }
    return next;
  }

  std::array<run, 4> runs_;  ///< each event due no earlier than the one before
  std::vector<event> heap_;  ///< the next first
  std::uint64_t next_order_ = 0;
};

}  // namespace dibs::runtime
