/// The facts of several processes, merged into one history in order of true time. Pure.
///
/// Each process hands its facts on in order, and says up to when nothing is missing. Facts come out
/// as soon as no process may have an earlier one. What bears the same time comes in the order of
/// the processes, so that the facts of one instant of one process stay together.
#pragma once

#include "base/ensure.hpp"
#include "base/time.hpp"
#include "events/facts.hpp"

#include <algorithm>
#include <cstddef>
#include <deque>
#include <span>
#include <vector>

namespace dibs::processes {

class merged_streams {
 public:
  explicit merged_streams(std::size_t streams) : streams_(streams) {}

  /// The next facts of a process; it will have none before `sure`. Requires: in order.
  void append(std::size_t which, std::span<const events::event> facts, sim_time sure) {
    stream& s = streams_[which];
    for (const events::event& e : facts) {
      ensure(s.waiting.empty() || s.waiting.back().t <= e.t,
             "a process hands its facts on in order");
      s.waiting.push_back(e);
    }
    s.sure = std::max(s.sure, sure);
  }
  /// It will have no more.
  void close(std::size_t which) { streams_[which].sure = sim_time::max(); }

  [[nodiscard]] sim_time sure_of(std::size_t which) const { return streams_[which].sure; }
  /// Up to when the history is whole.
  [[nodiscard]] sim_time sure() const {
    return std::ranges::min_element(streams_, {}, &stream::sure)->sure;
  }

  /// What can come out now, each fact once.
  [[nodiscard]] std::vector<events::event> take() {
    std::vector<events::event> out;
    const sim_time until = sure();
    const auto first = [](const stream& s) {
      return s.waiting.empty() ? sim_time::max() : s.waiting.front().t;
    };
    for (;;) {
      const auto next = std::ranges::min_element(streams_, {}, first);
      if (next->waiting.empty() || (first(*next) >= until && until != sim_time::max())) {
        return out;
      }
      const sim_time t = first(*next);
      for (; !next->waiting.empty() && next->waiting.front().t == t; next->waiting.pop_front()) {
        out.push_back(next->waiting.front());
      }
    }
  }

 private:
  struct stream {
    std::deque<events::event> waiting;
    sim_time sure{};
  };

  std::vector<stream> streams_;
};

}  // namespace dibs::processes
