/// Where facts go: collected in batches, handed to the observers in order.
#pragma once

#include "events/facts.hpp"
#include "events/observer.hpp"

#include <cstdint>
#include <utility>
#include <vector>

namespace dibs::actors::runtime {

class recorder {
 public:
  explicit recorder(std::vector<events::observer*> observers) : observers_(std::move(observers)) {
    batch_.reserve(batch_size);
  }

  template <class Fact>
  void record(sim_time t, local_time local, const Fact& fact) {
    ++facts_;
    if (observers_.empty()) {
      return;
    }
    batch_.push_back({t, local, fact, events::driver_in(fact)});
    if (batch_.size() == batch_size) {
      flush();
    }
  }

  void flush() {
    for (events::observer* o : observers_) {
      o->observe(batch_);
    }
    batch_.clear();
  }

  [[nodiscard]] std::uint64_t facts() const { return facts_; }

 private:
  static constexpr std::size_t batch_size = 256;

  std::vector<events::observer*> observers_;
  std::vector<events::event> batch_;
  std::uint64_t facts_ = 0;
};

}  // namespace dibs::actors::runtime
