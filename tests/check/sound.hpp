/// A small town with a design that does everything right, and what flaws are planted into.
#pragma once

#include "catch.hpp"
#include "check/check.hpp"
#include "check/transplant.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace dibs::check::test {

inline constexpr const char* sound_town = R"(
version: 1
name: sound
seed: 7
clock: {warmup: 2m, duration: 20m, drain: 5m}
world: {bounds: {south: 40.70, west: -74.02, north: 40.76, east: -73.95}, trip: {dist: exponential, mean: 3m}}
demand: [{kind: poisson, rate: 0.5/s}]
riders: {patience: {share: 50%, after: {dist: exponential, mean: 2m}}, no_show_after: 2m}
drivers:
  count: 220
  placement: uniform
  classes:
    - {name: prompt, share: 0.7, response: {dist: lognormal, median: 4s, sigma: 0.5}, accept: 0.85, ignore: 0.05}
    - {name: choosy, share: 0.3, response: {dist: lognormal, median: 6s, sigma: 0.5}, accept: 0.55, ignore: 0.2}
matchers:
  count: 3
  policy: {kind: nearest, candidates: 8, radius: 3km}
  view_lag: 500ms
  offers: {max: 6, total_wait: 90s, cooldown_after_decline: 10m}
lease: {protocol: fenced, ttl: 20s, offer_window: 17s, standby: {after: 2s, heartbeat: 500ms}}
network:
  - {link: matcher->driver, latency: 100ms}
  - {link: driver->matcher, latency: 100ms, loss: 1%, retry: {after: 1s, max: 3}}
  - {link: matcher<->lease_manager, latency: 2ms, retry: {after: 300ms, max: 5}}
  - {link: matcher<->ledger, latency: 3ms, retry: {after: 300ms, max: 5}}
)";

/// With `path=value` on top.
inline scenario::scenario town(const std::vector<std::string>& set = {}) {
  std::vector<scenario::override_value> overrides;
  std::ranges::transform(set, std::back_inserter(overrides), &scenario::override_of);
  auto read = scenario::read_text(sound_town, "sound", ".", overrides);
  for (const scenario::diagnostic& d : read.diagnostics) {
    UNSCOPED_INFO(scenario::format(d));
  }
  REQUIRE(read.ok());
  return std::move(read.value);
}

inline const std::filesystem::path incidents_folder =
    std::filesystem::path(DIBS_SOURCE_DIR) / "scenarios" / "incidents";

/// `name`: of its file, without ".yaml".
inline cause shipped(const std::string& name) {
  const auto read = incidents::read_incident(incidents_folder / (name + ".yaml"));
  REQUIRE(read.diagnostics.empty());
  return cause_of(read.value);
}

}  // namespace dibs::check::test
