#include "catch.hpp"
#include "engine/live_run.hpp"
#include "scenarios.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <map>
#include <set>
#include <string>
#include <vector>

using namespace dibs;

namespace {

/// What a live history must be like, however the threads raced.
struct live_observer final : events::observer {
  std::map<std::string_view, std::uint64_t> facts;
  bool in_order = true;
  bool causes_first = true;
  std::uint64_t in_flight = 0;
  std::uint64_t most_in_flight = 0;
  sim_time online_by{};  ///< the last driver who came to work
  std::atomic<bool>* stop = nullptr;
  std::uint64_t stop_after = 0;

  void observe(std::span<const events::event> batch) override {
    for (const events::event& e : batch) {
      if (std::holds_alternative<events::driver_came_online>(e.what)) {
        online_by = e.t;
      }
      in_order = in_order && last_ <= e.t;
      last_ = e.t;
      std::visit([this]<class Fact>(const Fact& f) { on(f); }, e.what);
    }
    if (stop != nullptr && facts["ride_requested"] > stop_after) {
      *stop = true;
    }
  }

 private:
  template <class Fact>
  void on(const Fact& f) {
    ++facts[Fact::name];
    if constexpr (std::is_same_v<Fact, events::offer_sent>) {
      sent_.insert(f.token.value);
    } else if constexpr (std::is_same_v<Fact, events::offer_shown>) {
      causes_first = causes_first && sent_.count(f.token.value) > 0;
    } else if constexpr (std::is_same_v<Fact, events::ride_requested>) {
      most_in_flight = std::max(most_in_flight, ++in_flight);
    } else if constexpr (std::is_same_v<Fact, events::trip_ended>) {
      --in_flight;
    }
  }

  sim_time last_{};
  std::set<std::uint64_t> sent_;
};

engine::live_result run_live(const scenario::scenario& s,
                             engine::run_options how,
                             const engine::live_options& live,
                             live_observer& w) {
  how.observers.push_back(&w);
  auto result = engine::run_live(s, how, live);
  REQUIRE(result);
  CHECK(w.in_order);
  CHECK(w.causes_first);
  for (const auto& v : result->run.checks.violations) {
    UNSCOPED_INFO(v.what);
  }
  CHECK(result->run.checks.kept());
  return *result;
}

/// Twelve minutes of a town without a map, in which leases matter: drivers are short, some decline
/// and some do not answer.
scenario::scenario short_of_drivers() {
  scenario::scenario s;
  s.name = "short-of-drivers";
  s.clock = {.start = {}, .warmup = 2min, .duration = 10min, .drain = 1min};
  s.world.geography = scenario::geography::none;
  s.world.trip = exponential_duration{60s};
  s.demand = {scenario::poisson_demand{.rate_per_s = 1.5, .from = {}, .until = {}}};
  s.riders.patience = {.share = 1, .after = exponential_duration{60s}};
  s.drivers.count = 110;
  s.drivers.classes = {{.name = "all",
                        .share = 1,
                        .response = lognormal_duration{6s, 0.6},
                        .accept = 0.7,
                        .ignore = 0.1}};
  s.matchers.count = 3;
  s.matchers.policy.kind = scenario::pick::random;
  s.matchers.view_lag = 1s;
  scenario::link_options phone;
  phone.from = {node_kind::matcher, {}};
  phone.to = {node_kind::driver, {}};
  phone.both_ways = true;
  phone.latency = exponential_duration{200ms};
  phone.loss = 0.01;
  s.network = {phone};
  return s;
}

/// By so many seconds the machine may be late, on average, with whatever is due.
constexpr double late_max = 0.05;

/// What both worlds are asked for.
struct outcome {
  double match_rate = 0;
  double conversion = 0;  ///< of the leases that ended
  double hold_s = 0;      ///< of a lease, on average

