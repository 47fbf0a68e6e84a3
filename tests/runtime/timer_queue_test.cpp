#include "runtime/timer_queue.hpp"

#include "base/random.hpp"
#include "catch.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

using namespace dibs;
using namespace dibs::runtime;

namespace {

/// The same, plainly: looks through all of them.
class plain_queue {
 public:
  void push(const event& e) { all_.push_back(e); }
  [[nodiscard]] bool empty() const { return all_.empty(); }

  event pop() {
    const auto next = std::min_element(
        all_.begin(), all_.end(), [](const event& a, const event& b) { return a.due < b.due; });
    const event e = *next;
    all_.erase(next);
    return e;
  }

 private:
  std::vector<event> all_;  ///< in the order in which they came, so of equals the first is found
};

event timer(sim_duration due, std::uint32_t number) {
  event e;
  e.due = at(due);
  e.exchange = number;
  return e;
}

}  // namespace

// Timers of six lengths and of any, more lengths than there are runs, and many due at once.
TEST_CASE("timer queue: gives what a plain search gives") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    auto random = stream::keyed(seed, purpose::pick);
    timer_queue timers;
    plain_queue plain;
    sim_duration now{};
    for (std::uint32_t i = 0; i < 2000; ++i) {
      if (random.below(3) != 0 || plain.empty()) {
        const auto length = static_cast<int>(random.below(7));
        const sim_duration lasts =
            length < 6 ? 3s * length : 1s * static_cast<int>(random.below(20));
        timers.push(timer(now + lasts, i));
        plain.push(timer(now + lasts, i));
      } else {
        const event e = timers.pop();
        REQUIRE(e.exchange == plain.pop().exchange);
        now = std::max(now, e.due.time_since_epoch() - 1s * static_cast<int>(random.below(2)));
      }
      REQUIRE(timers.empty() == plain.empty());
    }
    while (!plain.empty()) {
      const event e = plain.pop();
      REQUIRE(timers.next_due() == e.due);
      REQUIRE(timers.pop().exchange == e.exchange);
    }
    CHECK(timers.empty());
  }
}
