#include "shrink/shrink.hpp"

#include "catch.hpp"
#include "has.hpp"
#include "scenario/read.hpp"
#include "scenario/written_tree.hpp"

#include <algorithm>
#include <functional>
#include <string>
#include <variant>

using namespace dibs;
using scenario::node;
using test::has;

namespace {

const char* const crowd = R"(
version: 1
question: What is it that it takes?
clock: {warmup: 30s, duration: 2min, drain: 3min}
world: {geography: none, trip: {dist: exponential, mean: 20s}}
demand: [{kind: poisson, rate: 0.5/s}]
riders: {patience: {share: 30%, after: {dist: exponential, mean: 40s}}}
drivers:
  count: 12
  classes:
    - {name: prompt, share: 0.7, response: {dist: lognormal, median: 3s, sigma: 0.6}, accept: 0.85}
    - {name: choosy, share: 0.3, response: 7s, accept: 0.55, ignore: 0.2}
matchers: {count: 4, view_lag: 317ms}
lease: {protocol: fenced, ttl: 10s, grace: 1234ms}
network: [{link: matcher->driver, latency: 20ms, loss: 7%}]
clocks: [{node: matcher/*, offset: {dist: normal, mean: 0s, sd: 812ms}}]
faults:
  - {kind: pause, node: matcher/3, at: 41s, for: 17s}
  - {kind: crash, node: driver/*, rate: 100/h, restart_after: 3s}
  - {kind: drop, when: {message: confirm, every: 9}}
)";

/// What the tests call harm: some property of the scenario as it is read.
using property = std::function<bool(const scenario::scenario&)>;

struct laboratory {
  property harm;
  std::uint64_t harmful_seed = 1;  ///< 0: all of them
  std::uint64_t stops_after = UINT64_MAX;
  std::uint64_t runs = 0;

  std::optional<shrink::sighting> look(const node& root, std::uint64_t seed, std::uint64_t) {
    if (++runs > stops_after) {
      return std::nullopt;
    }
    const auto read = scenario::read_text(scenario::readable_yaml(root), "candidate", ".");
    shrink::sighting seen;
    seen.seed = seed;
    seen.harmful = read.ok() && harm(read.value) && (harmful_seed == 0 || harmful_seed == seed);
    seen.events = 1000;
    seen.rides = 3;
    seen.at = sim_time{50s};
    seen.requests = {sim_time{5s}, sim_time{40s}, sim_time{45s}};
    seen.outages = {{true, "driver/4", sim_time{12s}}};
    return seen;
  }

  shrink::shrunk shrunk(std::uint64_t seed = 1) {
    const auto tree = scenario::written_in_text(crowd, "crowd");
    REQUIRE(tree.ok());
    const auto found =
        shrink::smallest(tree.root,
                         [this](const node& root, std::uint64_t s, std::uint64_t most) {
                           return look(root, s, most);
                         },
                         {.seed = seed});
    REQUIRE(found.has_value());
    return *found;
  }
};

std::string yaml_of(const shrink::shrunk& s) { return scenario::readable_yaml(s.root); }

}  // namespace

TEST_CASE("shrink: of a harm that any scenario does, only what must be given is left") {
  laboratory lab{[](const scenario::scenario&) { return true; }};
  CHECK(yaml_of(lab.shrunk()) ==
        "version: 1\n"
        "demand: [{kind: burst, at: 0s, rides: 1}]\n"
        "drivers: {count: 1, classes: [{name: prompt, response: 3s}]}\n");
}

TEST_CASE("shrink: what the harm takes stays, made plain") {
  laboratory lab{[](const scenario::scenario& s) {
    return s.matchers.count >= 2 && std::ranges::any_of(s.faults, [](const scenario::fault& f) {
             return std::holds_alternative<scenario::drop_fault>(f.what);
           });
  }};
  const std::string yaml = yaml_of(lab.shrunk());
  CHECK(has(yaml, "faults: [{kind: drop, when: {message: confirm}}]"));
  CHECK(has(yaml, "matchers: {count: 2}"));
  CHECK_FALSE(has(yaml, "clocks"));
  CHECK_FALSE(has(yaml, "network"));
  CHECK_FALSE(has(yaml, "question"));
}

TEST_CASE("shrink: a fault at random becomes one that struck, and keeps its length") {
  laboratory lab{[](const scenario::scenario& s) {
    return std::ranges::any_of(s.faults, [](const scenario::fault& f) {
      return std::holds_alternative<scenario::crash_fault>(f.what);
    });
  }};
  const std::string yaml = yaml_of(lab.shrunk());
  INFO(yaml);
  CHECK(has(yaml, "faults: [{kind: crash, node: driver/1, restart_after: 3s, at: 10s}]"));
}

TEST_CASE("shrink: a distribution becomes a constant, to one side of its mean if need be") {
  laboratory lab{[](const scenario::scenario& s) {
    const auto* constant =
        s.clocks.empty() ? nullptr : std::get_if<constant_duration>(&s.clocks[0].offset.shape);
    const auto* normal =
        s.clocks.empty() ? nullptr : std::get_if<normal_duration>(&s.clocks[0].offset.shape);
    return normal != nullptr || (constant != nullptr && constant->value < -100ms);
  }};
  CHECK(has(yaml_of(lab.shrunk()), "clocks: [{node: matcher/*, offset: -800ms}]"));
}

TEST_CASE("shrink: rides that came at random are named, and the first is at the beginning") {
  laboratory lab{[](const scenario::scenario& s) {
    std::uint32_t rides = 0;
    bool apart = false;
    for (const scenario::demand_source& d : s.demand) {
      const auto* burst = std::get_if<scenario::burst_demand>(&d);
      rides += burst == nullptr ? 99 : burst->rides;
      apart = apart || burst == nullptr || burst->at > sim_duration{};
    }
    return rides >= 2 && apart;
  }};
  CHECK(has(yaml_of(lab.shrunk()),
            "demand: [{kind: burst, at: 0s, rides: 1}, {kind: burst, at: 5s, rides: 1}]"));
}

TEST_CASE("shrink: it is said with which seed it does harm, unless that is the usual one") {
  const property two_matchers = [](const scenario::scenario& s) { return s.matchers.count >= 2; };
  laboratory lab{two_matchers, 7};
  const shrink::shrunk one = lab.shrunk(7);
  CHECK(has(yaml_of(one), "seed: 7"));
  CHECK(one.fresh_seeds == 20);
  CHECK(one.fresh_harmful == 1);
  laboratory any{two_matchers, 0};
  CHECK_FALSE(has(yaml_of(any.shrunk(7)), "seed"));
}

TEST_CASE("shrink: a scenario that does no harm is not made smaller") {
  const auto tree = scenario::written_in_text(crowd, "crowd");
  laboratory lab{[](const scenario::scenario&) { return false; }};
  CHECK_FALSE(shrink::smallest(tree.root,
                               [&](const node& root, std::uint64_t s, std::uint64_t most) {
                                 return lab.look(root, s, most);
                               },
                               {})
                  .has_value());
  CHECK(lab.runs == 1);
}

TEST_CASE("shrink: what does its harm on a fresh seed is taken as well") {
  // Without the loss another seed is needed: what is left out moves every random draw.
  const std::uint64_t other = 3;
  laboratory lab{[](const scenario::scenario&) { return true; }, 0};
  const auto tree = scenario::written_in_text(crowd, "crowd");
  REQUIRE(tree.ok());
  const auto found = shrink::smallest(
      tree.root,
      [&](const node& root, std::uint64_t seed, std::uint64_t most) {
        auto seen = lab.look(root, seed, most);
        const auto read = scenario::read_text(scenario::readable_yaml(root), "candidate", ".");
        seen->harmful = seen->harmful && seed == (read.value.network.empty() ? other : 1);
        return seen;
      },
      {.seed = 1});
  REQUIRE(found.has_value());
  CHECK(found->seen.seed == other);
  CHECK_FALSE(has(yaml_of(*found), "network:"));
}

namespace {

const char* const long_night = R"(
version: 1
clock: {warmup: 1min, duration: 20min, drain: 5min}
world: {geography: none, trip: 20s}
demand: [{kind: poisson, rate: 3/s}]
drivers: {count: 2000, classes: [{name: prompt, response: 3s}]}
matchers: {count: 4}
lease: {protocol: fenced}
faults:
  - {kind: pause, node: matcher/1, at: 2min, for: 5s}
  - {kind: crash, node: lease_manager, at: 6min, restart_after: 3s}
  - {kind: pause, node: matcher/2, at: 15min, for: 5s}
)";

/// Of a run of a scenario whose rides come at a rate or one by one, evenly: as many as it takes.
shrink::sighting evenly(const scenario::scenario& s, std::uint64_t seed) {
  shrink::sighting seen;
  seen.seed = seed;
  const sim_duration until = s.clock.warmup + s.clock.duration;
  for (const scenario::demand_source& d : s.demand) {
    if (const auto* burst = std::get_if<scenario::burst_demand>(&d)) {
      seen.requests.insert(seen.requests.end(), burst->rides, sim_time{burst->at});
    } else if (const auto* steady = std::get_if<scenario::poisson_demand>(&d)) {
      const auto apart = std::chrono::duration_cast<sim_duration>(
          std::chrono::duration<double>(1 / steady->rate_per_s));
      for (sim_time t{apart}; t < sim_time{until}; t += apart) {
        seen.requests.push_back(t);
      }
    }
  }
  seen.rides = seen.requests.size();
  seen.events = 100 * seen.rides + s.drivers.count;
  return seen;
}

bool has_crash_within(const scenario::scenario& s) {
  return std::ranges::any_of(s.faults, [&](const scenario::fault& f) {
    const auto* crash = std::get_if<scenario::crash_fault>(&f.what);
    return crash != nullptr && crash->at && *crash->at < s.clock.warmup + s.clock.duration;
  });
}

}  // namespace

TEST_CASE("shrink: a fault late in a long run with a crowd of rides becomes one early for two") {
  const auto tree = scenario::written_in_text(long_night, "long night");
  REQUIRE(tree.ok());
  std::uint64_t events = 0;
  const auto found = shrink::smallest(
      tree.root,
      [&](const node& root, std::uint64_t seed, std::uint64_t) {
        const auto read = scenario::read_text(scenario::readable_yaml(root), "candidate", ".");
        shrink::sighting seen;
        if (read.ok()) {
          seen = evenly(read.value, seed);
          seen.harmful = has_crash_within(read.value) && seen.rides >= 2;
        }
        events += seen.events;
        return std::optional(seen);
      },
      {.seed = 1});
  REQUIRE(found.has_value());
  const std::string yaml = yaml_of(*found);
  INFO(yaml);
  CHECK(found->seen.rides == 2);
  CHECK(has(yaml, "drivers: {count: 1,"));
  CHECK(has(yaml, "at: 0s, restart_after: 3s}]"));
  CHECK_FALSE(has(yaml, "poisson"));
  CHECK_FALSE(has(yaml, "pause"));
  // As many as a few dozen runs of the scenario as it is.
  CHECK(events < 20'000'000);
}

TEST_CASE("shrink: stopped, it has the smallest so far") {
  const property needs_drop = [](const scenario::scenario& s) { return !s.faults.empty(); };
  laboratory whole{needs_drop};
  const shrink::shrunk all = whole.shrunk();
  laboratory part{needs_drop, 1, 12};
  const shrink::shrunk some = part.shrunk();
  CHECK(some.was_stopped);
  CHECK_FALSE(all.was_stopped);
  CHECK(yaml_of(some).size() > yaml_of(all).size());
  CHECK(yaml_of(some).size() < std::string(crowd).size());
}

TEST_CASE("shrink: the same harm leads to the same scenario, in as many runs") {
  const property needs = [](const scenario::scenario& s) { return s.faults.size() >= 2; };
  laboratory one{needs};
  laboratory other{needs};
  CHECK(yaml_of(one.shrunk()) == yaml_of(other.shrunk()));
  CHECK(one.runs == other.runs);
}

TEST_CASE("written tree: readable YAML reads back to an equal scenario, sections on one line") {
  const auto tree = scenario::written_in_text(crowd, "crowd", {{"lease.ttl", "12s"}});
  REQUIRE(tree.ok());
  const std::string yaml = scenario::readable_yaml(tree.root);
  CHECK(has(yaml, "lease: {protocol: fenced, ttl: 12s, grace: 1234ms}\n"));
  const auto before = scenario::read_text(crowd, "crowd", ".", {{"lease.ttl", "12s"}});
  const auto after = scenario::read_text(yaml, "crowd", ".");
  REQUIRE(before.ok());
  REQUIRE(after.ok());
  CHECK(scenario::dump(before.value) == scenario::dump(after.value));
}
