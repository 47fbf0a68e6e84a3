#include "report/run_summary.hpp"

#include "catch.hpp"
#include "has.hpp"
#include "results/samples.hpp"

#include <algorithm>
#include <sstream>

using namespace dibs;
using dibs::test::has;

namespace {

std::string text_of(const results::run_results& a, const text::terminal_style& l = {}) {
  const results::metric_estimates f(a);
  return report::summary(a, f, results::judge_bounds(a, f), l, "runs/evening-peak");
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream from(text);
  for (std::string line; std::getline(from, line);) {
    lines.push_back(line);
  }
  return lines;
}

}  // namespace

TEST_CASE("summary: of one run, as a whole") {
  CHECK(text_of(results::sample_account()) ==
        R"(evening-peak   fenced, TTL 15 s, 4 matchers, 2,400 drivers, seed 20181109
Four matchers share Manhattan's drivers. Who is hurt?

No driver was sent on two trips at once, 31 pairs of offers were in conflict, 1.21 % of drivers'
time was hidden for nothing and 93.1 % of riders were matched. What fenced guarantees was kept.
Bounds that were missed: drivers' time hidden for nothing.

Double assignment      seen  per 1,000   Supply hiding
  offers in conflict     31       4.13     hidden share             1.21 %  = 29.0 drivers
  accepts in conflict     4      0.644       ignored                47.8 %  #####
  drivers on 2 trips      0   < 1.13 *       declined               31.1 %  ###
  rides with 2 drivers    0   < 1.13 *       past the lease's end   21.1 %  ##
  late confirms taken     0                riders blocked          0.620 %  of their waiting
  broken promises         0   < 1.13 *
  * none seen: at most this, at 99.9 %

Service
  rides           6,412 asked   93.1 % matched   6.89 % gave up   2,950/h kept
  time to match   p50 15.5 s   p90 27.9 s   p95 29.4 s   p99 30.7 s
  offers          7,511 sent   1.24 a match   0.799 % contended
  accepts missed  2.89 %   0.797 % lost (latency 0.500 %, skew 0.203 %)   2.09 % late

Promises of fenced   21 of 21 kept
Thresholds   1 of 2 met
  MISSED  supply.hidden_share  1.21 %   <= 1%
  met     rides.match_rate     93.1 %   >= 0.85

Look at
  ride 4711 at 1 h 12 min: accepted 0.18 s after its lease ended, while matcher/3 was paused

2 h 20 min in 600 ms, 1,104,233 events, 1.84 M events/s, history 9f3a21c4d5e6f708
kept in runs/evening-peak
how ride 4711 was hurt: dibs explain runs/evening-peak breach 1
)");
}

TEST_CASE("summary: of an incident the story is of what the incident is measured by") {
  results::run_results a = results::sample_account();
  auto& harms = a.runs.front().metrics.notables;
  harms = {{metrics::harm_kind::lost_accept, 4, at(10s), 7, "accepted in vain"},
           {metrics::harm_kind::hiding_lease, 1, at(20s), 9, "its lease hid driver 1"}};
  const auto closing = [&] {
    const results::metric_estimates f(a);
    return lines_of(report::summary(a, f, results::judge_bounds(a, f), {}, "r")).back();
  };
  CHECK(closing() == "how ride 7 was hurt: dibs explain r breach 1");
  a.scenario.incident.harms = {"leases.zombie_s", "supply.hidden_share"};
  CHECK(closing() == "how a driver was hidden for ride 9: dibs explain r breach 2");
  // Nobody is hidden so long that it matters more than two trips at once.
  harms.front().kind = metrics::harm_kind::double_commit;
  CHECK(closing() == "how ride 7 was hurt: dibs explain r breach 1");
}

