// Goal: nothing that a scenario lets somebody wait for is taken for a standstill.
// Method: the list of waits is held against the table of fields.

#include "engine/patience.hpp"

#include "catch.hpp"
#include "scenario/fields.hpp"
#include "scenarios.hpp"

#include <algorithm>
#include <set>
#include <string>

using namespace dibs;
using scenario::shape;

namespace {

/// A length of time, or a distribution of them.
bool is_duration(const shape& s) {
  return s.what == shape::form::leaf ? s.type == "duration"
                                     : s.tag == "dist" && s.short_form->type == "duration";
}

void collect_durations(const shape& s, const std::string& path, std::set<std::string>& into) {
  if (is_duration(s)) {
    into.insert(path);
    return;
  }
  const auto under = [&](const std::string& key) { return path.empty() ? key : path + "." + key; };
  if (s.element != nullptr) {
    collect_durations(*s.element, path, into);
  }
  for (const auto& m : s.members) {
    collect_durations(*m.value, under(m.key), into);
  }
  if (s.tag == "dist") {
    return;
  }
  for (const auto& a : s.alternatives) {
    for (const auto& m : a.members) {
      collect_durations(*m.value, under(a.name) + "." + m.key, into);
    }
  }
}

std::string head_of(const std::string& path) { return path.substr(0, path.find('.')); }

std::string tail_of(const std::string& path) {
  const auto dot = path.find('.');
  return dot == std::string::npos ? "" : path.substr(dot + 1);
}

bool covers(const std::string& pattern, const std::string& path) {
  if (pattern.empty() || path.empty()) {
    return pattern == path;
  }
  return (head_of(pattern) == "*" || head_of(pattern) == head_of(path)) &&
         covers(tail_of(pattern), tail_of(path));
}

std::set<std::string> durations() {
  std::set<std::string> all;
  collect_durations(*scenario::scenario_kind().about, "", all);
  return all;
}

sim_duration quiet_max(const scenario::scenario& s) { return engine::patience_of(s).quiet_max; }

}  // namespace

TEST_CASE("patience: every duration of the language is waited for, or it is said why not") {
  const auto all = durations();
  CHECK(all.size() > 60);
  CHECK(all.contains("lease.offer_window"));
  CHECK(all.contains("faults.partition.for"));
  CHECK(all.contains("drivers.classes.response"));
  for (const std::string& path : all) {
    INFO(path << " is a duration: say in engine/patience.cpp how long it may be waited for");
    CHECK(std::count_if(engine::awaited_fields().begin(),
                        engine::awaited_fields().end(),
                        [&](const auto& f) { return covers(std::string(f.path), path); }) == 1);
  }
}

TEST_CASE("patience: the list names no field that is not there, and gives each its reason") {
  const auto all = durations();
  for (const engine::awaited_field& f : engine::awaited_fields()) {
    CAPTURE(f.path);
    CHECK(std::any_of(all.begin(), all.end(), [&](const std::string& path) {
      return covers(std::string(f.path), path);
    }));
    CHECK((f.wait == nullptr) == !f.why.empty());
  }
}

TEST_CASE("patience: what may be waited for is waited for, and all of it in turn") {
  auto s = test::small_town();
  const sim_duration before = quiet_max(s);
  s.matchers.overhead += 1h;
  s.matchers.offers.next_try_after = constant_duration{2h};
  CHECK(quiet_max(s) == before + 3h);
  s.matchers.offers.total_wait = 8760h;  // who gives up brings no ride on
  CHECK(quiet_max(s) == before + 3h);
  s.matchers.reply_timeout = forever;
  CHECK(quiet_max(s) == before + 3h - 5s);
  s.matchers.offers.next_try_after = constant_duration{forever - 1ns};
  CHECK(quiet_max(s) == forever);
}

TEST_CASE("patience: on a clock that drifts all of it takes longer") {
  auto s = test::small_town();
  s.clocks.clear();
  const sim_duration before = quiet_max(s);
  s.clocks = {{.id = "slow", .node = {node_kind::matcher, {}}, .drift = constant_duration{-1ms}}};
  CHECK(quiet_max(s) == 2 * before);
}
