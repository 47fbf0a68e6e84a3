#include "runtime/timer_thread.hpp"

#include "catch.hpp"

#include <condition_variable>
#include <mutex>
#include <span>
#include <vector>

using namespace dibs;
using namespace dibs::runtime;

namespace {

/// Takes what fires, and waits for it.
class inbox {
 public:
  explicit inbox(const live_clock& clock) : clock_(clock) {}

  void take(std::span<const event> due) {
    const std::lock_guard lock(guard_);
    for (const event& e : due) {
      early_ = early_ || clock_.now() < e.due;
      numbers_.push_back(e.exchange);
    }
    more_.notify_one();
  }

  /// The numbers of the first `count`, in the order in which they fired.
  std::vector<std::uint32_t> wait_for(std::size_t count) {
    std::unique_lock lock(guard_);
    more_.wait(lock, [&] { return numbers_.size() >= count; });
    return numbers_;
  }
  [[nodiscard]] bool was_early() const { return early_; }

 private:
  const live_clock& clock_;
  std::mutex guard_;
  std::condition_variable more_;
  std::vector<std::uint32_t> numbers_;
  bool early_ = false;
};

event due_at(sim_duration when, std::uint32_t number) {
  event e;
  e.due = at(when);
  e.exchange = number;
  return e;
}

void set(timer_thread& timers, const std::vector<event>& events) { timers.set(events); }

}  // namespace

// However late the machine is: what fires is due, and in order.
TEST_CASE("timer thread: fires in the order of due times, and never early") {
  live_clock clock(1000);
  clock.start();
  inbox fired(clock);
  timer_thread timers(clock, [&](std::span<const event> due) { fired.take(due); });
  set(timers, {due_at(30s, 3), due_at(10s, 1)});
  set(timers, {due_at(20s, 2)});
  set(timers, {due_at(10s, 4)});  // of two at one time, the first that was set
  timers.start();
  CHECK(fired.wait_for(4) == std::vector<std::uint32_t>{1, 4, 2, 3});
  CHECK_FALSE(fired.was_early());
}

TEST_CASE("timer thread: wakes for one that is set later and due earlier") {
  live_clock clock(1);
  clock.start();
  inbox fired(clock);
  timer_thread timers(clock, [&](std::span<const event> due) { fired.take(due); });
  timers.start();
  set(timers, {due_at(24h, 1)});
  set(timers, {due_at(23h, 3), due_at(0s, 2), due_at(22h, 4)});
  CHECK(fired.wait_for(1) == std::vector<std::uint32_t>{2});
}

TEST_CASE("timer thread: nothing fires once it has stopped") {
  live_clock clock(1);
  clock.start();
  inbox fired(clock);
  timer_thread timers(clock, [&](std::span<const event> due) { fired.take(due); });
  timers.start();
  set(timers, {due_at(0s, 1)});
  fired.wait_for(1);
  timers.stop();
  set(timers, {due_at(0s, 2)});
  CHECK(fired.wait_for(1).size() == 1);
}

TEST_CASE("live clock: never runs backwards, and real time is shorter by the speed") {
  live_clock clock(100);
  clock.start();
  sim_time last{};
  for (int i = 0; i < 1000; ++i) {
    const sim_time now = clock.now();
    REQUIRE(now >= last);
    last = now;
  }
  CHECK(clock.real(15s) == 150ms);
}
