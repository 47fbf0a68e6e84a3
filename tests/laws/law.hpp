/// Laws are scenarios under tests/laws, run through the actors with fixed seeds. A law holds if it
/// is met within 3.2905 standard errors (99.9 %).
#pragma once

#include "catch.hpp"
#include "engine/run.hpp"
#include "scenario/read.hpp"

#include <cmath>
#include <string>
#include <vector>

namespace dibs::test {

inline constexpr double sigmas = 3.2905;

/// `set` are `path=value`, as for `--set`.
inline engine::run_result run_law(const std::string& name,
                                  std::vector<events::observer*> observers = {},
                                  const std::vector<scenario::override_value>& set = {}) {
  const auto read =
      scenario::read_file(std::string(DIBS_SOURCE_DIR) + "/tests/laws/" + name + ".yaml", set);
  for (const auto& c : read.diagnostics) {
    UNSCOPED_INFO(scenario::format(c));
  }
  REQUIRE(read.ok());
  const auto result =
      engine::run(read.value, {.seed = read.value.seed, .observers = std::move(observers)});
  REQUIRE(result);
  CHECK(result->checks.kept());
  return *result;
}

inline double value_of(const engine::run_result& r, std::string_view metric) {
  const auto value = r.metrics.value(metric);
  INFO(metric);
  REQUIRE(value);
  return *value;
}

/// `sd` is that of one sample.
inline void check_law(
    double measured, double predicted, double sd, double samples, double samples_wanted) {
  CAPTURE(measured, predicted, samples);
  CHECK(samples >= samples_wanted);
  CHECK(std::abs(measured - predicted) <= sigmas * sd / std::sqrt(samples));
}

inline double sd_of_share(double p) { return std::sqrt(p * (1 - p)); }

}  // namespace dibs::test
