/// The one thread on which a live run waits: hands on events when they are due, in order of due
/// time, and of setting where that is the same.
///
/// A thread of its own, since CAF's clock keeps a queue for each actor and wakes for each entry.
/// It is late by what the operating system takes to wake it; who handles the event measures that.
#pragma once

#include "runtime/event.hpp"
#include "runtime/live_clock.hpp"
#include "runtime/timer_queue.hpp"

#include <condition_variable>
#include <functional>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

namespace dibs::runtime {

class timer_thread {
 public:
  /// `fire` is called on the thread, with all that is due by then. The clock outlives it.
  timer_thread(const live_clock& clock, std::function<void(std::span<const event>)> fire);
  ~timer_thread() { stop(); }
  timer_thread(const timer_thread&) = delete;
  timer_thread& operator=(const timer_thread&) = delete;

  /// From here on it fires; what was set before waited for this.
  void start();
  /// Any thread may.
  void set(std::span<const event> events);
  /// Nothing fires any more once this has returned. For any thread but its own.
  void stop();

 private:
  void work();
  /// Moves what is due into `due_`; how long until there is more.
  [[nodiscard]] sim_duration take_due();

  const live_clock& clock_;
  std::function<void(std::span<const event>)> fire_;
  std::mutex guard_;
  std::condition_variable changed_;
  timer_queue waiting_;
  std::vector<event> due_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace dibs::runtime
