// Goal: draws below 0 count as 0 wherever a duration is drawn.
// Method: the fields that take a distribution of durations, as the table of fields names them, each
// with a bell curve half of which lies below 0, in a run in which it is drawn from.

#include "catch.hpp"
#include "engine/run.hpp"
#include "scenario/fields.hpp"
#include "scenario/read.hpp"

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace {

using namespace dibs;

const std::string bell = "{dist: normal, mean: 1s, sd: 60s}";

/// What makes a run draw from each field, by its path in the table: entries of lists have no
/// number.
std::map<std::string, std::vector<std::string>> ways_to_draw() {
  const auto fault = [](const std::string& text) {
    return std::vector<std::string>{"faults=[" + text + "]"};
  };
  const std::string both = "at: 2m, for: 10m, between: [matcher/*, driver/*]";
  return {
      {"world.trip", {"world.trip=" + bell}},
      {"riders.patience.after", {"riders.patience={share: 60%, after: " + bell + "}"}},
      {"riders.cancel_after_match.after",
       {"riders.cancel_after_match={share: 60%, after: " + bell + "}"}},
      {"riders.confirm.after", {"riders.confirm={within: 100s, after: " + bell + "}"}},
      {"drivers.drop_out.after", {"drivers.drop_out={share: 50%, after: " + bell + "}"}},
      {"drivers.drop_out.back_after",
       {"drivers.drop_out={share: 50%, after: 1s, back_after: " + bell + "}"}},
      {"drivers.shifts", {"drivers.shifts=" + bell}},
      {"drivers.classes.response", {"drivers.classes.prompt.response=" + bell}},
      {"matchers.offers.next_try_after", {"matchers.offers.next_try_after=" + bell}},
      {"lease.transaction", {"lease.transaction=" + bell, "lease.judge=both"}},
      {"network.latency", {"network.1.latency=" + bell}},
      {"network.reorder.by", {"network.1.reorder={share: 50%, by: " + bell + "}"}},
      {"faults.plus", fault("{kind: slow, " + both + ", plus: " + bell + "}")},
      {"faults.by", fault("{kind: delay, when: {message: offer}, by: " + bell + "}")},
      {"faults.after", fault("{kind: duplicate, when: {message: offer}, after: " + bell + "}")},
  };
}

/// The paths of all fields below a shape that hold a distribution of durations.
void collect(const scenario::field_description& about,
             const std::string& path,
             std::set<std::string>& into) {
  if (about.name == "delay" || about.name == "distribution") {
    into.insert(path);
    return;
  }
  const auto below = [&](const std::vector<scenario::member_description>& members) {
    for (const scenario::member_description& m : members) {
      collect(*m.value, (path.empty() ? "" : path + ".") + m.key, into);
    }
  };
  below(about.members);
  for (const scenario::alternative_shape& a : about.alternatives) {
    below(a.members);
  }
  if (about.element != nullptr) {
    collect(*about.element, path, into);
  }
}

result<engine::run_result> run_with(const std::vector<std::string>& overrides) {
  std::vector<scenario::override_value> set;
  for (const std::string& text : overrides) {
    set.push_back(scenario::override_of(text));
  }
  const auto reading = scenario::read_file(
      std::filesystem::path(DIBS_SOURCE_DIR) / "tests/engine/normal_patience.yaml", set);
  for (const scenario::diagnostic& c : reading.diagnostics) {
    FAIL_CHECK(scenario::format(c));
  }
  return engine::run(reading.value, {.seed = reading.value.seed});
}

TEST_CASE("draws: a rider's patience below 0 is none", "[draws]") {
  const auto run = run_with({});
  REQUIRE(run);
  CHECK(run->checks.kept());
  // Of the 60 % who leave unmatched, by a bell curve around a minute with a deviation of another,
  // 16 % do so at once.
  const auto none = run_with({"riders.patience={share: 60%, after: 0s}"});
  REQUIRE(none);
  CHECK(none->history != run->history);
}

TEST_CASE("draws: every field that takes durations takes a bell curve", "[draws]") {
  std::set<std::string> fields;
  collect(*scenario::scenario_kind().about, "", fields);
  std::set<std::string> known;
  for (const auto& [field, overrides] : ways_to_draw()) {
    CAPTURE(field);
    known.insert(field);
    const auto run = run_with(overrides);
    if (!run) {
      FAIL_CHECK(run.error().text);
      continue;
    }
    CHECK(run->history != run_with({})->history);
  }
  CHECK(fields == known);
}

}  // namespace
