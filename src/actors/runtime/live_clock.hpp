/// True time of a live run: the real clock, so many times as fast. Starts at 0 when it is made or
/// begun again, and never runs backwards.
#pragma once

#include "base/ensure.hpp"
#include "base/stopwatch.hpp"
#include "base/time.hpp"

#include <chrono>
#include <cstdint>

namespace dibs::actors::runtime {

class live_clock {
 public:
  explicit live_clock(double speed) : speed_(speed) { ensure(speed > 0, "time passes"); }

  [[nodiscard]] sim_time now() const {
    return at(sim_duration{static_cast<std::int64_t>(watch_.seconds() * speed_ * 1e9)});
  }
  [[nodiscard]] double speed() const { return speed_; }
  /// How long one waits in reality for so much of true time.
  [[nodiscard]] std::chrono::nanoseconds real(sim_duration d) const {
    return std::chrono::nanoseconds{
        static_cast<std::int64_t>(static_cast<double>(d.count()) / speed_)};
  }

  /// Requires: nobody else uses it yet.
  void begin_again() { watch_ = stopwatch(); }

 private:
  double speed_;
  stopwatch watch_;
};

}  // namespace dibs::actors::runtime
