#include "engine/run.hpp"

#include "catch.hpp"
#include "engine/prepared_scenario.hpp"
#include "engine/simulation.hpp"
#include "events/history_hash.hpp"
#include "events/jsonl.hpp"
#include "scenarios.hpp"
#include "whole_runs.hpp"

#include <fmt/format.h>

#include <map>
#include <new>
#include <sstream>
#include <stdexcept>

using namespace dibs;
using test::naive_race;
using test::result_of;
using test::rough_town;
using test::small_town;
using test::value_of;

namespace {

/// How each driver answered the first offer of each ride, and after how long.
class answers final : public events::observer {
 public:
  struct answer {
    events::offer_response what{};
    bool in_time = false;
    sim_duration after{};
    friend bool operator==(const answer&, const answer&) = default;
  };

  void observe(std::span<const events::event> batch) override {
    for (const events::event& e : batch) {
      if (const auto* shown = std::get_if<events::offer_shown>(&e.what)) {
        shown_.try_emplace(shown->token, e.t);
      } else if (const auto* a = std::get_if<events::offer_answered>(&e.what)) {
        first.try_emplace({a->driver, a->ride},
                          answer{a->answer, a->in_time, e.t - shown_.at(a->token)});
      }
    }
  }

  std::map<std::pair<driver_id, ride_id>, answer> first;

 private:
  std::map<token_id, sim_time> shown_;
};

class as_jsonl final : public events::observer {
 public:
  void observe(std::span<const events::event> batch) override {
    for (const events::event& e : batch) {
      events::append_jsonl(text, e);
    }
  }

  std::string text = events::jsonl_header();
};

}  // namespace

