/// What time it is, for services outside any run. No result of a run depends on it.
///
/// It is set once, by the machine's calendar, and goes on by the clock that nobody sets: it never
/// jumps, and never goes back. Two processes may differ in it.
#pragma once

#include <algorithm>
#include <chrono>

namespace dibs {

/// A point of calendar time, in UTC.
using instant = std::chrono::sys_time<std::chrono::milliseconds>;

class wall_clock {
 public:
  /// `at_least`: what was on record before, which it may not go back behind.
  explicit wall_clock(instant at_least = {})
      : began_(std::max(at_least, whole(std::chrono::system_clock::now()))) {}

  [[nodiscard]] instant now() const {
    return began_ + std::chrono::duration_cast<std::chrono::milliseconds>(
                        std::chrono::steady_clock::now() - started_);
  }

 private:
  static instant whole(std::chrono::system_clock::time_point t) {
    return std::chrono::floor<std::chrono::milliseconds>(t);
  }

  instant began_;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
};

/// What the machine's monotonic clock reads. All processes of one machine share it.
[[nodiscard]] inline std::chrono::nanoseconds machine_time() {
  return std::chrono::steady_clock::now().time_since_epoch();
}

}  // namespace dibs
