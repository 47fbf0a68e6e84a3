// Goal: what a study says to have changed nothing has changed nothing, and the reason is right.
// Method: points with made-up histories; and runs of which the table of fields says that a field
// changes nothing, once without it and once with it, for each field and each reason that it has.
#include "sweep/ineffective_fields.hpp"

#include "engine/run.hpp"
#include "metrics/catalogue.hpp"
#include "scenario/field_needs.hpp"
#include "scenario/fields.hpp"
#include "scenario/warnings.hpp"
#include "sweep/comparison.hpp"
#include "sweep/small.hpp"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace dibs;
using namespace dibs::sweep;
using sweep::test::plan_of;
using sweep::test::request_for;
using sweep::test::small_file;
using sweep::test::small_text;

namespace {

tried_point tried(const std::string& ttl, const std::string& grace, const std::string& history) {
  return {{{"lease.ttl", ttl}, {"lease.grace", grace}}, {history}};
}

scenario::scenario small_with(const std::vector<scenario::override_value>& set) {
  const auto reading = scenario::read_text(small_text, "small.yaml", {}, set);
  INFO((reading.ok() ? std::string() : format(reading.diagnostics.front())));
  REQUIRE(reading.ok());
  return reading.value;
}

const scenario_at unknown = [](std::size_t) { return std::nullopt; };

std::vector<std::string> texts_of(const std::vector<tried_point>& points,
                                  const scenario_at& at = unknown) {
  std::vector<std::string> all;
  for (const without_effect& each : fields_without_effect(points, at)) {
    all.push_back(each.text());
  }
  return all;
}

}  // namespace

TEST_CASE("without effect: a field whose points all have one history, whatever the others are") {
  const std::vector<tried_point> points{tried("5s", "0s", "a"),
                                        tried("5s", "1s", "a"),
                                        tried("9s", "0s", "b"),
                                        tried("9s", "1s", "b")};
  CHECK(texts_of(points) == std::vector<std::string>{"lease.grace changed nothing: whatever it "
                                                     "is, every run is the same"});
}

TEST_CASE("without effect: one pair that differs is an effect, and what is not known is none") {
  const std::vector<tried_point> differs{tried("5s", "0s", "a"),
                                         tried("5s", "1s", "a"),
                                         tried("9s", "0s", "b"),
                                         tried("9s", "1s", "c")};
  CHECK(texts_of(differs).empty());
  CHECK(texts_of({tried("5s", "0s", ""), tried("9s", "0s", "")}).empty());
  CHECK(texts_of({tried("5s", "0s", "a"), tried("5s", "0s", "a")}).empty());
  CHECK(texts_of({}).empty());
  const auto with_runs = [](const std::string& ttl, const std::vector<std::string>& histories) {
    return tried_point{{{"lease.ttl", ttl}}, histories};
  };
  CHECK(texts_of({with_runs("5s", {"a", "b"}), with_runs("9s", {"a", "c"})}).empty());
  CHECK(texts_of({with_runs("5s", {"a", "b"}), with_runs("9s", {"a"})}).size() == 1);
  CHECK(texts_of({with_runs("5s", {}), with_runs("9s", {})}).empty());
}

TEST_CASE("without effect: a field that is not about runs is not said to change none") {
  const auto with = [](const std::string& series) {
    return tried_point{{{"output.series", series}}, {"a"}};
  };
  CHECK(texts_of({with("1s"), with("5s")}).empty());
}

TEST_CASE("without effect: a fault that struck in no run of any point is named") {
  const auto with = [](const std::string& ttl, std::vector<std::string> histories, bool is_idle) {
    std::vector<std::string> idle;
    if (is_idle) {
      idle.emplace_back("late");
    }
    return tried_point{{{"lease.ttl", ttl}}, std::move(histories), idle};
  };
  const auto at = [](std::size_t) {
    scenario::scenario s;
    s.faults.push_back(
        {"late", sim::crash_fault{.node = sim::node_pattern{node_kind::matcher, {}}}});
    return std::optional(s);
  };
  const std::vector<std::string> named{"faults.late changed nothing: it struck in no run"};
  CHECK(texts_of({with("5s", {"a"}, true), with("9s", {"b"}, true)}, at) == named);
  CHECK(texts_of({with("5s", {"a"}, true), with("9s", {}, false)}, at) == named);
  CHECK(texts_of({with("5s", {"a"}, true), with("9s", {"b"}, false)}, at).empty());
  CHECK(texts_of({with("5s", {}, false), with("9s", {}, false)}, at).empty());
}

