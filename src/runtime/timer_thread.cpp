#include "runtime/timer_thread.hpp"

#include "base/ensure.hpp"

#include <utility>

namespace dibs::runtime {

timer_thread::timer_thread(const live_clock& clock,
                           std::function<void(std::span<const event>)> fire)
    : clock_(clock), fire_(std::move(fire)) {}

void timer_thread::start() {
  ensure(!thread_.joinable(), "the thread of timers starts once");
  thread_ = std::thread([this] { work(); });
}

void timer_thread::set(std::span<const event> events) {
  bool is_next = false;
  {
    const std::lock_guard lock(guard_);
    for (const event& e : events) {
      is_next = is_next || waiting_.empty() || e.due < waiting_.next_due();
      waiting_.push(e);
    }
  }
  if (is_next) {
    changed_.notify_one();
  }
}

void timer_thread::stop() {
  {
    const std::lock_guard lock(guard_);
    stopping_ = true;
  }
  changed_.notify_one();
  if (thread_.joinable()) {
    thread_.join();
  }
}

sim_duration timer_thread::take_due() {
  const sim_time now = clock_.now();
  while (!waiting_.empty() && waiting_.next_due() <= now) {
    due_.push_back(waiting_.pop());
  }
  return waiting_.empty() ? forever : waiting_.next_due() - now;
}

void timer_thread::work() {
  std::unique_lock lock(guard_);
  while (!stopping_) {
    const sim_duration pause = take_due();
    if (!due_.empty()) {
      lock.unlock();
      fire_(due_);
      due_.clear();
      lock.lock();
    } else if (pause == forever) {
      changed_.wait(lock);
    } else {
      changed_.wait_for(lock, clock_.real(pause));
    }
  }
}

}  // namespace dibs::runtime
