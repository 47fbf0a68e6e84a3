#include "match/supply_view.hpp"

#include "base/random.hpp"
#include "catch.hpp"

#include <map>
#include <memory>
#include <vector>

namespace {

using namespace dibs;
using namespace dibs::match;

constexpr supply_index_options fleet{50, {-100, -100, 0}, {100, 100, 0}};
constexpr driver_id anna{1};
constexpr driver_id bert{2};

TEST_CASE("supply view: a fact is known when the lag has passed, and not before", "[match]") {
  supply_log log;
  supply_view view(log, 500ms, fleet);
  log.append({at(10s), anna, true, {3, 4, 0}});

  view.advance(at(10s + 500ms) - 1ns);
  CHECK_FALSE(view.index().contains(anna));
  view.advance(at(10s + 500ms));
  REQUIRE(view.index().contains(anna));
  CHECK(view.index().place_of(anna) == point{3, 4, 0});
}

TEST_CASE("supply view: without lag a fact is known at once", "[match]") {
  supply_log log;
  supply_view view(log, 0s, fleet);
  log.append({at(10s), anna, true, {}});
  view.advance(at(10s));
  CHECK(view.index().contains(anna));
}

TEST_CASE("supply view: facts of one instant are learnt in order", "[match]") {
  supply_log log;
  supply_view view(log, 1s, fleet);
  log.append({at(5s), anna, true, {}});
  log.append({at(5s), anna, false, {}});
  log.append({at(5s), bert, false, {}});
  log.append({at(5s), bert, true, {}});
  view.advance(at(6s));
  CHECK_FALSE(view.index().contains(anna));
  CHECK(view.index().contains(bert));
}

TEST_CASE("supply view: a driver who is available elsewhere has moved", "[match]") {
  supply_log log;
  supply_view view(log, 0s, fleet);
  log.append({at(1s), anna, true, {1, 0, 0}});
  log.append({at(2s), anna, true, {2, 0, 0}});
  view.advance(at(2s));
  CHECK(view.index().size() == 1);
  CHECK(view.index().place_of(anna) == point{2, 0, 0});
}

TEST_CASE("supply view: each view sees the past of its own lag", "[match]") {
  // Goal: views of one log do not disturb each other, whatever the log has dropped.
  // Method: thousands of facts, four lags; each view is compared with the facts up to its time.
  supply_log log;
  const std::vector<sim_duration> lags{0s, 1ms, 250ms, 3s};
  std::vector<std::unique_ptr<supply_view>> views;
  for (const sim_duration lag : lags) {
    views.push_back(std::make_unique<supply_view>(log, lag, fleet));
  }
  stream random(1);
  std::vector<supply_fact> facts;
  sim_time now{};
  for (int step = 0; step < 5000; ++step) {
    now += sim_duration{static_cast<std::int64_t>(random.below(5'000'000))};
    const driver_id driver{static_cast<std::uint32_t>(random.below(fleet.drivers))};
    facts.push_back({now, driver, random.happens(0.6), {random.unit(), random.unit(), 0}});
    log.append(facts.back());
    for (const auto& view : views) {
      view->advance(now);
    }
    if (step % 50 != 0) {
      continue;
    }
    for (const auto& view : views) {
      std::map<driver_id, point> available;
      for (const supply_fact& fact : facts) {
        if (fact.at <= now - view->lag()) {
          available.erase(fact.driver);
          if (fact.is_available) {
            available[fact.driver] = fact.place;
          }
        }
      }
      REQUIRE(view->index().size() == available.size());
      for (const auto& [driver_known, place] : available) {
        REQUIRE(view->index().contains(driver_known));
        REQUIRE(view->index().place_of(driver_known) == place);
      }
    }
  }
}

TEST_CASE("supply log: what every view has learnt is dropped", "[match]") {
  supply_log log;
  supply_view fast(log, 0s, fleet);
  supply_view slow(log, 100ms, fleet);  // a hundred facts behind
  for (int i = 0; i < 100'000; ++i) {
    const sim_time now = at(i * 1ms);
    log.append({now, anna, i % 2 == 0, {}});
    fast.advance(now);
    slow.advance(now);
  }
  CHECK(log.capacity() >= 100);
  CHECK(log.capacity() <= 400);
}

TEST_CASE("supply log: without readers nothing is kept", "[match]") {
  supply_log log;
  for (int i = 0; i < 1000; ++i) {
    log.append({at(i * 1ms), anna, true, {}});
  }
  CHECK(log.capacity() == 0);
  supply_view late(log, 0s, fleet);
  late.advance(at(1h));
  CHECK(late.index().size() == 0);
}

}  // namespace