TEST_CASE("without effect: fields that vary together alone are named together") {
  CHECK(texts_of({tried("5s", "0s", "a"), tried("9s", "1s", "a")}) ==
        std::vector<std::string>{"lease.ttl, lease.grace changed nothing: whatever they are "
                                 "together, every run is the same"});
}

TEST_CASE("without effect: the table's reason is given where it holds at all points") {
  const std::vector<tried_point> points{{{{"lease.margin", "0s"}}, {"a"}},
                                        {{{"lease.margin", "1s"}}, {"a"}}};
  const scenario_at manager = [](std::size_t) { return small_with({}); };
  CHECK(texts_of(points, manager).front() ==
        "lease.margin changed nothing: no holder judges its lease; see `lease.judge`");
  const scenario_at mixed = [](std::size_t i) {
    return small_with(i == 0 ? std::vector<scenario::override_value>{}
                             : std::vector<scenario::override_value>{{"lease.judge", "both"}});
  };
  CHECK(texts_of(points, mixed).front() ==
        "lease.margin changed nothing: whatever it is, every run is the same");
  const scenario_at two_reasons = [](std::size_t i) {
    return small_with({{"lease.protocol", i == 0 ? "none" : "fenced"}});
  };
  CHECK(texts_of(points, two_reasons).front() ==
        "lease.margin changed nothing: whatever it is, every run is the same");
}

TEST_CASE("without effect: of two sides it is said where it holds at both, or runs are the same") {
  const scenario::scenario manager = small_with({});
  const scenario::scenario both = small_with({{"lease.judge", "both"}});
  const auto idle = [](const std::string& path, bool is_same, const auto& a, const auto& b) {
    comparison c;
    c.is_same = is_same;
    c.fields = {{path, "1s", "2s"}};
    note_without_effect(c, &a, &b);
    return c.idle.empty() ? "none" : c.idle.front().why;
  };
  const std::string why = "no holder judges its lease; see `lease.judge`";
  CHECK(idle("lease.margin", true, manager, manager) == why);
  CHECK(idle("lease.margin", false, manager, manager) == why);
  CHECK(idle("lease.margin", false, manager, both) == "none");
  CHECK(idle("lease.margin", true, manager, both).empty());
  CHECK(idle("lease.ttl", true, manager, manager).empty());
  CHECK(idle("lease.ttl", false, manager, manager) == "none");
  CHECK(idle("output.series", true, manager, manager) == "it says what is kept of a run");
}

TEST_CASE("without effect: a plan's remarks are those that hold at both of its ends") {
  const results::scratch here;
  auto asked = [&](const std::string& axis) {
    auto r = request_for(small_file(here), {axis}, 1);
    r.overrides = {{"thresholds", "{leases.renewals: '<= 5'}"}};
    return remarks_on(plan_of(r));
  };
  CHECK(asked("lease.ttl=5s,9s").size() == 1);
  CHECK(asked("lease.renewal.kind=none,eager").empty());
  CHECK(asked("lease.renewal.kind=eager,none").empty());
}

