/// The offer race (`race_model.hpp`) as a scenario for the engine.
#pragma once

#include "bench/race/race_model.hpp"
#include "scenario/scenario.hpp"

#include <cstdint>

namespace dibs::bench {

[[nodiscard]] inline scenario::scenario offer_race(std::uint32_t drivers, double hours) {
  scenario::scenario s;
  s.name = "offer-race";
  s.clock.duration = sim_duration{static_cast<std::int64_t>(hours * 3600e9)};
  s.clock.drain = {};
  s.world.geography = scenario::geography::none;
  s.world.trip = constant_duration{race_model::trip};
  s.demand = {scenario::poisson_demand{
      .rate_per_s = race_model::rides_per_driver_s * drivers, .from = {}, .until = {}}};
  s.riders.ask_again.reset();
  s.drivers.count = drivers;
  s.drivers.late_answer = scenario::late_answer::sent;
  s.drivers.classes = {
      {.name = "all",
       .share = 1,
       .response = lognormal_duration{race_model::answer_median, race_model::answer_sigma},
       .accept = race_model::acceptance,
       .ignore = 0}};
  s.matchers.count = race_model::matchers;
  s.matchers.policy.kind = scenario::pick::random;
  s.matchers.view = scenario::view::blind;
  s.matchers.tries = scenario::try_unit::acquire;
  s.matchers.offers.max = race_model::tries_max;
  s.matchers.offers.total_wait = forever;
  s.matchers.look_again.reset();
  s.matchers.reply_timeout = forever;
  s.lease.ttl = race_model::ttl;
  s.lease.protocol = lease::protocol::lease;
  s.lease.commit = scenario::commit_at::manager;
  s.lease.confirm_by = scenario::confirmer::driver;
  const auto hop = [&s](node_kind from, node_kind to) {
    scenario::link_options link;
    link.from = {from, {}};
    link.to = {to, {}};
    link.latency = exponential_duration{race_model::hop_mean};
    s.network.push_back(link);
  };
  hop(node_kind::rider, node_kind::matcher);
  hop(node_kind::matcher, node_kind::lease_manager);
  hop(node_kind::lease_manager, node_kind::matcher);
  hop(node_kind::matcher, node_kind::driver);
  hop(node_kind::driver, node_kind::lease_manager);
  return s;
}

}  // namespace dibs::bench
