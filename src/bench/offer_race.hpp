/// The offer race (see `bare_loop.hpp`) as a scenario for the engine.
#pragma once

#include "scenario/scenario.hpp"

#include <cstdint>

namespace dibs::bench {

[[nodiscard]] inline scenario::scenario offer_race(std::uint32_t drivers, double hours) {
  scenario::scenario s;
  s.name = "offer-race";
  s.clock.duration = sim_duration{static_cast<std::int64_t>(hours * 3600e9)};
  s.clock.drain = {};
  s.world.geography = scenario::geography::none;
  s.world.trip = constant_duration{600s};
  s.demand = {scenario::poisson_demand{.rate_per_s = 0.00132 * drivers, .from = {}, .until = {}}};
  s.riders.ask_again.reset();
  s.drivers.count = drivers;
  s.drivers.late_answer = scenario::late_answer::sent;
  s.drivers.classes = {{.name = "all",
                        .share = 1,
                        .response = lognormal_duration{6s, 0.8},
                        .accept = 0.7,
                        .ignore = 0}};
  s.matchers.count = 10;
  s.matchers.policy.kind = scenario::pick::random;
  s.matchers.view = scenario::view::blind;
  s.matchers.tries = scenario::try_unit::acquire;
  s.matchers.offers.max = 5;
  s.matchers.offers.total_wait = forever;
  s.matchers.look_again.reset();
  s.matchers.reply_timeout = forever;
  s.lease.protocol = lease::protocol::lease;
  s.lease.commit = scenario::commit_at::manager;
  s.lease.confirm_by = scenario::confirmer::driver;
  const auto hop = [&s](node_kind from, node_kind to) {
    scenario::link_options link;
    link.from = {from, {}};
    link.to = {to, {}};
    link.latency = exponential_duration{50ms};
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
