/// Goal: a kept run can be run again from the scenario that it keeps.
/// Method: run every scenario that ships from its file, and from its own dump; the histories are
/// the same, event for event. Of what is said to be 0 in any run, nothing is seen.
#include "catch.hpp"
#include "engine/run.hpp"
#include "metrics/catalogue.hpp"
#include "scenario/read.hpp"
#include "scenario/warnings.hpp"

#include <algorithm>
#include <filesystem>
#include <vector>

using namespace dibs;

namespace {

std::vector<std::filesystem::path> shipped() {
  const std::filesystem::path folder = std::filesystem::path(DIBS_SOURCE_DIR) / "scenarios";
  std::vector<std::filesystem::path> all;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".yaml") {
      all.push_back(entry.path());
    }
  }
  std::sort(all.begin(), all.end());
  return all;
}

}  // namespace

TEST_CASE("every shipped scenario is the same run from its own dump", "[slow]") {
  REQUIRE(shipped().size() > 30);
  for (const std::filesystem::path& file : shipped()) {
    INFO(file.string());
    const scenario::reading written = scenario::read_file(file);
    REQUIRE(written.ok());
    const scenario::reading dumped =
        scenario::read_text(scenario::dump(written.value), "its dump", written.value.folder);
    REQUIRE(dumped.ok());
    const auto one = engine::run(written.value, {.seed = written.value.seed});
    const auto other = engine::run(dumped.value, {.seed = dumped.value.seed});
    REQUIRE(one);
    REQUIRE(other);
    CHECK(one->history == other->history);
    for (const metrics::entry& each : metrics::catalogue()) {
      const std::string name = each.is_family() ? each.with("max") : std::string(each.name);
      INFO(name);
      CHECK(
          (!scenario::why_zero(written.value, name) || one->metrics.value(name).value_or(0) == 0));
    }
  }
}
