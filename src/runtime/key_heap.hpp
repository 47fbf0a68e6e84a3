/// A 4-ary heap of keys: due times, the orders that break ties, and where the events lie. Both are
/// integers, so the order is the same on every machine.
#pragma once

#include "base/time.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace dibs::runtime {

class key_heap {
 public:
  struct key {
    sim_time due;
    std::uint64_t order;
    std::uint32_t slot;

    [[nodiscard]] bool before(const key& other) const {
      return due != other.due ? due < other.due : order < other.order;
    }
  };

  [[nodiscard]] bool empty() const { return keys_.empty(); }
  /// Requires: not empty.
  [[nodiscard]] const key& top() const { return keys_.front(); }

  void push(const key& k) {
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

  /// Requires: not empty.
  key pop() {
    const key first = keys_.front();
    const key last = keys_.back();
    keys_.pop_back();
    if (!keys_.empty()) {
      sink(last);
    }
    return first;
  }

  /// All of them, in no order; none is left.
  [[nodiscard]] std::vector<key> take_all() { return std::exchange(keys_, {}); }

 private:
  static constexpr std::size_t arity = 4;

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
};

}  // namespace dibs::runtime
