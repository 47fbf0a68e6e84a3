#include "catch.hpp"
#include "hunt/chase.hpp"
#include "hunt/hazards.hpp"
#include "scenario/read.hpp"

#include <cmath>
#include <map>
#include <set>

using namespace dibs;

namespace {

const std::string ground = DIBS_SOURCE_DIR "/scenarios/hunt.yaml";

hunt::bag chased(std::uint32_t runs,
                 std::uint32_t jobs,
                 const std::vector<scenario::override_value>& set = {}) {
  hunt::chase_options how;
  how.file = ground;
  how.runs = runs;
  how.jobs = jobs;
  how.overrides = set;
  const auto found = hunt::chase(how);
  if (!found) {
    FAIL(found.error().text);
  }
  for (const hunt::quarry& q : found->first) {
    UNSCOPED_INFO("run " << q.number << ": " << q.broken.front());
  }
  return *found;
}

}  // namespace

TEST_CASE("hunt: each fault is drawn with probability one half, whatever the others are") {
  constexpr std::uint32_t n = 2000;
  std::map<std::string_view, int> drawn;
  std::set<std::vector<std::string_view>> mixtures;
  for (std::uint32_t k = 0; k < n; ++k) {
    const auto draft = hunt::draft_of(1, k);
    mixtures.insert(draft.hazards);
    for (const std::string_view name : draft.hazards) {
      ++drawn[name];
    }
  }
  CHECK(drawn.size() == hunt::hazard_names().size());
  CHECK(mixtures.size() == n);
  for (const auto& [name, times] : drawn) {
    INFO(name);
    CHECK(std::abs(times - n / 2.0) < 4.5 * std::sqrt(n) / 2);
  }
}

TEST_CASE("hunt: whatever is drawn is a scenario, and the same number draws it again") {
  for (std::uint32_t k = 0; k < 400; ++k) {
    const auto draft = hunt::draft_of(7, k);
    const auto again = hunt::draft_of(7, k);
    const auto read = scenario::read_file(ground, draft.overrides);
    for (const scenario::complaint& c : read.complaints) {
      UNSCOPED_INFO(scenario::format(c));
    }
    REQUIRE(read.ok());
    REQUIRE(draft.overrides.size() == again.overrides.size());
    for (std::size_t i = 0; i < draft.overrides.size(); ++i) {
      CHECK(draft.overrides[i].value == again.overrides[i].value);
    }
  }
}

TEST_CASE("hunt: nothing breaks what `fenced` promises, and the number of jobs changes nothing") {
  const auto one = chased(120, 1);
  const auto two = chased(120, 2);
  CHECK(one.broken == 0);
  CHECK(one.runs == 120);
  CHECK(one.events == two.events);
  CHECK(one.leases == two.leases);
}

TEST_CASE("hunt: without what the promises rest on there is harm") {
  for (const hunt::control& c : hunt::controls()) {
    INFO(c.name);
    CHECK(chased(60, 2, c.overrides).harmed > 0);
  }
}