  explicit outcome(const engine::run_result& r) {
    const auto of = [&r](const char* metric) { return r.metrics.value(metric).value_or(0); };
    match_rate = of("rides.match_rate");
    conversion = of("leases.conversion");
    hold_s = of("leases.hold.mean");
  }
};

struct estimate {
  double mean = 0;
  double deviation = 0;
};

template <class Figure>
estimate estimate_of(const std::vector<outcome>& all, Figure figure) {
  estimate e;
  for (const outcome& o : all) {
    e.mean += o.*figure / static_cast<double>(all.size());
  }
  for (const outcome& o : all) {
    e.deviation += (o.*figure - e.mean) * (o.*figure - e.mean);
  }
  e.deviation = std::sqrt(e.deviation / static_cast<double>(all.size() - 1));
  return e;
}

std::vector<outcome> virtual_outcomes(const scenario::scenario& s) {
  engine::run_options how;
  how.seed = 1000;
  const auto runs = engine::run_many(s, how, 40, 2);
  REQUIRE(runs);
  return {runs->begin(), runs->end()};
}

using figures = std::set<std::string>;

/// In which figures live runs differ from virtual ones by more than chance and what the machine
/// adds allow.
figures differences(const std::vector<outcome>& expected, const std::vector<outcome>& seen) {
  figures differ;
  const auto compare = [&](const char* what, auto figure, double allowance) {
    const estimate v = estimate_of(expected, figure);
    const estimate l = estimate_of(seen, figure);
    const double error = v.deviation * std::sqrt(1.0 / static_cast<double>(expected.size()) +
                                                 1.0 / static_cast<double>(seen.size()));
    UNSCOPED_INFO(what << ": virtual " << v.mean << ", live " << l.mean << ", standard error "
                       << error);
    if (std::abs(l.mean - v.mean) >= 5 * error + allowance) {
      differ.insert(what);
    }
  };
  compare("match rate", &outcome::match_rate, 0.0);
  compare("conversion", &outcome::conversion, 0.0);
  compare("hold time", &outcome::hold_s, 4 * late_max);
  return differ;
}

/// Live replications at the first of these speeds at which the machine, and the store that keeps
/// the leases, keep up; none if they do at no speed.
std::vector<outcome> live_outcomes(const scenario::scenario& s,
                                   std::uint32_t runs,
                                   const std::vector<double>& speeds = {200, 100, 50, 20},
                                   const std::optional<store::address>& store = {}) {
  for (const double speed : speeds) {
    std::vector<outcome> all;
    for (std::uint32_t k = 0; k < runs; ++k) {
      engine::run_options how;
      how.seed = engine::seed_of(1, k);
      live_observer w;
      const auto live = run_live(s, how, {.speed = speed, .threads = 2, .store = store}, w);
      const double late = std::max({live.late.timers.mean(),
                                    live.late.messages.mean(),
                                    live.store ? live.store->p50_s * speed : 0});
      if (late > late_max) {
        WARN("at a speed of " << speed << " this machine is late by " << late << " s on average");
        break;
      }
      all.emplace_back(live.run);
    }
    if (all.size() == runs) {
      return all;
    }
  }
  return {};
}

}  // namespace

// Goal: live runs agree with virtual ones in distribution. Method: the means of 3 live replications
// and of 40 virtual ones, of other seeds, differ by no more than 5 standard errors, from the spread
// of the virtual ones: by chance alone once in a million. In figures: the match rate, of 0.82, by
// 0.040, the conversion, of 0.57, by 0.040, a hold, of 7.5 s, by 0.35 s; in virtual time too the
// seeds of the live runs match 0.84. What the machine adds to each delay is no chance: a run in
// which that was more than 50 ms on average, of leases of several seconds, says nothing about the
// actors and is repeated at half the speed, where a late wake-up costs half as much. On a machine
// that is too busy at 20 times the real clock nothing is compared, and ctest shows the test as
// skipped, by the words that it writes. Within 50 ms a hold of some four delays moves by 0.2 s at
// most, which is allowed on top.
// Negative controls: of virtual towns with fewer drivers, pickier ones or shorter leases the same
// live runs differ, each in the figure that this should change.
TEST_CASE("live: agrees with virtual time in distribution", "[agreement]") {
  const scenario::scenario s = short_of_drivers();
  const std::vector<outcome> seen = live_outcomes(s, 3);
  if (seen.empty()) {
    WARN("the machine is too busy to tell");
    return;
  }
  CHECK(differences(virtual_outcomes(s), seen) == figures{});

  scenario::scenario fewer = s;
  fewer.drivers.count = 75;
  CHECK(differences(virtual_outcomes(fewer), seen).count("match rate") == 1);
  scenario::scenario pickier = s;
  pickier.drivers.classes.front().accept = 0.5;
  CHECK(differences(virtual_outcomes(pickier), seen).count("conversion") == 1);
  scenario::scenario shorter = s;
  shorter.lease.ttl = 9s;
  CHECK(differences(virtual_outcomes(shorter), seen).count("hold time") == 1);
}

// The same with leases, and in PostgreSQL trips, in a store outside, where the script that runs the
// tests has started one.
TEST_CASE("live: agrees with virtual time in distribution with leases in a store", "[stores]") {
  for (const char* variable : {"DIBS_TEST_POSTGRES", "DIBS_TEST_REDIS"}) {
    const char* const text = std::getenv(variable);
    if (text == nullptr) {
      continue;
    }
    INFO(variable);
    const auto where = store::read_address(text);
    REQUIRE(where);
    const scenario::scenario s = short_of_drivers();
    const std::vector<outcome> seen = live_outcomes(s, 2, {100, 50, 20}, *where);
    if (seen.empty()) {
      WARN("the machine is too busy to tell");
      continue;
    }
    CHECK(differences(virtual_outcomes(s), seen) == figures{});
  }
}

