/// True time of a live run: the real clock, so many times as fast. Stands at 0 until it is started,
/// and never runs backwards. Any thread reads it, before and after.
#pragma once

#include "base/ensure.hpp"
#include "base/stopwatch.hpp"
#include "base/time.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>

namespace dibs::runtime {

class live_clock {
 public:
  explicit live_clock(double speed) : speed_(speed) { ensure(speed > 0, "time passes"); }

  [[nodiscard]] sim_time now() const {
    if (!runs_.load(std::memory_order_acquire)) {
      return at({});
    }
    return at(sim_duration{static_cast<std::int64_t>(watch_.seconds() * speed_ * 1e9)});
  }
  [[nodiscard]] double speed() const { return speed_; }
  /// How long one waits in reality for so much of true time.
  [[nodiscard]] std::chrono::nanoseconds real(sim_duration d) const {
    return std::chrono::nanoseconds{
        static_cast<std::int64_t>(static_cast<double>(d.count()) / speed_)};
  }

  /// Once.
  void start() {
    watch_ = stopwatch();
    runs_.store(true, std::memory_order_release);
  }

 private:
  double speed_;
  stopwatch watch_;
  std::atomic<bool> runs_{false};
};

}  // namespace dibs::runtime
