/// A scenario that is over in a moment, to explore from.
#pragma once

#include "explore/place.hpp"
#include "sweep/small.hpp"

#include <string>
#include <vector>

namespace dibs::explore::test {

struct small_start {
  results::scratch folder;
  explored_scenario scenario;

  small_start() : small_start(changes{}) {}
  small_start(const std::string& path, const std::string& value)
      : small_start(changes{{path, value}}) {}
  explicit small_start(changes set)
      : scenario(sweep::test::small_file(folder), std::move(set), {}) {
    REQUIRE(scenario.ok());
  }

  [[nodiscard]] slider moving(const std::string& typed) const {
    auto made = slider_of(typed, scenario);
    INFO((made ? "" : made.error().text));
    REQUIRE(made);
    return *made;
  }

  [[nodiscard]] std::string complaint(const std::string& typed) const {
    const auto made = slider_of(typed, scenario);
    REQUIRE_FALSE(made);
    CHECK(made.error().code == exit_code::usage);
    return made.error().text;
  }
};

}  // namespace dibs::explore::test