TEST_CASE("run: the same seed gives the same history, another seed another") {
  const auto s = rough_town();
  const auto one = result_of(s);
  CHECK(one.history == result_of(s).history);
  CHECK(one.history != result_of(s, {.seed = 2}).history);
  CHECK(one.events > 10'000);
}

TEST_CASE("run: the mailbox of CAF and the direct way give the same history") {
  for (const lease::rules& row : lease::all_rules()) {
    auto s = rough_town();
    s.lease.protocol = row.which;
    const auto direct = result_of(s);
    const auto mailbox = result_of(s, {.delivery = engine::delivery::mailbox});
    CHECK(direct.history == mailbox.history);
    CHECK(direct.events == mailbox.events);
  }
}

TEST_CASE("run: replications on one thread and on two give the same results") {
  const auto s = rough_town();
  const auto one = engine::run_many(s, {}, 5, 1);
  const auto two = engine::run_many(s, {}, 5, 2);
  REQUIRE(one);
  REQUIRE(two);
  for (std::size_t i = 0; i < 5; ++i) {
    CHECK((*one)[i].seed == engine::seed_of(1, static_cast<std::uint32_t>(i)));
    CHECK((*one)[i].history == (*two)[i].history);
    CHECK((*one)[i].metrics.values() == (*two)[i].metrics.values());
  }
  CHECK((*one)[0].history != (*one)[1].history);
}

TEST_CASE("run: readers on a thread of their own read the same as on the run's thread") {
  for (const auto& s : {rough_town(), naive_race(lease::protocol::none)}) {
    const auto together = result_of(s);
    const auto apart = result_of(s, {.observes_on_second_thread = true});
    CHECK(apart.history == together.history);
    CHECK(apart.facts == together.facts);
    CHECK(apart.metrics.values() == together.metrics.values());
    CHECK(apart.checks.violations.size() == together.checks.violations.size());
  }
}

TEST_CASE("run: what one replication throws is its error, on whatever thread it ran") {
  const auto s = rough_town();
  for (const std::uint32_t jobs : {1U, 2U}) {
    engine::run_options how;
    how.replay_line = [](std::uint64_t seed) { return fmt::format("repeat {}", seed); };
    how.on_progress = [](const engine::progress&) { throw std::runtime_error("no room left"); };
    const auto many = engine::run_many(s, how, 4, jobs);
    REQUIRE_FALSE(many);
    CHECK(many.error().code == exit_code::internal_error);
    CHECK(many.error().text == "a run broke off: no room left\nreplay: repeat 1");
  }
  engine::run_options how;
  how.on_progress = [](const engine::progress&) { throw std::bad_alloc(); };
  CHECK(engine::run(s, how).error().text.starts_with("a run broke off: out of memory\n"));
  how.on_progress = [](const engine::progress&) { throw 7; };
  CHECK(engine::run(s, how).error().text.starts_with(
      "a run broke off: something was thrown that is no exception\n"));
}

TEST_CASE("run: no driver is asked twice for one ride where none may be") {
  class offers final : public events::observer {
   public:
    void observe(std::span<const events::event> batch) override {
      for (const events::event& e : batch) {
        if (const auto* o = std::get_if<events::offer_sent>(&e.what)) {
          ++times[{o->ride, o->driver}];
        }
      }
    }
    std::map<std::pair<ride_id, driver_id>, int> times;
  };
  auto s = small_town();
  s.drivers.count = 20;
  s.matchers.offers.cooldown_after_decline = std::nullopt;
  offers sent;
  result_of(s, {.observers = {&sent}});
  CHECK(sent.times.size() > 40);
  for (const auto& [who, times] : sent.times) {
    CHECK(times == 1);
  }
}

TEST_CASE("run: another matcher does not change how any driver answers a given offer") {
  // Goal: keyed streams. Method: pair the answers to the same offers in two runs.
  auto s = naive_race(lease::protocol::none);
  answers four;
  result_of(s, {.observers = {&four}});
  s.matchers.count = 5;
  answers five;
  result_of(s, {.observers = {&five}});
  int common = 0;
  for (const auto& [offer, answer] : four.first) {
    if (const auto found = five.first.find(offer); found != five.first.end()) {
      ++common;
      CHECK(answer == found->second);
    }
  }
  CHECK(common > 100);
  const bool runs_differ = four.first != five.first;
  CHECK(runs_differ);
}

TEST_CASE("run: the naive race shows every level of double assignment, the fence prevents da3") {
  const auto naive = result_of(naive_race(lease::protocol::none));
  CHECK(value_of(naive, "double.offers") > 0);
  CHECK(value_of(naive, "double.accepts") > 0);
  CHECK(value_of(naive, "double.commits") > 0);
  CHECK(value_of(naive, "promises.broken_rate") > 0);
  CHECK(naive.checks.kept());

  const auto fenced = result_of(naive_race(lease::protocol::fenced));
  CHECK(value_of(fenced, "double.commits") == 0);
  CHECK(value_of(fenced, "double.rides") == 0);
  CHECK(fenced.checks.kept());
}

TEST_CASE("run: the naive race under each protocol") {
  for (const lease::rules& row : lease::all_rules()) {
    INFO(row.name);
    const auto result = result_of(naive_race(row.which));
    CHECK(result.checks.kept());
    // Whoever is leased is offered one ride at a time; without leases stale pictures collide.
    CHECK((value_of(result, "double.offers") == 0) == row.leases);
    const bool may_double =
        row.which == lease::protocol::none || row.which == lease::protocol::idempotent;
    CHECK((value_of(result, "double.commits") > 0) == may_double);
    CHECK(value_of(result, "rides.match_rate") > 0.2);  // four rides for each driver
  }
}

TEST_CASE("run: every protocol keeps what it promises in a rough town") {
  for (const lease::rules& row : lease::all_rules()) {
    for (const auto judge :
         {scenario::judge::manager, scenario::judge::holder, scenario::judge::both}) {
      for (const auto kind : {scenario::cleanup::timer,
                              scenario::cleanup::periodic,
                              scenario::cleanup::lazy,
                              scenario::cleanup::none}) {
        auto s = rough_town();
        s.lease.protocol = row.which;
        s.lease.judge = judge;
        s.lease.cleanup.kind = kind;
        const auto result = result_of(s);
        for (const auto& v : result.checks.violations) {
          UNSCOPED_INFO(row.name << ": " << lease::code_of(v.broken) << " " << v.what);
        }
        CHECK(result.checks.kept());
      }
    }
  }
}

TEST_CASE("run: with lazy clean-up whoever looks finds the drivers whose leases are over") {
  auto s = small_town();
  s.drivers.count = 30;
  s.drivers.classes = {{.name = "silent", .response = never_duration{}, .accept = 0, .ignore = 1}};
  const auto granted = [&s](scenario::cleanup kind) {
    s.lease.cleanup.kind = kind;
    return value_of(result_of(s), "leases.granted");
  };
  const double by_timer = granted(scenario::cleanup::timer);
  CHECK(granted(scenario::cleanup::lazy) > 0.95 * by_timer);
  CHECK(granted(scenario::cleanup::none) <= 30);
}

TEST_CASE(
    "run: who waits in line hears of a driver whom the matcher itself let go, or may ask again") {
  auto s = small_town();
  s.world.geography = scenario::geography::none;
  s.world.trip = constant_duration{1s};
  s.clock.warmup = {};
  scenario::burst_demand first;
  first.at = 10s;
  scenario::burst_demand second;
  second.at = 12s;
  s.demand = {first, second};
  s.riders.ask_again.reset();
  s.drivers.count = 1;
  s.drivers.classes = {{.name = "slow", .response = constant_duration{1h}}};
  s.matchers.count = 1;
  s.matchers.policy.kind = scenario::pick::random;
  s.matchers.queue = true;
  s.matchers.offers.total_wait = 3min;
  s.lease.ttl = 15s;
  s.lease.offer_window = 4s;
  scenario::link_options late;
  late.from = {node_kind::matcher, {}};
  late.to = {node_kind::lease_manager, {}};
  late.both_ways = true;
  late.latency = constant_duration{50ms};
  s.network = {late};
  s.matchers.offers.cooldown_after_decline.reset();
  CHECK(value_of(result_of(s), "offers.sent") == 2);
  s.matchers.offers.cooldown_after_decline = 30s;
  s.demand.pop_back();
  const auto alone = result_of(s);
  CHECK(value_of(alone, "offers.sent") > 2);
  CHECK(alone.checks.kept());
}

TEST_CASE("run: a ride in line is tried for as soon as its matcher sees somebody", "[slow]") {
  auto s = small_town();
  s.demand = {scenario::poisson_demand{.rate_per_s = 1, .from = {}, .until = {}}};
  s.drivers.count = 20;
  s.world.geography = scenario::geography::none;
  s.world.trip = exponential_duration{20s};
  s.matchers.policy.kind = scenario::pick::random;
  s.matchers.queue = true;
  s.matchers.view_lag = 3s;
  for (const std::uint32_t at_once : {1U, 2U}) {
    s.matchers.offers.broadcast = at_once;
    const auto result = result_of(s);
    CHECK((result.checks.judged >> static_cast<unsigned>(lease::invariant::service_recovers) &
           1U) == 1);
    CHECK(result.checks.kept());
  }
}

TEST_CASE("run: a late copy of the yes to a confirm gives nothing back that is being written") {
  auto s = small_town();
  s.lease.protocol = lease::protocol::lease;
  scenario::link_options to_manager;
  to_manager.from = {node_kind::matcher, {}};
  to_manager.to = {node_kind::lease_manager, {}};
  to_manager.both_ways = true;
  to_manager.duplicate = 1;
  scenario::link_options to_ledger;
  to_ledger.from = {node_kind::matcher, {}};
  to_ledger.to = {node_kind::ledger, {}};
  to_ledger.latency = constant_duration{2s};
  s.network = {to_manager, to_ledger};
  const auto result = result_of(s);
  CHECK(result.checks.kept());
  CHECK(value_of(result, "rides.matched") > 100);
  CHECK(value_of(result, "double.commits") == 0);
}

TEST_CASE("run: with lazy clean-up an expired lease stands until the next acquire of any driver") {
  auto s = small_town();
  s.clock.duration = 4h;
  s.world.geography = scenario::geography::none;
  s.world.trip = constant_duration{1min};
  s.matchers.offers.max = 1;
  s.matchers.policy.kind = scenario::pick::random;
  s.drivers.count = 100;
  s.drivers.classes = {{.name = "silent", .response = never_duration{}, .accept = 0, .ignore = 1}};
  s.lease.cleanup.kind = scenario::cleanup::lazy;
  const auto result = result_of(s);
  CHECK(result.checks.kept());
  // Acquires are a Poisson process of one in 4 s, so the next one is 4 s away on average.
  const double mean = value_of(result, "leases.overhang_s") / value_of(result, "leases.granted");
  CHECK(mean > 3.5);
  CHECK(mean < 4.5);
}

TEST_CASE("run: the manager can commit, by a matcher's confirm or by the driver's") {
  for (const auto confirmer : {scenario::confirmer::matcher, scenario::confirmer::driver}) {
    auto s = rough_town();
    s.lease.commit = scenario::commit_at::manager;
    s.lease.confirm_by = confirmer;
    const auto result = result_of(s);
    for (const auto& v : result.checks.violations) {
      UNSCOPED_INFO(lease::code_of(v.broken) << " " << v.what);
    }
    CHECK(result.checks.kept());
    CHECK(value_of(result, "rides.match_rate") > 0.5);
    CHECK(value_of(result, "double.commits") == 0);
  }
}

TEST_CASE("run: metrics recomputed from events.jsonl agree to the last digit") {
  const auto s = rough_town();
  as_jsonl file;
  const auto result = result_of(s, {.observers = {&file}});
  std::istringstream text(file.text);
  const auto read = events::read_jsonl(text);
  REQUIRE(read);
  CHECK(read->size() == result.facts);
  metrics::collector again(engine::metrics_options_of(s));
  again.observe(*read);
  CHECK(again.finish(result.reached).values() == result.metrics.values());
  events::history_hash hash;
  hash.observe(*read);
  CHECK(hash.digest() == result.history);
}

TEST_CASE("run: a stop request ends the run at an event and says so") {
  const std::atomic<bool> stop{true};
  const auto result = result_of(small_town(), {.stop = &stop});
  CHECK(result.interrupted);
  CHECK(result.reached < small_town().ends());
}

TEST_CASE("run: the estimate of memory covers what runs took, and not many times that") {
  // What a run took in all, of `bench/metropolis.yaml` with 20,000 drivers, who stay, and 12 riders
  // a second: on Linux, in large pages.
  struct measured {
    lease::protocol protocol{};
    std::uint32_t broadcast = 1;
    sim_duration duration{};
    std::uint64_t mib = 0;
  };
  const auto& took = GENERATE(values<measured>({{lease::protocol::fenced, 1, 1h, 111},
                                                {lease::protocol::fenced, 1, 9h, 644},
                                                {lease::protocol::fenced, 4, 9h, 1090},
                                                {lease::protocol::pessimistic, 1, 9h, 633},
                                                {lease::protocol::none, 1, 1h, 91},
                                                {lease::protocol::none, 1, 9h, 632},
                                                {lease::protocol::none, 8, 3h, 1347},
                                                {lease::protocol::optimistic, 2, 3h, 505},
                                                {lease::protocol::optimistic, 8, 3h, 1177}}));
  scenario::scenario s;
  s.clock.duration = took.duration;
  s.demand = {scenario::poisson_demand{.rate_per_s = 12, .from = {}, .until = {}}};
  s.drivers.count = 20'000;
  s.lease.protocol = took.protocol;
  s.matchers.offers.broadcast = took.broadcast;
  const std::uint64_t estimate = engine::memory_estimate(s) >> 20;
  CAPTURE(estimate, took.mib);
  CHECK(estimate >= took.mib);
  CHECK(estimate <= 3 * took.mib);
}

TEST_CASE("run: demand that cannot be read is an error with the file's name") {
  auto s = small_town();
  s.demand = {scenario::trace_demand{.file = "no-such-file.csv"}};
  const auto result = engine::run(s, {});
  REQUIRE_FALSE(result);
  CHECK(result.error().text.find("no-such-file.csv") != std::string::npos);
}

TEST_CASE("run: each profile makes runs of its own of what the starter writes") {
  std::map<std::string, std::string> seen;
  const std::string text = scenario::starter("town");
  for (const char* name :
       {"none", "chubby", "consul", "dynamodb", "etcd", "kubernetes", "postgres", "redis"}) {
    CAPTURE(name);
    const auto read = scenario::read_text(text, "town.yaml", ".", {{"lease.profile", name}});
    REQUIRE(read.ok());
    const auto ran = engine::run(read.value, {.seed = 7});
    REQUIRE(ran);
    const auto same = seen.try_emplace(ran->history, name);
    INFO("as " << same.first->second);
    CHECK(same.second);
  }
}