namespace {

using scenario::override_value;
using sets = std::vector<override_value>;

/// A field that has an effect only under conditions.
struct conditional {
  std::string path;
  const scenario::member_description* about;
};

void collect_conditional(const scenario::field_description& s,
                         const std::string& path,
                         std::vector<conditional>& into) {
  const auto look_at = [&](const std::vector<scenario::member_description>& members) {
    for (const auto& m : members) {
      const std::string below = path.empty() ? m.key : path + "." + m.key;
      if (!m.needs.empty() && m.value->range != "only haversine") {  // which is never another
        into.push_back({below, &m});
      }
      collect_conditional(*m.value, below, into);
    }
  };
  look_at(s.members);
  for (const auto& a : s.alternatives) {
    look_at(a.members);
  }
  if (s.element != nullptr) {
    collect_conditional(*s.element, path + ".1", into);
  }
}

/// The small scenario in which everything goes wrong, and what is set in it in turn: under each of
/// these some fields have no effect.
std::vector<sets> circumstances() {
  const sets rough{
      {"faults",
       "[{kind: crash, node: matcher/*, when: {step: after-confirm, every: 5}, restart_after: 3s}, "
       "{kind: pause, node: matcher/*, when: {step: after-grant, every: 7}, for: 20s}]"},
      {"network.1.loss", "5%"},
      {"riders.patience", "{share: 0%, after: 1s}"},
      {"riders.cancel_after_match", "{share: 0%, after: 1s}"},
      {"riders.cancel_at_accept", "{share: 0%, after: 1s}"},
      {"drivers.drop_out", "{share: 0%, after: 1s, back_after: 9s}"}};
  std::vector<sets> all;
  for (const sets& each : std::vector<sets>{
           {},
           {{"faults", "[]"}, {"network.1.loss", "0%"}},
           {{"clocks", "[]"}, {"drivers.late_answer", "dropped"}},
           {{"matchers.count", "1"}, {"clocks.1.node", "ledger"}},
           {{"world.geography", "map"}},
           {{"lease.protocol", "none"}},
           {{"lease.protocol", "lease"}},
           {{"lease.protocol", "pessimistic"}},
           {{"lease.ttl", "never"}, {"lease.offer_window", "15s"}},
           {{"lease.ttl", "never"}, {"lease.offer_window", "ttl"}},
           {{"lease.judge", "holder"}},
           {{"lease.protocol", "pessimistic"}, {"lease.judge", "holder"}},
           {{"lease.commit", "manager"}, {"lease.ttl", "never"}, {"lease.offer_window", "15s"}},
           {{"lease.renewal.kind", "eager"}}}) {
    for (const bool sweeps : {false, true}) {
      all.push_back(rough);
      all.back().insert(all.back().end(), each.begin(), each.end());
      all.back().push_back({"lease.cleanup.kind", sweeps ? "periodic" : "timer"});
      all.back().push_back({"lease.restart.leases", sweeps ? "checkpoint" : "forgotten"});
    }
  }
  all.push_back(rough);
  all.back().push_back({"lease.restart.leases", "extended"});
  // Sweeps that act on an older read, where there is nothing to sweep.
  for (const sets& each : std::vector<sets>{
           {{"lease.protocol", "none"}},
           {{"lease.commit", "manager"}, {"lease.ttl", "never"}, {"lease.offer_window", "15s"}}}) {
    all.push_back(rough);
    all.back().insert(all.back().end(), each.begin(), each.end());
    all.back().push_back({"lease.cleanup", "{kind: periodic, every: 1s, lag: 2s}"});
  }
  // A sweep by a clock that is ahead, of leases that end only where they are never written.
  const sets early_sweeps{{"lease.ttl", "never"},
                          {"lease.offer_window", "15s"},
                          {"lease.cleanup", "{kind: periodic, every: 1s, by: sweeper}"},
                          {"clocks.1.node", "sweeper"},
                          {"clocks.1.offset", "1min"}};
  all.push_back(rough);
  all.back().insert(all.back().end(), early_sweeps.begin(), early_sweeps.end());
  return all;
}

/// Another value of the field than it has there; empty where it may not be given at all.
std::optional<scenario::scenario> changed(const sets& in, const conditional& f) {
  const std::string before = dump(small_with(in));
  std::vector<std::string> values{"7s",
                                  "40.8",
                                  "-74.2",
                                  "3",
                                  "1.2",
                                  "30%",
                                  "50km/h",
                                  "10m",
                                  "holder",
                                  "{kind: redis}",
                                  "[{at: 20s, by: 9s}]",
                                  "{every: 5s, by: 3s}"};
  const auto& schema = f.about->value->schema;
  if (schema.is_object() && schema.contains("enum")) {
    for (const auto& word : schema.at("enum")) {
      values.push_back(word.get<std::string>());
    }
  }
  for (const std::string& value : values) {
    sets with = in;
    with.push_back({f.path, value});
    const auto reading = scenario::read_text(small_text, "small.yaml", {}, with);
    if (reading.ok() && dump(reading.value) != before) {
      return reading.value;
    }
  }
  return std::nullopt;
}

}  // namespace

