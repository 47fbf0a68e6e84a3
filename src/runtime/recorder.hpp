/// Where facts go: collected in batches, handed to the observers in order.
#pragma once

#include "events/facts.hpp"
#include "events/observer.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace dibs::runtime {

class recorder {
 public:
  explicit recorder(std::vector<events::observer*> observers) : observers_(std::move(observers)) {
    batch_.resize(batch_size);
  }

  [[nodiscard]] bool has_readers() const { return !observers_.empty(); }

  /// A fact that nobody reads.
  void count() { ++facts_; }

  template <class Fact>
  void record(sim_time t, local_time local, const Fact& fact) {
    ++facts_;
    events::event& next = batch_[used_];
    next.t = t;
    next.local = local;
    next.what.emplace<Fact>(fact);
    next.about = events::driver_in(fact);
    if (++used_ == batch_size) {
      flush();
    }
  }

  void flush() {
    for (events::observer* o : observers_) {
      o->observe({batch_.data(), used_});
    }
    used_ = 0;
  }

  [[nodiscard]] std::uint64_t facts() const { return facts_; }

 private:
  static constexpr std::size_t batch_size = 256;

  std::vector<events::observer*> observers_;
  std::vector<events::event> batch_;  ///< as long as a batch, and written in place
  std::size_t used_ = 0;
  std::uint64_t facts_ = 0;
};

}  // namespace dibs::runtime
