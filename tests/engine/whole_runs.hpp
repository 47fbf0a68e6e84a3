/// Whole runs of small scenarios, and what was recorded in them.
#pragma once

#include "catch.hpp"
#include "engine/run.hpp"

#include <span>
#include <string>
#include <utility>
#include <vector>

namespace dibs::test {

/// Everything that was recorded, for questions that no metric answers.
struct history {
  template <class Fact>
  [[nodiscard]] std::vector<std::pair<sim_time, Fact>> facts() const {
    std::vector<std::pair<sim_time, Fact>> found;
    for (const events::event& e : all) {
      if (const auto* f = std::get_if<Fact>(&e.what)) {
        found.emplace_back(e.t, *f);
      }
    }
    return found;
  }

  template <class Fact, class Fits>
  [[nodiscard]] int count(const Fits& fits) const {
    int n = 0;
    for (const events::event& e : all) {
      const auto* f = std::get_if<Fact>(&e.what);
      n += f != nullptr && fits(*f, e.t) ? 1 : 0;
    }
    return n;
  }
  template <class Fact>
  [[nodiscard]] int count() const {
    return count<Fact>([](const Fact&, sim_time) { return true; });
  }

  std::vector<events::event> all;
};

class keeper final : public events::observer, public history {
 public:
  void observe(std::span<const events::event> batch) override {
    all.insert(all.end(), batch.begin(), batch.end());
  }
};

/// A run of which nothing is asked but that it comes to its end.
inline engine::run_result result_of(const scenario::scenario& s,
                                    const engine::run_options& how = {}) {
  const auto result = engine::run(s, how);
  REQUIRE(result);
  return *result;
}

/// A run in which every promise is kept.
inline engine::run_result run_of(const scenario::scenario& s,
                                 std::vector<events::observer*> observers = {},
                                 engine::delivery how = engine::delivery::direct) {
  const auto result =
      engine::run(s, {.seed = 1, .delivery = how, .observers = std::move(observers)});
  REQUIRE(result);
  for (const auto& v : result->checks.violations) {
    UNSCOPED_INFO(lease::code_of(v.broken) << " " << v.what);
  }
  CHECK(result->checks.kept());
  return *result;
}

inline double value_of(const engine::run_result& r, std::string_view metric) {
  const auto value = r.metrics.value(metric);
  INFO(metric);
  REQUIRE(value);
  return *value;
}

/// Drivers who take 12 s to answer, leases of 4 s.
inline scenario::scenario slow_answers() {
  scenario::scenario s;
  s.name = "slow-answers";
  s.clock.duration = 20min;
  s.world.geography = scenario::geography::none;
  s.world.trip = exponential_duration{1min};
  s.demand = {scenario::poisson_demand{.rate_per_s = 0.5, .from = {}, .until = {}}};
  s.drivers.count = 400;
  s.drivers.classes = {{.name = "all", .response = constant_duration{12s}}};
  s.matchers.count = 3;
  s.matchers.policy.kind = scenario::pick::random;
  s.lease.ttl = 4s;
  s.lease.offer_window = 20s;
  s.lease.renewal.kind = lease::renewal::eager;
  return s;
}

inline scenario::link_options link(node_kind from, node_kind to) {
  scenario::link_options l;
  l.from = {from, {}};
  l.to = {to, {}};
  l.both_ways = true;
  return l;
}

inline scenario::fault crash(std::string id, node_kind kind, std::uint32_t index, sim_duration at) {
  return {std::move(id), scenario::crash_fault{{kind, index}, at, 0, sim_duration{60s}, {}}};
}

}  // namespace dibs::test
