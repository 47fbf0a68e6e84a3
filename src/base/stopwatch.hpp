/// How long something takes for the person who waits. The only clock of the house that ticks by
/// itself; it never reaches a result, only progress lines and the wall time of a run.
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
