/// True time of a live run: the real clock, so many times as fast. Stands at 0 until it is started,
/// and never runs backwards. Any thread reads it, before and after.
#pragma once

#include "base/ensure.hpp"
#include "base/time.hpp"
#include "base/wall_clock.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>

namespace dibs::runtime {

class live_clock {
 public:
  explicit live_clock(double speed) : speed_(speed) { ensure(speed > 0, "time passes"); }

  [[nodiscard]] sim_time now() const {
    if (!runs_.load(std::memory_order_acquire)) {
      return at({});
    }
    const auto passed = std::max(machine_time() - began_, std::chrono::nanoseconds{});
    return at(
        sim_duration{static_cast<std::int64_t>(static_cast<double>(passed.count()) * speed_)});
  }
  [[nodiscard]] double speed() const { return speed_; }
  /// How long one waits in reality for so much of true time.
  [[nodiscard]] std::chrono::nanoseconds real(sim_duration d) const {
    return std::chrono::nanoseconds{
        static_cast<std::int64_t>(static_cast<double>(d.count()) / speed_)};
  }

  /// Once. At `when`, as the machine's clock has it, or now.
  void start(std::optional<std::chrono::nanoseconds> when = {}) {
    began_ = when.value_or(machine_time());
    runs_.store(true, std::memory_order_release);
  }

 private:
  double speed_;
  std::chrono::nanoseconds began_{};
  std::atomic<bool> runs_{false};
};

}  // namespace dibs::runtime
