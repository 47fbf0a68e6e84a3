#include "actors/runtime/merged_recorder.hpp"

#include "catch.hpp"

#include <atomic>
#include <thread>
#include <vector>

using namespace dibs;
using namespace dibs::actors::runtime;

namespace {

/// A clock that tests set, or that ticks whenever someone looks.
struct hand_clock {
  mutable std::atomic<std::int64_t> ns{0};
  std::int64_t tick = 0;

  [[nodiscard]] sim_time now() const { return sim_time{sim_duration{ns.fetch_add(tick) + tick}}; }
};

struct reader final : events::observer {
  std::vector<std::pair<sim_time, driver_id>> seen;

  void observe(std::span<const events::event> batch) override {
    for (const events::event& e : batch) {
      seen.emplace_back(e.t, std::get<events::driver_went_offline>(e.what).driver);
    }
  }
};

constexpr node_id node(std::uint32_t n) { return {node_kind::driver, n}; }

std::vector<events::event> fact_at(const moment& m, std::uint32_t driver) {
  return {
      {m.t, local_time{m.t.time_since_epoch()}, events::driver_went_offline{driver_id{driver}}}};
}

void finish(merged_recorder<hand_clock>& record, std::uint32_t n, const moment& m) {
  auto facts = fact_at(m, n);
  record.end(node(n), m, event{}, facts);
}

}  // namespace

TEST_CASE("merged recorder: facts wait for a moment that began before them") {
  hand_clock clock;
  merged_recorder record(clock);
  reader r;
  clock.ns = 10;
  const moment slow = record.begin(node(1));
  clock.ns = 20;
  const moment quick = record.begin(node(2));
  finish(record, 2, quick);
  clock.ns = 30;
  CHECK(record.drain({&r}) == at(10ns));
  CHECK(r.seen.empty());
  finish(record, 1, slow);
  CHECK(record.drain({&r}) == at(30ns));
  CHECK(r.seen == std::vector<std::pair<sim_time, driver_id>>{{at(10ns), driver_id{1}},
                                                              {at(20ns), driver_id{2}}});
}

TEST_CASE("merged recorder: what begins at the instant of a drain waits for the next") {
  hand_clock clock;
  merged_recorder record(clock);
  reader r;
  clock.ns = 10;
  finish(record, 1, record.begin(node(1)));
  record.drain({&r});
  CHECK(r.seen.empty());  // another moment at 10 may begin yet
  finish(record, 2, record.begin(node(2)));
  clock.ns = 11;
  record.drain({&r});
  REQUIRE(r.seen.size() == 2);
  CHECK(r.seen[0].second == driver_id{1});  // at one time, in the order in which they began
  CHECK(r.seen[1].second == driver_id{2});
}

TEST_CASE(
    "merged recorder: a moment that follows another of its node at one go is one of its own") {
  hand_clock clock;
  merged_recorder record(clock);
  reader r;
  clock.ns = 10;
  const moment first = record.begin(node(1));
  clock.ns = 20;
  auto facts = fact_at(first, 1);
  const moment second = record.end_and_begin(node(1), first, event{}, facts);
  CHECK(facts.empty());
  CHECK(second.t == at(20ns));
  CHECK_FALSE(record.is_idle());
  clock.ns = 30;
  CHECK(record.drain({&r}) == at(20ns));  // it is under way
  CHECK(r.seen == std::vector<std::pair<sim_time, driver_id>>{{at(10ns), driver_id{1}}});
  finish(record, 1, second);
  CHECK(record.is_idle());
  CHECK(record.handled() == 2);
  record.drain_all({&r});
  CHECK(r.seen.back() == std::pair{at(20ns), driver_id{1}});
}

TEST_CASE("merged recorder: everything is told at the end, and lateness is measured") {
  hand_clock clock;
  merged_recorder record(clock);
  reader r;
  clock.ns = 1000;
  const moment m = record.begin(node(7));
  auto facts = fact_at(m, 7);
  event due;
  due.role = role::timer;
  due.due = at(400ns);
  CHECK_FALSE(record.is_idle());
  record.end(node(7), m, due, facts);
  CHECK(facts.empty());
  CHECK(record.is_idle());
  record.drain_all({&r});
  CHECK(r.seen.size() == 1);
  CHECK(record.facts() == 1);
  CHECK(record.handled() == 1);
  CHECK(record.how_late().timers.max() == 600ns);
  CHECK(record.how_late().messages.count() == 0);
}

// Goal: with many threads no fact comes late or is lost. Method: threads that begin and end moments
// as fast as they can, on a clock that ticks at each look, while another drains.
TEST_CASE("merged recorder: threads never break the order") {
  constexpr std::uint32_t threads = 4;
  constexpr std::uint32_t moments = 20'000;
  hand_clock clock;
  clock.tick = 1;
  merged_recorder record(clock);
  reader r;
  {
    std::atomic<std::uint32_t> left{threads};
    std::vector<std::jthread> workers;
    for (std::uint32_t t = 0; t < threads; ++t) {
      workers.emplace_back([&record, &left, t] {
        for (std::uint32_t i = 0; i < moments; ++i) {
          const std::uint32_t n = i * threads + t;
          finish(record, n, record.begin(node(n)));
        }
        --left;
      });
    }
    while (left > 0) {
      record.drain({&r});
    }
  }
  record.drain_all({&r});
  REQUIRE(r.seen.size() == threads * moments);
  CHECK(std::is_sorted(r.seen.begin(), r.seen.end(), [](const auto& a, const auto& b) {
    return a.first < b.first;
  }));
}