TEST_CASE("summary: the verdict tells each harm of two promises that there is") {
  results::run_results a = results::sample_account();
  auto& sums = a.runs.front().metrics.sums;
  sums["double.rides"] = 3;
  sums["promises.broken"] = 2;
  CHECK(has(text_of(a),
            "3 rides got two drivers, 31 pairs of offers were in conflict, 2 promises to riders "
            "were"));
  CHECK_FALSE(has(text_of(a), "o driver was sent on two trips"));
  sums["double.commits"] = 5;
  CHECK(has(text_of(a), "Drivers were sent on two trips at once 5 times, 3 rides got two"));
  sums["double.offers"] = 1;
  sums["double.rides"] = 0;
  CHECK(has(text_of(a), "at once 5 times, 1 pair of offers was in conflict, 2 promises"));
  sums["double.offers"] = 0;
  CHECK_FALSE(has(text_of(a), "of offers w"));
}

TEST_CASE("summary: where nothing is kept, it says what would have told the story") {
  results::run_results a = results::sample_account();
  const auto closing = [&] {
    const results::metric_estimates f(a);
    return lines_of(report::summary(a, f, results::judge_bounds(a, f), {}, "")).back();
  };
  CHECK(closing() ==
        "how ride 4711 was hurt: dibs explain RUN breach 1 (RUN: the folder of a run without "
        "--no-out)");
  a.how = " --live";
  CHECK(has(closing(), "history"));
}

TEST_CASE("summary: plain text is ASCII without escapes, and no line is wider than 120 columns") {
  for (const std::string& line : lines_of(text_of(results::sample_account()))) {
    CHECK(text::columns(line) <= 120);
    CHECK(std::all_of(line.begin(), line.end(), [](char c) { return c >= ' ' && c <= '~'; }));
  }
}

TEST_CASE("summary: colour and bars change no word and no column") {
  const auto plain = lines_of(text_of(results::sample_account()));
  const auto fancy =
      lines_of(text_of(results::sample_account(), {.colour = true, .unicode = true}));
  REQUIRE(plain.size() == fancy.size());
  for (std::size_t i = 0; i < plain.size(); ++i) {
    CHECK(text::columns(plain[i]) == text::columns(fancy[i]));
  }
  CHECK(has(text_of(results::sample_account(), {.colour = true}), "\x1b[1;31mMISSED\x1b[0m"));
}

TEST_CASE("summary: with replications each figure carries its interval") {
  auto a = results::sample_account();
  a.runs = {results::sample_run(1, 1), results::sample_run(2, 1.1), results::sample_run(3, 0.9)};
  a.runs_asked = 3;
  const std::string text = text_of(a);
  CHECK(has(text, "3 runs from seed 20181109"));
  // 27.9, 31 and 34.1: mean 31, sd 3.1; t(2) = 4.3027.
  CHECK(has(text, "31.0 +/- 7.7"));
  CHECK(has(text, "per 1,000   Supply hiding"));
  CHECK(has(text, "95 % interval over 3 runs"));
  CHECK(has(text, "3 runs of 2 h 20 min in 600 ms"));
  CHECK_FALSE(has(text, "history"));
  for (const std::string& line : lines_of(text)) {
    CHECK(text::columns(line) <= 120);
  }
  CHECK(has(text_of(a, {.unicode = true}), "31.0 \u00b1 7.7"));
}

TEST_CASE("summary: a rate for a thousand ends where it cannot be, as its count does") {
  auto a = results::sample_account();
  a.runs = {results::sample_run(1, 0), results::sample_run(2, 3), results::sample_run(3, 0.2)};
  a.runs_asked = 3;
  // 0, 93 and 6.2 of 7,511 each: mean 33.07, sd 52.0, t(2) = 4.3027; so much is that of few cases.
  const std::string text = text_of(a);
  INFO(text);
  CHECK(has(text, "33 (0..227)  4 (0..30)"));
}

TEST_CASE("summary: where two columns are too wide the harms stand one above the other") {
  auto a = results::sample_account();
  const std::string text = text_of(a, {.width = 80});
  for (const std::string& line : lines_of(text)) {
    CHECK(text::columns(line) <= 80);
  }
  CHECK(text.find("Supply hiding") > text.find("broken promises"));
}

