#include "runtime/event_queue.hpp"

#include "base/random.hpp"
#include "catch.hpp"

#include <map>

using namespace dibs;

namespace {

struct item {
  sim_time due{};
  std::uint64_t order = 0;
};

}  // namespace

TEST_CASE("event queue: gives back what a sorted map would, over random puts and takes") {
  runtime::event_queue<item> queue;
  std::map<std::pair<sim_time, std::uint64_t>, bool> model;
  auto random = stream::keyed(5, purpose::pick);
  std::uint64_t order = 0;
  for (int i = 0; i < 200'000; ++i) {
    // Few distinct times, so that ties are common; more puts than takes at first.
    if (model.empty() || random.below(100) < (i < 50'000 ? 60U : 45U)) {
      const item e{at(sim_duration{static_cast<std::int64_t>(random.below(500))}), order++};
      queue.push(e);
      model[{e.due, e.order}] = true;
      // Every other time, so that the next one comes where the first is known, and where it is not.
      if (i % 2 == 0) {
        REQUIRE(queue.next_due() == model.begin()->first.first);
      }
    } else {
      const auto first = model.begin()->first;
      REQUIRE(queue.next_due() == first.first);
      const item e = queue.pop();
      REQUIRE(std::pair(e.due, e.order) == first);
      model.erase(model.begin());
    }
    REQUIRE(queue.size() == model.size());
  }
}

namespace {

using wait = sim_duration (*)(stream&, std::uint64_t order);

sim_duration of_ns(std::uint64_t n) { return sim_duration{static_cast<std::int64_t>(n)}; }

/// A run's own mixture: short hops, an expiry and a trip of constant length, thoughts of seconds.
sim_duration as_in_a_run(stream& random, std::uint64_t) {
  switch (random.below(5)) {
    case 0:
      return 15s;
    case 1:
      return 600s;
    case 2:
      return of_ns(random.below(30'000'000'000));
    case 3:
      return of_ns(random.below(3));
    default:
      return of_ns(random.below(100'000'000));
  }
}

sim_duration at_once(stream&, std::uint64_t) { return {}; }

/// Mostly soon, at times years ahead: beyond any calendar.
sim_duration soon_or_in_years(stream& random, std::uint64_t) {
  return random.below(100) == 0 ? 24h * 365 * static_cast<int>(1 + random.below(50))
                                : of_ns(random.below(1'000'000));
}

/// A thousand times as fast in every second thousand draws: no calendar fits for long.
sim_duration in_bursts(stream& random, std::uint64_t order) {
  return of_ns(random.below(order / 1000 % 2 == 0 ? 1'000'000'000 : 1'000'000));
}

/// So many are due at once, and as a day or a year begins: the queue cuts time by powers of two.
sim_duration in_large_steps(stream& random, std::uint64_t) {
  return of_ns(random.below(200) << 24);
}

}  // namespace

TEST_CASE("event queue: whatever the delays, events come in the order of one heap") {
  const wait how_long = GENERATE(as_in_a_run, at_once, soon_or_in_years, in_bursts, in_large_steps);
  runtime::event_queue<item> queue;
  std::map<std::pair<sim_time, std::uint64_t>, bool> model;
  auto random = stream::keyed(7, purpose::pick);
  std::uint64_t order = 0;
  sim_time now{};
  const auto put = [&](sim_duration after) {
    const item e{now + after, order++};
    queue.push(e);
    model[{e.due, e.order}] = true;
  };
  for (int i = 0; i < 20'000; ++i) {
    put({});  // a city whose drivers all come to work at once
  }
  for (int i = 0; i < 150'000; ++i) {
    if (model.empty() || random.below(100) < (i < 75'000 ? 55U : 45U)) {
      put(how_long(random, order));
      continue;
    }
    REQUIRE(queue.next_due() == model.begin()->first.first);
    if (i % 3 == 0) {
      put(how_long(random, order));
    }
    const item e = queue.pop();
    REQUIRE(std::pair(e.due, e.order) == model.begin()->first);
    model.erase(model.begin());
    now = e.due;
    queue.look_ahead([&](const item& next) { REQUIRE(next.due >= now); });
  }
  while (!model.empty()) {
    const item e = queue.pop();
    REQUIRE(std::pair(e.due, e.order) == model.begin()->first);
    model.erase(model.begin());
  }
  REQUIRE(queue.empty());
}

// Whatever lengths the queue cuts time into, one of these is as long as a year of its.
TEST_CASE("event queue: what comes after the first was looked for finds its place behind it") {
  for (int bits = 10; bits < 50; ++bits) {
    CAPTURE(bits);
    const auto year = [bits](int n) { return at(of_ns(std::uint64_t{1} << bits) * n); };
    runtime::event_queue<item> queue;
    queue.push({year(70), 0});
    queue.push({year(10), 1});
    REQUIRE(queue.pop().order == 1);
    REQUIRE(queue.next_due() == year(70));
    queue.push({year(70) + 2ms, 2});
    queue.push({year(72) + 2ms, 3});
    for (const std::uint64_t expected : {0U, 2U, 3U}) {
      REQUIRE(queue.pop().order == expected);
    }
  }
}
