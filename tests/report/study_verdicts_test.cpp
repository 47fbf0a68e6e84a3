/// Goal: what a study says first follows from its figures and says no more than they do.
/// Method: results made by hand, of which one knows what may be said.
#include "catch.hpp"
#include "has.hpp"
#include "report/sweep_verdict.hpp"
#include "report/verdict.hpp"
#include "sweep/journal.hpp"

#include <string>
#include <utility>
#include <vector>

using namespace dibs;
using dibs::test::has;

namespace {

tune::row row_of(const std::string& value, tune::row_status status, double regret, double margin) {
  tune::row r;
  r.values = {value};
  r.seeds = 20;
  r.status = status;
  if (status != tune::row_status::unusable) {
    r.regret = stats::within(regret, margin, 20);
  }
  return r;
}

/// 5s is 60 to 80 % worse, 10s is out, 15s the best, 20s not told from it, 40s 5 to 15 % worse.
tune::tuning tuned(std::size_t today) {
  tune::tuning t;
  t.answer = tune::tuning_status::found;
  t.paths = {"lease.ttl"};
  t.best = {"15s"};
  t.rows = {row_of("5s", tune::row_status::worse, 0.7, 0.1),
            row_of("10s", tune::row_status::unusable, 0, 0),
            row_of("15s", tune::row_status::best, 0, 0),
            row_of("20s", tune::row_status::open, 0.01, 0.02),
            row_of("40s", tune::row_status::worse, 0.1, 0.05)};
  t.rows[1].why = "drivers on 2 trips";
  t.best_row = 2;
  t.rows[today].is_today = true;
  for (std::size_t i = 0; i + 1 < t.rows.size(); ++i) {
    t.common_seeds.push_back({.a = i, .b = i + 1, .ratio = 1.5});
  }
  return t;
}

const std::string cliffs_said =
    " Of what was tried, 10s and less are out (drivers on 2 trips) or at least 60 % worse; 40s is "
    "at least 5 % worse.";

sweep::region_cell cell_of(sweep::cell_status found, bool sure = true) {
  sweep::region_cell c;
  c.found = found;
  c.sure = sure;
  return c;
}

incidents::incident_row incident_of(std::vector<incidents::incident_outcome> outcomes) {
  constexpr std::array protocols{
      lease::protocol::none, lease::protocol::lease, lease::protocol::fenced};
  incidents::incident_row r;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    incidents::incident_cell& c = r.cells.emplace_back();
    c.protocol = protocols[i];
    c.assessment.outcome = outcomes[i];
  }
  return r;
}

/// A point with four runs: trips at once, hidden seconds of 1,000 and riders matched of 100.
void add(report::sweep_verdict& to,
         const std::string& ttl,
         const std::vector<double>& doubles,
         const std::vector<double>& hidden,
         const std::vector<double>& matched,
         std::optional<double> cost = {},
         const std::vector<double>& doubled_rides = {}) {
  std::vector<results::run_record> runs;
  for (std::size_t i = 0; i < doubles.size(); ++i) {
    results::run_record& r = runs.emplace_back();
    r.seed = i;
    r.measures = {
        {.metric = "double.commits", .value = doubles[i], .over = {}, .per = {}},
        {.metric = "supply.hidden_share",
         .value = hidden[i] / 1000,
         .over = hidden[i],
         .per = 1000},
        {.metric = "rides.match_rate", .value = matched[i] / 100, .over = matched[i], .per = 100}};
    if (!doubled_rides.empty()) {
      r.measures.push_back(
          {.metric = "double.rides", .value = doubled_rides[i], .over = {}, .per = {}});
    }
    if (cost) {
      r.measures.push_back(
          {.metric = "costs.per_ride", .value = cost, .over = *cost * 100, .per = 100});
    }
  }
  to.add({.number = 1, .what = {{{"lease.ttl", ttl}}}, .hash = ""}, runs);
}

}  // namespace

TEST_CASE("a tuning: whether to keep today's value, and where others fail") {
  CHECK(report::verdict_of(tuned(2)) ==
        "Keep lease.ttl = 15s: nothing tried is shown to be better." + cliffs_said);
  CHECK(report::verdict_of(tuned(3)) ==
        "Keep lease.ttl = 20s: lease.ttl = 15s was best, and is not shown to be better." +
            cliffs_said);
  CHECK(report::verdict_of(tuned(4)) ==
        "Change lease.ttl = 40s to lease.ttl = 15s: today's is 5 % to 15 % worse." + cliffs_said);
  CHECK(report::verdict_of(tuned(1)) ==
        "Change lease.ttl = 10s to lease.ttl = 15s: today's is out, for drivers on 2 trips." +
            cliffs_said);
  tune::tuning near = tuned(3);
  near.rows[3] = row_of("20s", tune::row_status::within, 0.005, 0.002);
  near.rows[3].is_today = true;
  CHECK(report::verdict_of(near) ==
        "Keep lease.ttl = 20s: lease.ttl = 15s is better, but by 0.30 % to 0.70 % only." +
            cliffs_said);
}

