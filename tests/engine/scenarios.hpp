/// Scenarios for tests of the engine, small and with everything on.
#pragma once

#include "scenario/scenario.hpp"

namespace dibs::test {

/// A town of a few kilometres, no faults, a perfect network.
[[nodiscard]] inline scenario::scenario small_town() {
  scenario::scenario s;
  s.name = "small-town";
  s.clock = {.start = {}, .warmup = 2min, .duration = 20min, .drain = 5min};
  s.world.bounds = {.south = 40.70, .west = -74.02, .north = 40.76, .east = -73.95};
  s.demand = {scenario::poisson_demand{.rate_per_s = 0.25, .from = {}, .until = {}}};
  s.drivers.count = 120;
  s.drivers.placement = scenario::placement::uniform;
  s.drivers.classes = {{.name = "prompt",
                        .share = 0.8,
                        .response = lognormal_duration{4s, 0.5},
                        .accept = 0.8,
                        .ignore = 0.1},
                       {.name = "slow",
                        .share = 0.2,
                        .response = lognormal_duration{10s, 0.6},
                        .accept = 0.6,
                        .ignore = 0.2}};
  s.matchers.count = 4;
  s.matchers.view_lag = 500ms;
  s.lease.offer_window = 12s;
  return s;
}

/// The same with latency, loss, duplication, retries, skew and faults of every kind.
[[nodiscard]] inline scenario::scenario rough_town() {
  scenario::scenario s = small_town();
  s.name = "rough-town";
  s.drivers.shifts = uniform_duration{5min, 30min};
  s.riders.patience = {.share = 0.5, .after = exponential_duration{90s}};
  s.riders.cancel_after_match = {.share = 0.1, .after = lognormal_duration{2min, 1.0}};
  const auto link = [&s](node_kind from, node_kind to, const distribution& latency, double loss) {
    scenario::link_options l;
    l.from = {from, {}};
    l.to = {to, {}};
    l.both_ways = true;
    l.latency = latency;
    l.loss = loss;
    l.duplicate = loss;
    l.retry = scenario::retry_options{500ms, 4};
    s.network.push_back(l);
  };
  link(node_kind::matcher, node_kind::driver, lognormal_duration{150ms, 0.8}, 0.02);
  link(node_kind::matcher, node_kind::lease_manager, exponential_duration{20ms}, 0.02);
  link(node_kind::matcher, node_kind::ledger, exponential_duration{30ms}, 0.02);
  s.clocks.resize(2);
  s.clocks[0].id = "phones";
  s.clocks[0].node = {node_kind::driver, {}};
  s.clocks[0].offset = normal_duration{0s, 300ms};
  s.clocks[0].drift = constant_duration{sim::ppm(50)};
  s.clocks[1].id = "drifting";
  s.clocks[1].node = {node_kind::matcher, 1};
  s.clocks[1].offset = constant_duration{1500ms};
  s.clocks[1].drift = constant_duration{sim::ppm(200)};
  s.clocks[1].from = 5min;
  s.faults = {
      {"stop",
       scenario::pause_fault{{node_kind::matcher, 2}, 7min, constant_duration{20s}, 0, {}, {}}},
      {"die", scenario::crash_fault{{node_kind::matcher, {}}, {}, 10, 10s, {}}},
      {"dark", scenario::crash_fault{{node_kind::driver, {}}, {}, 2, 30s, {}}},
      {"cut",
       scenario::partition_fault{{scenario::node_pattern{node_kind::matcher, 0},
                                  scenario::node_pattern{node_kind::lease_manager, {}}},
                                 10min,
                                 30s,
                                 true,
                                 1}}};
  return s;
}

/// Four matchers that see old pictures of too few drivers.
[[nodiscard]] inline scenario::scenario naive_race(lease::protocol protocol) {
  scenario::scenario s = small_town();
  s.name = "naive-race";
  s.demand = {scenario::poisson_demand{.rate_per_s = 0.5, .from = {}, .until = {}}};
  s.matchers.view_lag = 5s;
  s.lease.protocol = protocol;
  return s;
}

}  // namespace dibs::test