TEST_CASE("without effect: what the table says to change nothing changes no history") {
  std::vector<conditional> fields;
  collect_conditional(*scenario::scenario_kind().about, "", fields);
  CHECK(fields.size() > 40);
  std::map<std::string, std::set<std::string>> tried;  // reasons, by field
  for (const sets& in : circumstances()) {
    const scenario::scenario without = small_with(in);
    const auto before = engine::run(without, {.seed = 7});
    REQUIRE(before);
    for (const conditional& f : fields) {
      const auto why = scenario::why_idle(without, f.path);
      const auto with = why ? changed(in, f) : std::nullopt;
      if (!with) {
        continue;
      }
      CAPTURE(f.path, *why);
      CHECK(scenario::why_idle(*with, f.path) == why);
      const auto after = engine::run(*with, {.seed = 7});
      REQUIRE(after);
      CHECK(before->history == after->history);
      tried[f.path].insert(*why);
    }
  }
  for (const conditional& f : fields) {
    for (const scenario::need& n : f.about->needs) {
      INFO(f.path << " was never tried where " << n.otherwise);
      CHECK(tried[f.path].contains(n.otherwise));
    }
  }
}

TEST_CASE("without effect: a figure that is said to be 0 in any run is 0 there") {
  std::map<std::string, std::set<std::string>> said;  // reasons, by figure
  for (const sets& in : circumstances()) {
    scenario::scenario s = small_with(in);
    const auto ran = engine::run(s, {.seed = 7});
    REQUIRE(ran);
    for (const metrics::entry& e : metrics::catalogue()) {
      const std::string name = e.is_family() ? e.with("mean") : std::string(e.name);
      s.thresholds = {{name, scenario::comparison::at_most, 0, "<= 0"}};
      for (const std::string& remark : remarks_on(s)) {
        CAPTURE(remark);
        CHECK(ran->metrics.value(name).value_or(0) == 0);
        said[name].insert(remark.substr(remark.find("nothing: ") + 9));
      }
    }
  }
  const std::string leases = "no leases are taken; see `lease.protocol`";
  const std::string crashes = "no matcher crashes; see `faults`";
  const std::string failures = "no matcher crashes or fails; see `faults`";
  const std::string pauses = "no matcher pauses; see `faults`";
  const std::string losses = "no message is lost; see `network`, `faults`";
  const std::vector<std::pair<std::string, std::string>> must_be_said{
      {"leases.granted", leases},
      {"leases.expired", "no lease ends for want of time; see `lease.protocol`, `lease.ttl`"},
      {"leases.renewals", "no lease is renewed; see `lease.renewal.kind`"},
      {"leases.zombie_s", crashes},
      {"leases.orphaned", crashes},
      {"confirms.refused", leases},
      {"confirms.refused", "no lease is confirmed; see `lease.judge`"},
      {"supply.leased_share", leases},
      {"supply.hidden_share", leases},
      {"supply.hidden_s.zombie", crashes},
      {"supply.hidden_s.denied_by_ledger", "the ledger takes whatever comes; see `lease.protocol`"},
      {"supply.starved_s", leases},
      {"supply.converted_s", leases},
      {"accepts.premature_rate", leases},
      {"accepts.premature.crash", failures},
      {"accepts.premature.pause", pauses},
      {"accepts.premature.loss", losses},
      {"accepts.lost.crash", failures},
      {"accepts.lost.pause", pauses},
      {"accepts.lost.loss", losses},
      {"accepts.lost.early_cleanup", leases},
      {"accepts.lost.refused", "nobody refuses anything; see `lease.protocol`"},
      {"writes.stale_refused", "the ledger compares no tokens; see `lease.protocol`"},
      {"accepts.lost.skew", "all clocks are right; see `clocks`"},
      {"accepts.premature.skew", "all clocks are right; see `clocks`"},
      {"accepts.late_rate", "an offer waits for ever; see `lease.offer_window`"},
      {"accepts.late_committed", "late answers are not sent; see `drivers.late_answer`"},
      {"confirms.duplicate", "no message comes twice; see `network`, `faults`"},
      {"writes.stale_taken", leases},
      {"leases.overhang_s", "leases have no end; see `lease.ttl`"},
      {"supply.hidden_s.overhang", "leases have no end; see `lease.ttl`"},
      {"pickup.mean", "there is no map; see `world.geography`"},
      {"rides.taken_over", "no ride is claimed; see `matchers.claims`"}};
  for (const auto& [name, why] : must_be_said) {
    CAPTURE(name, why);
    CHECK(said[name].contains(why));
  }
}