TEST_CASE("a tuning by the scenario's prices says in money how much worse a value is") {
  tune::tuning t = tuned(4);
  t.objective = "costs.per_ride";
  t.rows[2].objective = stats::within(2.0, 0.1, 20);
  CHECK(report::verdict_of(t) ==
        "Change lease.ttl = 40s to lease.ttl = 15s: today's is 0.10 a ride (5 %) to 0.30 a ride "
        "(15 %) worse. Of what was tried, 10s and less are out (drivers on 2 trips) or at least "
        "1.2 a ride (60 %) worse; 40s is at least 0.10 a ride (5 %) worse.");
}

TEST_CASE("a tuning says where its choice is not sure, and what it misses") {
  tune::tuning t = tuned(4);
  t.answer = tune::tuning_status::boundary;
  t.thresholds = {{.metric = "ttm.p95", .bound = "<= 45s", .found = {}, .met = false},
                  {.metric = "rides.match_rate", .bound = ">= 0.5", .found = {}, .met = true}};
  CHECK(report::verdict_of(t) ==
        "Change lease.ttl = 40s to lease.ttl = 15s: today's is 5 % to 15 % worse. The best may lie "
        "beyond what was tried. lease.ttl = 15s misses ttm.p95 <= 45s." +
            cliffs_said);
}

TEST_CASE("a comparison: rides with two drivers are told, and what a few pairs have alike") {
  sweep::comparison c;
  c.seeds = {1, 2, 3};
  c.differences = {{.metric = "double.rides",
                    .unit = text::unit::count,
                    .a = 200,
                    .b = 0,
                    .change = {},
                    .what = results::difference_status::alike}};
  const std::string alike =
      "Every pair differs by the same in rides with two drivers (200 to 0 a run), but they are too "
      "few for an interval.";
  CHECK(report::verdict_of(c) == alike);
  c.differences.push_back({.metric = "supply.hidden_share", .unit = text::unit::share});
  CHECK(report::verdict_of(c).ends_with("in drivers' time hidden for nothing. " + alike));
  c.differences.front().what = results::difference_status::changed;
  c.differences.front().change = stats::within(-200, 5, 3);
  CHECK(report::verdict_of(c).starts_with(
      "B is better in rides with two drivers (200 to 0 a run), and worse in none"));
}

TEST_CASE("a tuning that found nothing recommends nothing") {
  tune::tuning t = tuned(4);
  t.answer = tune::tuning_status::inconclusive;
  CHECK(report::verdict_of(t) ==
        "What is best was not decided. Today's lease.ttl = 40s is at least 5 % worse than "
        "lease.ttl = 15s all the same." +
            cliffs_said);
  t.rows[2].status = tune::row_status::unusable;  // the chosen value did not stand
  CHECK(report::verdict_of(t) == "What is best was not decided.");
  t = tuned(2);
  t.unjudged = true;
  CHECK(report::verdict_of(t).starts_with("Nothing is confirmed: lease.ttl = 15s did best"));
  t.answer = tune::tuning_status::infeasible;
  CHECK(report::verdict_of(t) == "No value of lease.ttl that was tried can be chosen.");
  t = tuned(2);
  t.common_seeds[0].ratio = 0;  // words, which have no order
  CHECK(report::verdict_of(t) == "Keep lease.ttl = 15s: nothing tried is shown to be better.");
}

TEST_CASE("a map: in how many cells all holds, and for which values whatever the other is") {
  using sweep::cell_status;
  sweep::region r;
  r.x = "a";
  r.y = "b";
  r.xs = {"1", "2", "3"};
  r.ys = {"x", "y"};
  const auto put = [&](const std::vector<sweep::region_cell>& cells) {
    r.cells = cells;
    return report::verdict_of(r).substr(std::string("What is asked for () holds in ").size());
  };
  const auto holds = cell_of(cell_status::holds);
  const auto misses = cell_of(cell_status::misses);
  CHECK(put({misses, holds, holds, misses, holds, holds}) ==
        "4 of 6 cells; it does for a from 2 to 3, whatever b is.");
  CHECK(put({misses, misses, misses, holds, holds, holds}) ==
        "3 of 6 cells; it does for b = y, whatever a is.");
  CHECK(put({holds, misses, misses, misses, misses, holds}) == "2 of 6 cells.");
  CHECK(put({misses, misses, misses, misses, misses, misses}) == "none of 6 cells.");
  CHECK(put({holds, holds, holds, holds, holds, cell_of(cell_status::invalid)}) == "5 of 5 cells.");
  CHECK(put({holds, holds, cell_of(cell_status::holds, false), misses, holds, misses}) ==
        "3 of 6 cells; it does for a = 2, whatever b is. In 1 the runs do not tell: give more "
        "--seeds.");
  CHECK(put({cell_of(cell_status::breaks), misses, misses, misses, misses, misses}) ==
        "none of 6 cells. A promise of the protocol is BROKEN in 1.");
}

