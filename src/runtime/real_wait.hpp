/// Waits in real time. For the threads that observe a live run, never for its actors.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace dibs::runtime {

/// About so long; now and then less.
inline void wait_in_reality(double seconds) {
  std::mutex pause;
  std::condition_variable never;
  std::unique_lock lock(pause);
  never.wait_for(lock, std::chrono::duration<double>(seconds));
}

}  // namespace dibs::runtime
