/// Runs a scenario of scenarios/designs, with its cause or without, and keeps all that happened.
///
/// The promises that the run's protocol makes are checked each time.
#pragma once

#include "catch.hpp"
#include "engine/run.hpp"
#include "events/facts.hpp"
#include "events/observer.hpp"
#include "scenario/read.hpp"

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace dibs::designs {

class recorder final : public events::observer {
 public:
  void observe(std::span<const events::event> batch) override {
    all.insert(all.end(), batch.begin(), batch.end());
  }

  std::vector<events::event> all;
};

/// A run, and all that happened in it.
struct design {
  engine::run_result result;
  std::vector<events::event> facts;

  /// Calls `hear(fact, when)` for the facts of a kind.
  template <class Fact, class Hear>
  void each(const Hear& hear) const {
    for (const events::event& e : facts) {
      if (const auto* f = std::get_if<Fact>(&e.what)) {
        hear(*f, e.t);
      }
    }
  }
  [[nodiscard]] double value(std::string_view metric) const {
    const auto v = result.metrics.value(metric);
    INFO(metric);
    REQUIRE(v);
    return *v;
  }
};

inline scenario::scenario read_design(const std::string& name,
                                      const std::vector<scenario::override_value>& set) {
  const auto read = scenario::read_file(
      std::string(DIBS_SOURCE_DIR) + "/scenarios/designs/" + name + ".yaml", set);
  for (const auto& c : read.diagnostics) {
    UNSCOPED_INFO(scenario::format(c));
  }
  REQUIRE(read.ok());
  return read.value;
}

inline design run_with(const std::string& name,
                       const std::vector<scenario::override_value>& set = {}) {
  recorder facts;
  const auto s = read_design(name, set);
  const auto result = engine::run(s, {.seed = s.seed, .observers = {&facts}});
  REQUIRE(result);
  for (const auto& broken : result->checks.violations) {
    UNSCOPED_INFO(broken.what);
  }
  CHECK(result->checks.kept());
  return {*result, std::move(facts.all)};
}

inline design run_without(const std::string& name) {
  std::vector<scenario::override_value> set;
  for (const std::string& change : read_design(name, {}).incident.without) {
    set.push_back(scenario::override_of(change));
  }
  REQUIRE_FALSE(set.empty());
  return run_with(name, set);
}

}  // namespace dibs::designs
