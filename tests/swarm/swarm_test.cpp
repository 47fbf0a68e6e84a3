#include "catch.hpp"
#include "scenario/read.hpp"
#include "swarm/fault_mixture.hpp"
#include "swarm/negative_controls.hpp"
#include "swarm/swarm_run.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

using namespace dibs;

namespace {

const std::string ground = DIBS_SOURCE_DIR "/scenarios/hunt.yaml";

swarm::swarm_result chased(std::uint32_t runs,
                           std::uint32_t jobs,
                           const std::vector<scenario::override_value>& set = {}) {
  swarm::chase_options how;
  how.file = ground;
  how.runs = runs;
  how.jobs = jobs;
  how.overrides = set;
  const auto found = swarm::run_swarm(how);
  if (!found) {
    FAIL(found.error().text);
  }
  for (const swarm::broken_run& q : found->first) {
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
    const auto mixture = swarm::draft_of(1, k);
    mixtures.insert(mixture.hazards);
    for (const std::string_view name : mixture.hazards) {
      ++drawn[name];
    }
  }
  CHECK(drawn.size() == swarm::hazard_names().size());
  CHECK(mixtures.size() == n);
  for (const auto& [name, times] : drawn) {
    INFO(name);
    CHECK(std::abs(times - n / 2.0) < 4.5 * std::sqrt(n) / 2);
  }
}

TEST_CASE("hunt: zones of both kinds and graces of either sign are among what is drawn") {
  const auto drawn = [](std::string_view path, std::string_view part) {
    for (std::uint32_t k = 0; k < 100; ++k) {
      for (const auto& o : swarm::draft_of(1, k).overrides) {
        if (o.path == path && o.value.find(part) != std::string::npos) {
          return true;
        }
      }
    }
    return false;
  };
  CHECK(drawn("lease.zones", "mode: read"));
  CHECK(drawn("lease.zones", "mode: write, readers: 2"));
  CHECK(drawn("lease.grace", "-"));
}

TEST_CASE("hunt: with few faults a run every promise is judged, and all are kept") {
  // What it found: a matcher that gave back what it was about to write, at a late copy of the yes
  // to its confirm; copies of a trip's words, and late words of an older trip, that made the
  // manager forget the next trip.
  for (const std::string_view protocol : {"fenced", "lease", "none", "idempotent"}) {
    INFO(protocol);
    swarm::chase_options how;
    how.file = ground;
    how.runs = 250;
    how.jobs = 2;
    how.chance = 0.07;
    how.overrides = {{"lease.protocol", std::string(protocol)}};
    const auto found = swarm::run_swarm(how);
    REQUIRE(found);
    for (const swarm::broken_run& q : found->first) {
      UNSCOPED_INFO("run " << q.number << ": " << q.broken.front());
    }
    CHECK(found->broken == 0);
    if (protocol == "fenced") {
      CHECK(std::all_of(found->judged.begin(), found->judged.end(), [](std::uint32_t runs) {
        return runs > 20;
      }));
    }
  }
}

TEST_CASE("hunt: whatever is drawn is a scenario, and the same number draws it again") {
  for (std::uint32_t k = 0; k < 400; ++k) {
    const auto mixture = swarm::draft_of(7, k);
    const auto again = swarm::draft_of(7, k);
    const auto read = scenario::read_file(ground, mixture.overrides);
    for (const scenario::diagnostic& c : read.diagnostics) {
      UNSCOPED_INFO(scenario::format(c));
    }
    REQUIRE(read.ok());
    REQUIRE(mixture.overrides.size() == again.overrides.size());
    for (std::size_t i = 0; i < mixture.overrides.size(); ++i) {
      CHECK(mixture.overrides[i].value == again.overrides[i].value);
    }
  }
}

TEST_CASE("hunt: draws of one draft have an order of their own, not the compiler's") {
  const auto drawn = swarm::draft_of(1, 0, swarm::hazard_names(), 0);
  const auto value_of = [&](std::string_view path) {
    const auto found = std::find_if(drawn.overrides.begin(),
                                    drawn.overrides.end(),
                                    [&](const auto& o) { return o.path == path; });
    REQUIRE(found != drawn.overrides.end());
    return found->value;
  };
  CHECK(value_of("lease.renewal") ==
        "{kind: lazy, stagger: 1ms, timeout: 840ms, retry: 531ms, numbered: no, on_loss: carry-on, "
        "thread: own, then: again}");
  CHECK(value_of("lease.zones") == "{grid: 1, ttl: 28917ms, renew_at: 45%, mode: read}");
  CHECK(
      value_of("faults").starts_with("[{kind: partition, between: [ledger, matcher/*], "
                                     "at: 54383ms, for: 54807ms, direction: forth, loss: 37%}"));
}

TEST_CASE("hunt: nothing breaks what `fenced` promises, and the number of jobs changes nothing") {
  const auto one = chased(120, 1);
  const auto two = chased(120, 2);
  CHECK(one.broken == 0);
  CHECK(one.runs == 120);
  CHECK(one.events == two.events);
  CHECK(one.leases == two.leases);
}

TEST_CASE("hunt: guided, the number of jobs changes nothing, and other runs come than blindly") {
  swarm::chase_options how;
  how.file = ground;
  how.runs = 100;
  how.overrides = {{"lease.protocol", "none"}};
  const auto blind = swarm::run_swarm(how);
  how.guided = true;
  const auto one = swarm::run_swarm(how);
  how.jobs = 2;
  const auto two = swarm::run_swarm(how);
  REQUIRE((blind && one && two));
  CHECK(one->harm == two->harm);
  CHECK(one->events == two->events);
  CHECK(one->harm != blind->harm);
  // Before anything is known they are the same.
  for (std::uint32_t k = 0; k < swarm::batch_runs; ++k) {
    CHECK(one->harm.at(k) == blind->harm.at(k));
  }
}

TEST_CASE("hunt: without what the promises rest on there is more harm than with it", "[slow]") {
  swarm::chase_options how;
  how.file = ground;
  how.runs = 1000;
  how.jobs = 2;
  for (const swarm::negative_control& c : swarm::controls()) {
    INFO(c.name);
    const auto found = swarm::try_control(c, how);
    REQUIRE(found);
    CHECK(found->shows_harm);
    CHECK(found->worse > found->better);
  }
}

TEST_CASE("hunt: a control that takes nothing away shows no harm") {
  swarm::negative_control idle = swarm::controls().back();
  idle.both = idle.taken;
  swarm::chase_options how;
  how.file = ground;
  how.runs = 200;
  how.jobs = 2;
  const auto found = swarm::try_control(idle, how);
  REQUIRE(found);
  CHECK(found->harmed > 50);
  CHECK(found->harmed == found->harmed_without);
  CHECK(found->runs == 200);
  CHECK(found->worse + found->better == 0);
  CHECK_FALSE(found->shows_harm);
}

TEST_CASE("hunt: a hazard that is always there is the one that would have been drawn") {
  const std::vector<std::string_view> all = swarm::hazard_names();
  CHECK(swarm::draft_of(1, 3, {}, 1e-9).hazards.empty());
  for (std::uint32_t k = 0; k < 50; ++k) {
    const auto drawn = swarm::draft_of(1, k);
    CHECK(swarm::draft_of(1, k, all).hazards == all);
    CHECK(swarm::draft_of(1, k, drawn.hazards).overrides.back().value ==
          drawn.overrides.back().value);
  }
}

TEST_CASE("hunt: heads that are as rare as coins say") {
  CHECK(swarm::binomial_tail(0, 0) == 1);
  CHECK(std::abs(swarm::binomial_tail(0, 9) - 1) < 1e-12);
  CHECK(std::abs(swarm::binomial_tail(10, 10) - 1.0 / 1024) < 1e-12);
  CHECK(std::abs(swarm::binomial_tail(2, 3) - 0.5) < 1e-12);
}
