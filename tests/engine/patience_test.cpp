// Goal: nothing that a scenario lets somebody wait for is taken for a stall.
// Method: the list of waits is held against the table of fields; and each field that it names is
// set to more, in a scenario that has them all.

#include "engine/patience.hpp"

#include "catch.hpp"
#include "scenario/fields.hpp"
#include "scenario/read.hpp"
#include "scenarios.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <variant>
#include <vector>

using namespace dibs;
using scenario::field_description;

namespace {

/// A length of time, or a distribution of them.
bool is_duration(const field_description& s) {
  return s.what == field_description::form::leaf
             ? s.type == "duration"
             : s.tag == "dist" && s.short_form->type == "duration";
}

void collect_durations(const field_description& s,
                       const std::string& path,
                       std::set<std::string>& into) {
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

sim_duration quiet_max(const scenario::scenario& s) { return engine::stall_limits_of(s).quiet_max; }

/// A scenario that has every field of the list, and two entries in lists that count as their
/// longest.
scenario::scenario everything(const std::vector<scenario::override_value>& set,
                              const std::vector<scenario::rows_read>& known = {}) {
  const std::string folder = DIBS_SOURCE_DIR "/tests/engine/waiting";
  std::ifstream file(folder + "/everything-takes-time.yaml");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const auto read = scenario::read_text(text, "everything-takes-time.yaml", folder, set, known);
  for (const auto& c : read.diagnostics) {
    UNSCOPED_INFO(scenario::format(c));
  }
  REQUIRE(read.ok());
  return read.value;
}

/// What `--set` calls the field in that scenario, in each of the two entries if it is in a list.
std::set<std::string> paths_of(const std::string& listed) {
  static const std::map<std::string, std::string> entries{
      {"demand.trace.jitter.time", "demand.1.jitter.time"},
      {"demand.trace.shift", "demand.1.shift"},
      {"demand.matrix.per", "demand.4.per"},
      {"demand.matrix.period", "demand.4.period"},
      {"demand.poisson.from", "demand.2.from"},
      {"demand.poisson.until", "demand.2.until"},
      {"demand.burst.at", "demand.3.at"},
      {"demand.burst.within", "demand.3.within"},
      {"demand.burst.every", "demand.3.every"},
      {"faults.pause.until_expiry", "faults.late.until_expiry"},
      {"faults.*.when.since", "faults.drop.when.since"},
      {"faults.*.when.until", "faults.drop.when.until"}};
  if (const auto known = entries.find(listed); known != entries.end()) {
    return {known->second};
  }
  for (const std::string list : {"drivers.classes.", "network.", "clocks."}) {
    if (listed.starts_with(list)) {
      const std::string steps = "steps.";
      std::string rest = listed.substr(list.size());
      rest.insert(rest.starts_with(steps) ? steps.size() : 0, rest.starts_with(steps) ? "1." : "");
      return {list + "1." + rest, list + "2." + rest};
    }
  }
  return {listed};
}

/// How often one step of a ride may wait for it: a message crosses so many links, and each link of
/// that scenario repeats it three times.
std::int64_t times_in(const std::string& listed) {
  static const std::map<std::string, std::int64_t> more{{"network.latency", 8},
                                                        {"network.reorder.by", 8},
                                                        {"network.retry.after", 8 * 3},
                                                        {"faults.slow.plus", 8},
                                                        {"faults.delay.by", 8}};
  const auto known = more.find(listed);
  return known == more.end() ? 1 : known->second;
}

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

TEST_CASE("patience: whatever is listed as waited for lengthens it, and nothing else does") {
  const auto rows = everything({}).rows;
  for (const engine::awaited_field& f : engine::awaited_fields()) {
    const std::string listed(f.path);
    for (const std::string& path : paths_of(listed)) {
      CAPTURE(listed, path);
      const sim_duration some = quiet_max(everything({{path, "2h"}}, rows));
      const sim_duration more = quiet_max(everything({{path, "22h"}}, rows));
      CHECK(more - some == (f.wait == nullptr ? sim_duration::zero() : times_in(listed) * 20h));
    }
  }
}

TEST_CASE("patience: faults that follow each other are waited for one after the other") {
  auto s = everything({});
  const sim_duration before = quiet_max(s);
  const auto again = [&](const std::string& id) {
    const auto is_it = [&](const scenario::fault& f) { return f.id == id; };
    const auto found = std::find_if(s.faults.begin(), s.faults.end(), is_it);
    s.faults.push_back(*found);
  };
  again("partition");
  CHECK(quiet_max(s) == before + 1s);
  again("slow");
  CHECK(quiet_max(s) == before + 1s + 1s + 8 * 1s);
  again("delay");
  again("duplicate");
  again("drop");  // these strike the same message
  CHECK(quiet_max(s) == before + 10s);
}

TEST_CASE("patience: who loses messages by chance waits again, and for what never comes once") {
  const sim_duration once = quiet_max(everything({}));
  // 0.5^46 is 1.4 * 10^-14, 0.5^47 is 0.7.
  CHECK(quiet_max(everything({{"network.1.loss", "50%"}})) == 47 * once);
  CHECK(quiet_max(everything({{"faults.drop.when.share", "50%"}})) == 47 * once);
  CHECK(quiet_max(everything({{"faults.partition.loss", "50%"}})) == 47 * once);
  // One in ten comes through both.
  CHECK(quiet_max(everything({{"network.1.loss", "50%"}, {"network.2.loss", "80%"}})) ==
        306 * once);
  CHECK(quiet_max(everything({{"network.1.loss", "0.1%"}})) == 5 * once);
  CHECK(quiet_max(everything({{"network.1.loss", "100%"}})) == once);
}

TEST_CASE("patience: a slow link takes so many times as long, and two of them multiply") {
  auto s = everything({});
  const sim_duration before = quiet_max(s);
  s = everything({{"faults.slow.factor", "3"}});
  CHECK(quiet_max(s) == before + 2 * 8 * 1s);
  s = everything({{"faults.slow.factor", "0.5"}});
  CHECK(quiet_max(s) == before);
  s = everything({{"faults.slow.factor", "3"}});
  const auto* slow = std::get_if<scenario::slow_fault>(&s.faults[4].what);
  REQUIRE(slow != nullptr);
  scenario::slow_fault again = *slow;
  again.length = sim_duration::zero();
  again.plus = constant_duration{};
  s.faults.push_back({"again", again});
  CHECK(quiet_max(s) == before + (9 - 1) * 8 * 1s);
}

TEST_CASE("patience: a draw takes as long as not one in 10^14 does, and never takes no time") {
  auto s = test::small_town();
  const sim_duration before = quiet_max(s);
  const auto longest = [&](const distribution& d) {
    s.matchers.offers.next_try_after = d;
    return quiet_max(s) - before;
  };
  CHECK(longest(constant_duration{1min}) == 1min);
  CHECK(longest(uniform_duration{1min, 2min}) == 2min);
  CHECK(longest(exponential_duration{1min}) > 32.3 * 1min);  // the logarithm of 10^14
  CHECK(longest(exponential_duration{1min}) < 40min);
  CHECK(longest(normal_duration{10min, 1min}) > 17.65 * 1min);
  CHECK(longest(normal_duration{10min, 1min}) < 20min);
  CHECK(longest(lognormal_duration{1min, 0.5}) > std::exp(7.65 * 0.5) * 1min);
  CHECK(longest(lognormal_duration{1min, 0.5}) < std::exp(10 * 0.5) * 1min);
  CHECK(longest(quantiles_duration{{{0, 1s}, {1, 3min}}}) == 3min);
  CHECK(longest(never_duration{}) == sim_duration::zero());
}

TEST_CASE("patience: an offset counts whether it is ahead or behind") {
  auto s = everything({});
  const sim_duration before = quiet_max(s);
  s.clocks.front().offset.shape = constant_duration{-1h};
  CHECK(quiet_max(s) == before + 1h - 1s);
  s.clocks.front().offset.shape = uniform_duration{-2h, 1s};
  CHECK(quiet_max(s) == before + 2h - 1s);
  s.clocks.front().offset.shape = quantiles_duration{{{0, -3h}, {1, 1s}}};
  CHECK(quiet_max(s) == before + 3h - 1s);
}

TEST_CASE("patience: steps of one clock add up, and those of two clocks do not") {
  auto s = everything({});
  const sim_duration before = quiet_max(s);
  auto& steps = s.clocks.front().steps;
  steps.insert(steps.begin(), {1min, {constant_duration{-1h}}});
  steps.insert(steps.begin(), {2min, {constant_duration{1min}}});
  CHECK(quiet_max(s) == before + 1h + 1min);
}

TEST_CASE("patience: what does not happen is not waited for, and nothing shortens it") {
  auto s = everything({});
  const sim_duration before = quiet_max(s);
  s.drivers.drop_out.share = 0;
  CHECK(quiet_max(s) == before - 1s);
  s.lease.grace = -1min;
  CHECK(quiet_max(s) == before - 1s);
  CHECK(quiet_max({}) > 10min);
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
  s.clocks.front().drift.shape = uniform_duration{-1ms, 1ms};
  CHECK(quiet_max(s) == 2 * before);
  s.clocks.push_back({.id = "right", .node = {node_kind::driver, {}}});
  CHECK(quiet_max(s) == 2 * before);
}
