/// What links do to messages and what people do at their phones, seen through whole runs.
#include "catch.hpp"
#include "engine/run.hpp"
#include "scenarios.hpp"
#include "whole_runs.hpp"

#include <cmath>

using namespace dibs;
using test::value_of;

namespace {

engine::run_result sound_run(const scenario::scenario& s, std::uint64_t seed = 1) {
  const auto result = engine::run(s, {.seed = seed});
  REQUIRE(result);
  for (const auto& v : result->checks.violations) {
    UNSCOPED_INFO(lease::code_of(v.broken) << " " << v.what);
  }
  CHECK(result->checks.kept());
  return *result;
}

/// Plenty of drivers, equally near, who all accept.
scenario::scenario nowhere(std::uint32_t drivers) {
  scenario::scenario s;
  s.name = "nowhere";
  s.clock.duration = 20min;
  s.world.geography = scenario::geography::none;
  s.world.trip = exponential_duration{1min};
  s.demand = {scenario::poisson_demand{.rate_per_s = 1, .from = {}, .until = {}}};
  s.drivers.count = drivers;
  s.drivers.classes = {{.name = "all", .response = exponential_duration{6s}}};
  s.matchers.count = 3;
  s.matchers.policy.kind = scenario::pick::random;
  return s;
}

scenario::link_options one_way(node_kind from, node_kind to) {
  scenario::link_options l;
  l.from = {from, {}};
  l.to = {to, {}};
  return l;
}

}  // namespace

TEST_CASE("links: a ride's messages over one link are lost independently of each other") {
  auto s = nowhere(3000);
  s.matchers.reply_timeout = 1s;
  auto l = one_way(node_kind::matcher, node_kind::lease_manager);
  l.both_ways = true;
  l.loss = 0.3;
  s.network = {l};
  // Each of the six offers needs an acquire, a confirm and their answers: few rides lose them all.
  CHECK(value_of(sound_run(s), "rides.match_rate") > 0.9);
}

TEST_CASE("links: a grant that comes twice does no harm") {
  auto s = nowhere(300);
  auto l = one_way(node_kind::lease_manager, node_kind::matcher);
  s.lease.offer_window = 14s;
  l.latency = uniform_duration{0ms, 400ms};
  l.duplicate = 1;
  s.network = {l};
  const auto result = sound_run(s);
  CHECK(value_of(result, "accepts.lost") == 0);
  CHECK(value_of(result, "leases.early_release") == 0);
}

TEST_CASE("links: a repeated acquire gets the lease that the first one got") {
  auto s = nowhere(3000);
  auto l = one_way(node_kind::lease_manager, node_kind::matcher);
  l.loss = 0.3;
  auto back = one_way(node_kind::matcher, node_kind::lease_manager);
  back.retry = scenario::retry_options{200ms, 8};
  s.network = {l, back};
  const auto result = sound_run(s);
  CHECK(value_of(result, "leases.denied") < 0.01 * value_of(result, "leases.granted"));
  CHECK(value_of(result, "rides.match_rate") > 0.98);
}

TEST_CASE("links: the ledger's word may be slower than a rider's patience with her driver") {
  auto s = nowhere(60);
  s.demand = {scenario::poisson_demand{.rate_per_s = 0.1, .from = {}, .until = {}}};
  s.riders.no_show_after = 1min;
  auto l = one_way(node_kind::ledger, node_kind::driver);
  l.latency = constant_duration{2min};
  s.network = {l};
  CHECK(value_of(sound_run(s), "promises.broken") > 0);
}

TEST_CASE("links: what a crashed lease manager did not hear counts as lost") {
  auto s = nowhere(300);
  s.faults = {
      {"die", scenario::crash_fault{{node_kind::lease_manager, {}}, {}, 60, sim_duration{3s}, {}}}};
  const auto result = sound_run(s);
  CHECK(value_of(result, "accepts.premature.loss") > 0);
  CHECK(value_of(result, "accepts.premature.latency") == 0);
}

TEST_CASE("bodies: a driver takes as long to answer however fast her phone's clock runs") {
  auto s = nowhere(300);
  s.lease.ttl = 1min;
  s.drivers.classes[0].response = constant_duration{10s};
  s.clocks.resize(1);
  s.clocks[0].id = "fast";
  s.clocks[0].node = {node_kind::driver, {}};
  s.clocks[0].drift = constant_duration{sim::ppm(500'000)};
  const auto result = sound_run(s);
  CHECK(std::abs(value_of(result, "leases.hold.mean") - 10) < 1e-6);
  CHECK(value_of(result, "accepts.late") == 0);
}

TEST_CASE("bodies: a driver with two trips drives one after the other, whatever the seed") {
  auto s = nowhere(20);
  s.lease.protocol = lease::protocol::none;
  s.demand = {scenario::poisson_demand{.rate_per_s = 0.3, .from = {}, .until = {}}};
  s.clock.duration = 10min;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    sound_run(s, seed);
  }
}

TEST_CASE("bodies: offers that would fail can be declined at once, and nothing else changes") {
  auto s = nowhere(300);
  s.drivers.classes[0].accept = 0.6;
  s.drivers.classes[0].ignore = 0.2;
  const auto real = sound_run(s);
  s.drivers.failing_offers = scenario::failing_offer::declined_at_once;
  const auto counterfactual = sound_run(s);
  CHECK(value_of(real, "supply.hidden_s.declined") > 100);
  CHECK(value_of(real, "supply.hidden_s.ignored") > 1000);
  CHECK(value_of(counterfactual, "supply.hidden_s.declined") == 0);
  CHECK(value_of(counterfactual, "supply.hidden_s.ignored") == 0);
}