TEST_CASE("a survival table: who breaks least often of what is decided") {
  using enum incidents::incident_outcome;
  const std::vector rows{incident_of({breaks, breaks, survives}),
                         incident_of({undecided, breaks, degrades}),
                         incident_of({breaks, breaks, breaks})};
  CHECK(report::verdict_of(rows) ==
        "Of the incidents that are decided, fenced (1 of 3) breaks least often and lease (3 of "
        "3) and none (2 of 2) most. In 1 incident every protocol breaks that the cause touches.");
  const std::vector equal{incident_of({breaks, breaks})};
  CHECK(report::verdict_of(equal) ==
        "The protocols break equally often, of the incidents that are decided: none (1 of 1) and "
        "lease (1 of "
        "1).");
  const std::vector harmless{incident_of({survives, degrades, untouched})};
  CHECK(report::verdict_of(harmless) ==
        "None of the protocols that a cause touches breaks: none (0 of 1) and lease (0 of 1).");
  const std::vector one{incident_of({breaks}), incident_of({survives})};
  CHECK(report::verdict_of(one) == "none breaks in 1 of the 2 incidents that it was decided in.");
  const std::vector open{incident_of({undecided, untouched})};
  CHECK(report::verdict_of(open).starts_with("Nothing is decided"));
}

TEST_CASE("a sweep: which points are best in all, or are not told from the best") {
  report::sweep_verdict trade_off;
  add(trade_off, "5s", {0, 0, 0, 0}, {50, 52, 51, 53}, {40, 43, 38, 42});
  add(trade_off, "15s", {4, 5, 6, 4}, {40, 41, 42, 40}, {60, 61, 59, 62});
  add(trade_off, "20s", {4, 5, 5, 5}, {45, 46, 47, 46}, {60, 60, 60, 62});
  CHECK(trade_off.text() ==
        "No point is best in both harms and in riders matched. Least often on two trips: 0 at "
        "lease.ttl=5s. Least time hidden: 4.08 % at lease.ttl=15s. Most riders matched: 60.5 % at "
        "lease.ttl=15s (1 other not told from it).");
  report::sweep_verdict priced;
  add(priced, "5s", {0, 0, 0, 0}, {50, 52, 51, 53}, {40, 43, 38, 42}, 3);
  add(priced, "15s", {4, 5, 6, 4}, {40, 41, 42, 40}, {60, 61, 59, 62}, 2);
  CHECK(priced.text().ends_with(
      "Cheapest by the scenario's prices: 2 a ride at lease.ttl=15s (1 other not told from "
      "it)."));
  report::sweep_verdict harmless;
  add(harmless, "5s", {0, 0, 0, 0}, {50, 52, 51, 53}, {40, 43, 38, 42});
  add(harmless, "15s", {0, 0, 0, 0}, {40, 41, 42, 40}, {60, 61, 59, 62});
  CHECK(harmless.text().ends_with("No difference is seen in how often drivers are on two trips."));
  report::sweep_verdict doubled;
  add(doubled, "5s", {0, 0, 0, 0}, {50, 52, 51, 53}, {40, 43, 38, 42}, {}, {9, 8, 9, 7});
  add(doubled, "15s", {0, 0, 0, 0}, {50, 52, 51, 53}, {40, 43, 38, 42}, {}, {0, 0, 0, 0});
  CHECK(has(doubled.text(), "Fewest rides with two drivers: 0 at lease.ttl=15s."));
  report::sweep_verdict clear;
  add(clear, "5s", {4, 5, 6, 4}, {50, 52, 51, 53}, {40, 41, 39, 42});
  add(clear, "15s", {0, 0, 0, 0}, {40, 41, 42, 40}, {60, 61, 59, 62});
  CHECK(clear.text().starts_with(
      "Best in both harms and in riders matched, or not told from the best: lease.ttl=15s. "));
  report::sweep_verdict same;
  add(same, "5s", {1, 2, 1, 2}, {50, 52, 51, 53}, {40, 41, 39, 42});
  CHECK(same.text().empty());
  add(same, "6s", {2, 1, 2, 1}, {51, 51, 52, 52}, {41, 40, 40, 41});
  CHECK(same.text() ==
        "No difference is seen between the 2 points in either harm or in riders matched.");
  report::sweep_verdict single;
  add(single, "5s", {1}, {50}, {40});
  add(single, "6s", {9}, {10}, {90});
  CHECK(single.text() ==
        "One run of each point does not tell a difference from chance: give more --seeds.");
}