// Goal: faults of every kind keep their promises with leases in a store, too.
TEST_CASE("live: faults of every kind strike, with leases in a store", "[stores]") {
  for (const char* variable : {"DIBS_TEST_POSTGRES", "DIBS_TEST_REDIS"}) {
    const char* const text = std::getenv(variable);
    if (text == nullptr) {
      continue;
    }
    INFO(variable);
    live_observer w;
    const auto where = store::read_address(text);
    REQUIRE(where);
    const auto live =
        run_live(test::rough_town(), {}, {.speed = 100, .threads = 2, .store = *where}, w);
    CHECK(w.facts["node_crashed"] > 0);
    CHECK(w.facts["trip_committed"] > 0);
    REQUIRE(live.store);
    CHECK(live.store->answered > 0);
    CHECK(live.store->lost == 0);
  }
}

// Goal: outages, losses, partitions, clocks and repeats work live, and nothing that a machine can
// promise breaks. Method: a town with all of them at 500 times the real clock.
TEST_CASE("live: faults of every kind strike, and promises are kept", "[live]") {
  live_observer w;
  const auto live = run_live(test::rough_town(), {}, {.speed = 500, .threads = 2}, w);
  for (const char* fact : {"node_paused",
                           "node_resumed",
                           "node_crashed",
                           "node_restarted",
                           "message_lost",
                           "trip_committed"}) {
    INFO(fact);
    CHECK(w.facts[fact] > 0);
  }
  CHECK_FALSE(live.run.interrupted);
  CHECK(live.run.reached == test::rough_town().ends());
}

TEST_CASE("live: a fault that waits for a moment strikes live too", "[live]") {
  scenario::scenario s = short_of_drivers();
  s.clock = {.start = {}, .warmup = {}, .duration = 2min, .drain = {}};
  sim::trigger on_offer;
  on_offer.step = sim::life_step::after_offer;
  s.faults = {
      {"stop",
       sim::pause_fault{
           .node = {node_kind::matcher, {}}, .length = constant_duration{5s}, .when = on_offer}}};
  live_observer w;
  run_live(s, {}, {.speed = 200, .threads = 2}, w);
  CHECK(w.facts["node_paused"] > 0);
  CHECK(w.facts["node_resumed"] > 0);
}

TEST_CASE("live: a stop ends the run with what was seen so far", "[live]") {
  std::atomic<bool> stop{false};
  live_observer w;
  w.stop = &stop;
  w.stop_after = 10;
  engine::run_options how;
  how.stop = &stop;
  scenario::scenario s = short_of_drivers();
  s.clock.duration = 10h;
  const auto live = run_live(s, how, {.speed = 200, .threads = 2}, w);
  CHECK(live.run.interrupted);
  CHECK(live.run.reached < s.ends());
  CHECK(w.facts["ride_requested"] > 10);
}

TEST_CASE("live: a closed loop keeps so many rides in flight", "[live]") {
  scenario::scenario s = short_of_drivers();
  s.clock = {.start = {}, .warmup = {}, .duration = 5min, .drain = {}};
  s.riders.patience = {};
  s.drivers.classes.front().accept = 1;
  s.drivers.classes.front().ignore = 0;
  s.network.clear();
  live_observer w;
  run_live(s, {}, {.speed = 200, .threads = 2, .rides_at_once = 7, .rides_follow = true}, w);
  CHECK(w.most_in_flight == 7);
  CHECK(w.facts["ride_requested"] > 7);
}

// Goal: with a bound rides that are due wait, and none appears before it is due. Method: a town
// where some 90 would be under way, with a bound of 5; and with one that no ride meets, where no
// more rides appear than in virtual time.
TEST_CASE("live: rides that are due wait while so many are under way", "[live]") {
  scenario::scenario s = short_of_drivers();
  s.clock = {.start = {}, .warmup = {}, .duration = 5min, .drain = {}};
  s.riders.patience = {};
  live_observer few;
  run_live(s, {}, {.speed = 200, .threads = 2, .rides_at_once = 5}, few);
  CHECK(few.most_in_flight == 5);
  CHECK(few.facts["ride_requested"] > 5);

  const auto expected = engine::run(s, {});
  REQUIRE(expected);
  live_observer all;
  run_live(s, {}, {.speed = 200, .threads = 2, .rides_at_once = 100'000}, all);
  CHECK(static_cast<double>(all.facts["ride_requested"]) <=
        expected->metrics.value("rides.requested").value_or(0));
  CHECK(all.facts["ride_requested"] > few.facts["ride_requested"]);
}

TEST_CASE("live: time begins when all drivers are at work", "[live]") {
  scenario::scenario s = short_of_drivers();
  s.clock = {.start = {}, .warmup = {}, .duration = 2min, .drain = {}};
  s.drivers.count = 20'000;
  live_observer w;
  run_live(s, {}, {.speed = 1000, .threads = 2}, w);
  CHECK(w.facts["driver_came_online"] == 20'000);
  CHECK(w.online_by == sim_time{});
}

TEST_CASE("live: no more rides appear than there is room for", "[live]") {
  scenario::scenario s = short_of_drivers();
  s.clock = {.start = {}, .warmup = {}, .duration = 2min, .drain = {}};
  live_observer w;
  const auto live = run_live(s, {}, {.speed = 200, .threads = 2, .rides_max = 5}, w);
  CHECK(live.ran_out_of_rides);
  CHECK(w.facts["ride_requested"] == 5);
}
