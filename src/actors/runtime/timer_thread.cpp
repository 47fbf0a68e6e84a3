#include "actors/runtime/timer_thread.hpp"

#include "base/ensure.hpp"

#include <algorithm>
#include <utility>

namespace dibs::actors::runtime {
namespace {

/// What an event has room for; an order that begins anew after so many timers harms none of them.
constexpr std::uint64_t orders_max = (std::uint64_t{1} << 36) - 1;

bool is_later(const event& a, const event& b) {
  return a.due != b.due ? a.due > b.due : a.order > b.order;
}

}  // namespace

timer_thread::timer_thread(const live_clock& clock, std::function<void(const event&)> fire)
    : clock_(clock), fire_(std::move(fire)) {}

void timer_thread::start() {
  ensure(!thread_.joinable(), "the thread of timers starts once");
  thread_ = std::thread([this] { work(); });
}

void timer_thread::set(const event& e) {
  bool is_next = false;
  {
    const std::lock_guard lock(guard_);
    is_next = heap_.empty() || e.due < heap_.front().due;
    heap_.push_back(e);
    heap_.back().order = next_order_++ & orders_max;
    std::push_heap(heap_.begin(), heap_.end(), is_later);
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
  while (!heap_.empty() && heap_.front().due <= now) {
    std::pop_heap(heap_.begin(), heap_.end(), is_later);
    due_.push_back(heap_.back());
    heap_.pop_back();
  }
  return heap_.empty() ? forever : heap_.front().due - now;
}

void timer_thread::work() {
  std::unique_lock lock(guard_);
  while (!stopping_) {
    const sim_duration pause = take_due();
    if (!due_.empty()) {
      lock.unlock();
      for (const event& e : due_) {
        fire_(e);
      }
      due_.clear();
      lock.lock();
    } else if (pause == forever) {
      changed_.wait(lock);
    } else {
      changed_.wait_for(lock, clock_.real(pause));
    }
  }
}

}  // namespace dibs::actors::runtime
