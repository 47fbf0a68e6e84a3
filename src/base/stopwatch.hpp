/// Wall time, for progress lines and for the time that a run took. It never reaches a result.
/// Beside it only `wall_clock` reads a clock of the machine.
#pragma once

#include <chrono>

namespace dibs {

class stopwatch {
 public:
  /// Since construction.
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
  }

 private:
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

}  // namespace dibs