TEST_CASE("summary: no line is wider than the terminal, but for paths and commands") {
  auto a = results::sample_account();
  a.runs[0].checks.broken = 1;
  a.runs[0].checks.violation_count = 1;
  a.runs[0].checks.violations.push_back({lease::invariant::one_live_lease,
                                         at(183412ms),
                                         40211,
                                         "driver 17 is held by rides 3 and 9"});
  auto many = a;
  many.runs = {results::sample_run(1, 1), results::sample_run(2, 1.1), results::sample_run(3, 0.9)};
  many.runs_asked = 3;
  auto partial = many;
  partial.runs[2].interrupted = true;
  for (int width = 60; width <= 120; ++width) {
    for (const results::run_results* each : {&a, &many, &partial}) {
      for (const std::string& line : lines_of(text_of(*each, {.colour = true, .width = width}))) {
        INFO(width << ": " << line);
        const bool is_command = has(line, "replay: ") || has(line, ": dibs explain ");
        CHECK((text::columns(line) <= width || is_command || has(line, "kept in ")));
      }
    }
  }
}

TEST_CASE("summary: the story to read first is that of a broken promise, and needs its run") {
  auto a = results::sample_account();
  a.runs[0].checks.violations.push_back(
      {lease::invariant::one_live_lease, at(1s), 7, "driver 17 is held by rides 3 and 9"});
  CHECK(has(text_of(a), "how S1 was broken: dibs explain runs/evening-peak breach 1"));
  auto many = a;
  many.runs = {results::sample_run(1, 1), results::sample_run(2, 1)};
  many.runs_asked = 2;
  many.runs[0].metrics.notables.clear();
  CHECK(has(text_of(many),
            "how ride 4711 was hurt: dibs explain runs/evening-peak breach 1 --seed 2"));
  many.runs[1].metrics.notables.clear();
  for (engine::run_result& r : many.runs) {
    r.metrics.sums["rides.abandoned"] = 0;
  }
  CHECK_FALSE(has(text_of(many), "dibs explain"));
  // A double assignment of any run says more than a driver who was hidden in the first.
  many.runs[0].metrics.notables.push_back(
      {metrics::harm_kind::hiding_lease, 1.5, at(1s), 28, "its lease hid driver 294"});
  CHECK(has(text_of(many),
            "how a driver was hidden for ride 28: dibs explain runs/evening-peak breach 1\n"));
  many.runs[1].metrics.notables = results::sample_run(1, 1).metrics.notables;
  CHECK(
      has(text_of(many), "how ride 4711 was hurt: dibs explain runs/evening-peak breach 1 --seed"));
  for (engine::run_result& r : many.runs) {
    r.metrics.notables.clear();
    r.metrics.sums["rides.abandoned"] = 3;
  }
  CHECK(has(text_of(many), "how a ride found nobody: dibs explain runs/evening-peak\n"));
}

TEST_CASE("summary: a broken promise names what, when and the command that repeats it") {
  auto a = results::sample_account();
  a.overrides = {{"lease.ttl", "8s"}};
  auto& j = a.runs[0].checks;
  j.broken = 1;
  j.violation_count = 3;
  for (int i = 0; i < 3; ++i) {
    j.violations.push_back({lease::invariant::one_live_lease,
                            at(183412ms),
                            40211,
                            "driver 17 is held by rides 3 and 9"});
  }
  const std::string text = text_of(a);
  CHECK(has(text, "Promises of fenced   1 of 21 BROKEN, 3 violations"));
  CHECK(has(text, "  BROKEN S1: "));
  CHECK(has(text, "    t=183.412 s: driver 17 is held by rides 3 and 9 (event 40,212)\n"));
  CHECK(
      has(text,
          "    replay: dibs run scenarios/evening-peak.yaml --seed 20181109 --set lease.ttl=8s\n"));
  CHECK(text.find("BROKEN S1") == text.rfind("BROKEN S1"));
}

TEST_CASE("summary: violations that have no words are counted, with the promises they broke") {
  auto a = results::sample_account();
  auto& j = a.runs[0].checks;
  j.broken = 0b1001;
  j.violation_count = 1234;
  j.violations.assign(20, {lease::invariant::one_live_lease, at(183412ms), 40211, "words"});
  CHECK(
      has(text_of(a), "  1,214 more only counted, after the first 20 of the run, S4 among them\n"));
  j.broken = 1;
  CHECK(has(text_of(a), "  1,214 more only counted, after the first 20 of the run\n"));
  j.violation_count = 20;
  CHECK_FALSE(has(text_of(a), "more only counted"));
}

