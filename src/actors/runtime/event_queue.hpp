/// Events in their total order: by due time, then by the order of scheduling.
///
/// A 4-ary heap of small keys; the events themselves stay put in a slab. Both orders are integers,
/// so the order is the same on every machine.
#pragma once

#include "base/ensure.hpp"
#include "base/time.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace dibs::actors::runtime {

/// `Event` has `due` and `order`.
template <class Event>
class event_queue {
 public:
  [[nodiscard]] bool empty() const { return keys_.empty(); }
  [[nodiscard]] std::size_t size() const { return keys_.size(); }

  /// When the first event is due. Requires: not empty.
  [[nodiscard]] sim_time next_due() const { return keys_.front().due; }

  void push(const Event& e) {
    std::uint32_t slot = 0;
    if (free_.empty()) {
      slot = static_cast<std::uint32_t>(slab_.size());
      slab_.push_back(e);
    } else {
      slot = free_.back();
      free_.pop_back();
      slab_[slot] = e;
    }
    rise({e.due, e.order, slot});
  }

  /// Takes the first event. Requires: not empty.
  Event pop() {
    ensure(!keys_.empty(), "an event is taken from a queue that has one");
    const std::uint32_t slot = keys_.front().slot;
    const key last = keys_.back();
    keys_.pop_back();
    if (!keys_.empty()) {
      sink(last);
    }
    free_.push_back(slot);
    return slab_[slot];
  }

  /// Has memory fetch what the next few events need: those that may come after the next, and with
  /// `of`, called with the next one, what that leads to. A large world fills no cache.
  template <class Visit>
  void look_ahead(const Visit& of) const {
    const std::size_t n = keys_.size() < 1 + arity ? keys_.size() : 1 + arity;
    for (std::size_t i = 1; i < n; ++i) {
      __builtin_prefetch(&slab_[keys_[i].slot]);
    }
    if (n > 0) {
      of(slab_[keys_.front().slot]);
    }
  }

 private:
  struct key {
    sim_time due;
    std::uint64_t order;
    std::uint32_t slot;

    [[nodiscard]] bool before(const key& other) const {
      return due != other.due ? due < other.due : order < other.order;
    }
  };

  static constexpr std::size_t arity = 4;

  void rise(const key& k) {
    std::size_t i = keys_.size();
    keys_.push_back(k);
    while (i > 0) {
      const std::size_t parent = (i - 1) / arity;
      if (!k.before(keys_[parent])) {
        break;
      }
      keys_[i] = keys_[parent];
      i = parent;
    }
    keys_[i] = k;
  }

  void sink(const key& k) {
    const std::size_t n = keys_.size();
    std::size_t i = 0;
    for (std::size_t child = 1; child < n; child = arity * i + 1) {
      std::size_t best = child;
      const std::size_t end = child + arity < n ? child + arity : n;
      for (std::size_t c = child + 1; c < end; ++c) {
        best = keys_[c].before(keys_[best]) ? c : best;
      }
      if (!keys_[best].before(k)) {
        break;
      }
      keys_[i] = keys_[best];
      i = best;
    }
    keys_[i] = k;
  }

  std::vector<key> keys_;
  std::vector<Event> slab_;
  std::vector<std::uint32_t> free_;
};

}  // namespace dibs::actors::runtime
