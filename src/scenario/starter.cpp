#include "scenario/cross_field_rules.hpp"
#include "scenario/fields.hpp"
#include "scenario/read.hpp"
#include "scenario/yaml_writer.hpp"

namespace dibs::scenario {

namespace {

scenario first_scenario() {
  scenario s;
  s.question = "How often do two matchers offer one driver to two riders, and what does it cost?";
  s.clock.warmup = 1min;
  s.clock.duration = 10min;
  s.clock.drain = 2min;
  s.world.trip = exponential_duration{5min};
  poisson_demand steady;
  steady.rate_per_s = 0.2;
  burst_demand burst;
  burst.at = 4min;
  burst.within = 20s;
  burst.rides = 60;
  s.demand = {steady, burst};
  s.riders.patience = {0.5, exponential_duration{90s}};
  s.drivers.count = 120;
  s.drivers.placement = placement::uniform;
  s.drivers.classes = {{"prompt", 0.75, lognormal_duration{4s, 0.5}, 0.9, 0.05},
                       {"choosy", 0.25, lognormal_duration{8s, 0.6}, 0.45, 0.2}};
  s.matchers.count = 2;
  s.matchers.view_lag = 500ms;
  s.matchers.policy.radius_m = 5000;
  s.lease.offer_window = 12s;
  link_options link;
  link.text = "matcher->driver";
  link.from = {node_kind::matcher, std::nullopt};
  link.to = {node_kind::driver, std::nullopt};
  link.latency = lognormal_duration{120ms, 0.8};
  link.loss = 0.005;
  s.network = {link};
  s.faults = {{"stop", pause_fault{{node_kind::matcher, 1}, 5min, 20s, 0, {}, {}}}};
  return s;
}

}  // namespace

std::string starter(std::string_view name) {
  scenario s = first_scenario();
  complete(s, name);
  return "# yaml-language-server: $schema=scenario.schema.json\n"
         "# A scenario to start from. Most fields can be left out; the reference has them all.\n"
         "# Check it with `dibs validate`, run it with `dibs run`.\n\n" +
         emit_with_comments(scenario_kind().write(s), *scenario_kind().about);
}

}  // namespace dibs::scenario