TEST_CASE("summary: an interrupted run says how far it came and judges no bound") {
  auto a = results::sample_account();
  a.runs[0].interrupted = true;
  a.runs[0].reached = at(1h + 3min);
  const std::string text = text_of(a);
  CHECK(has(text, "INTERRUPTED at 1 h 3 min of 2 h 20 min"));
  CHECK(has(text, "2 not judged: the run was interrupted"));
  CHECK_FALSE(has(text, "MISSED"));
  a.runs = {results::sample_run(1), results::sample_run(2), a.runs[0]};
  a.runs_asked = 5;
  CHECK(has(text_of(a), "INTERRUPTED: 2 of 5 runs finished; the figures are of those alone."));
  CHECK(has(text_of(a), "2 runs of 2 h 20 min and 1 that did not finish in "));
  a.runs = {a.runs[2]};
  CHECK(has(text_of(a), "INTERRUPTED: none of 5 runs finished; the figures are of what was begun"));
  CHECK(has(text_of(a), "0 runs of 2 h 20 min and 1 that did not finish in "));
}

TEST_CASE("summary: a fault that struck in no run is named") {
  auto a = results::sample_account();
  a.scenario.faults = {
      {"drop-confirms", scenario::drop_fault{}},
      {"late-pause", scenario::drop_fault{}},
      {"tomorrow", scenario::crash_fault{{node_kind::matcher, 0}, 24h, 0, 10s, {}}},
      {"soon", scenario::crash_fault{{node_kind::matcher, 0}, 1min, 0, 10s, {}}},
      {"rare", scenario::crash_fault{{node_kind::matcher, 0}, {}, 0.1, 10s, {}}},
      {"unmet", scenario::partition_fault{}}};
  a.runs[0].idle_faults = {"drop-confirms", "late-pause", "rare", "unmet"};
  CHECK(has(text_of(a), "FAULT NOT TRIGGERED: tomorrow; it starts after the run ends."));
  CHECK_FALSE(has(text_of(a), "soon;"));
  CHECK(has(text_of(a),
            "FAULT NOT TRIGGERED: drop-confirms; its trigger never occurred in this run."));
  CHECK(has(text_of(a),
            "FAULT NOT TRIGGERED: rare; by chance its rate led to no fault in this run."));
  CHECK(has(text_of(a), "unmet; no message was lost to it or held up by it in this run."));
  a.runs = {a.runs[0], results::sample_run(1)};
  a.runs_asked = 2;
  CHECK_FALSE(has(text_of(a), "was what it waits for"));
  CHECK_FALSE(has(text_of(a), "by chance its rate"));
  a.runs[1].idle_faults = {"late-pause"};
  CHECK(has(text_of(a), "FAULT NOT TRIGGERED: late-pause; its trigger never occurred in 2 runs."));
  CHECK_FALSE(has(text_of(a), "drop-confirms;"));
  a.runs[1].interrupted = true;
  CHECK_FALSE(has(text_of(a), "FAULT NOT TRIGGERED"));
}

TEST_CASE("summary: what a scenario says of itself cannot reach the terminal as it is") {
  auto a = results::sample_account();
  a.scenario.name = "\x1b]0;owned\x07";
  a.scenario.question = "\x1b[2J\nnext\u202e";
  a.runs[0].metrics.notables[0].sentence = "\x1b[31m";
  a.scenario.thresholds[0].text = ">= \x1b[0m";
  const std::string text = text_of(a);
  CHECK_FALSE(has(text, "\x1b"));
  CHECK_FALSE(has(text, "\x07"));
  CHECK_FALSE(has(text, "\u202e"));
}

TEST_CASE("summary: a run in which nothing happened has no made-up figures") {
  auto a = results::sample_account();
  a.runs[0].metrics = {};
  a.scenario.thresholds.clear();
  const std::string text = text_of(a);
  CHECK(has(text, "hidden share    -"));
  CHECK_FALSE(has(text, "nan"));
  CHECK_FALSE(has(text, "<"));
  CHECK_FALSE(has(text, "Thresholds"));
  CHECK_FALSE(has(text, "Look at"));
}
