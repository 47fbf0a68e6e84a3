/// A scenario that is over in a moment, and what the tests of studies do with it.
#pragma once

#include "catch.hpp"
#include "results/samples.hpp"
#include "sweep/plan.hpp"

#include <fstream>
#include <string>
#include <utility>
#include <vector>

namespace dibs::sweep::test {

inline constexpr const char* small_text = R"(version: 1
name: small
seed: 42
clock: {warmup: 10s, duration: 60s, drain: 30s}
world: {geography: none, trip: {dist: exponential, mean: 30s}}
demand:
  - {kind: poisson, rate: 0.5/s}
drivers:
  count: 20
  classes:
    - {name: all, share: 1, response: {dist: exponential, mean: 6s}, accept: 0.7, ignore: 0.1}
matchers: {count: 2, policy: {kind: random}, view_lag: 1s}
lease: {protocol: fenced, ttl: 15s}
network:
  - {link: matcher->driver, latency: {dist: constant, value: 200ms}}
clocks:
  - {id: drifting, node: matcher/2, offset: 0s}
)";

/// The scenario as a file in a folder of the test's own.
inline std::filesystem::path small_file(const results::scratch& in,
                                        const std::string& name = "small.yaml",
                                        const std::string& text = small_text) {
  std::ofstream(in.path() / name, std::ios::binary | std::ios::trunc) << text;
  return in.path() / name;
}

inline axis axis_from(const std::string& text) {
  auto a = parse_axis(text);
  INFO((a ? "" : a.error().text));
  REQUIRE(a);
  return *a;
}

inline grid_spec grid_of(const std::vector<std::string>& axes) {
  grid_spec d;
  for (const std::string& text : axes) {
    d.grid.push_back(axis_from(text));
  }
  return d;
}

inline sweep_request request_for(const std::filesystem::path& file,
                                 const std::vector<std::string>& axes,
                                 std::uint32_t seeds) {
  sweep_request r;
  r.file = file;
  r.design = grid_of(axes);
  r.seeds = seeds;
  return r;
}

inline plan plan_of(const sweep_request& r) {
  auto p = make_plan(r);
  INFO((p ? "" : p.error().why.text));
  REQUIRE(p);
  return std::move(*p);
}

inline const results::build_info this_build{"0.1.0", "g++", "RelWithDebInfo", "feed"};

}  // namespace dibs::sweep::test
