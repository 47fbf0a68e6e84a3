// Goal: a search finds what is best, says so where nothing is, and judges on fresh seeds.
// Method: invented figures with noise that is common to all values, in place of runs.

#include "has.hpp"
#include "report/tuning_harm_cells.hpp"
#include "report/tuning_text.hpp"
#include "tune/invented.hpp"

using namespace dibs;
using namespace dibs::tune;
using namespace dibs::tune::test;
using dibs::test::has;

TEST_CASE("tune: the best value is found, with its interval and the set that is as good") {
  const found f = search({valley}, {});
  const tuning& t = f.result;
  CHECK(t.answer == tuning_status::found);
  CHECK(code_of(t) == exit_code::done);
  const double best = value_of(t.best[0]);
  CHECK(valley({best}) <= 10.1);
  REQUIRE(t.interval[0]);
  CHECK(value_of((*t.interval[0])[0]) < 12);
  CHECK(value_of((*t.interval[0])[1]) > 12);
  REQUIRE(t.set);
  CHECK(value_of((*t.set)[0]) == Approx(10.4).epsilon(0.07));
  CHECK(value_of((*t.set)[1]) == Approx(13.8).epsilon(0.07));
  CHECK(t.selected);
  const row& r = t.rows[t.best_row];
  CHECK(std::abs(r.objective->value - 10) < 3 * r.objective->half_width());
  // The noise is 3 parts common and 1 part of each value's own.
  for (const neighbours& n : t.common_seeds) {
    CHECK(n.reduction > 3);
    CHECK(n.reduction < 40);
  }
}

TEST_CASE("tune: nothing is judged on a seed that it was chosen on") {
  const results::scratch scratch;
  std::set<std::uint64_t> first;
  std::set<std::uint64_t> fresh;
  for (std::size_t k = 0; k < 1000; ++k) {
    first.insert(sweep::seed_of(42, sweep::seed_block::first, k));
    fresh.insert(sweep::seed_of(42, sweep::seed_block::fresh, k));
  }
  CHECK(first.size() == 1000);
  for (const std::uint64_t s : fresh) {
    CHECK_FALSE(first.contains(s));
  }
  const found f = search({valley}, {});
  const std::size_t judged = f.result.rows[f.result.best_row].seeds;
  CHECK(f.seeds.size() == f.result.selection_seeds + judged);
}

TEST_CASE("tune: a best value at an end is a boundary, and one everywhere is flat") {
  const found up = search({[](const numbers& x) { return 10 - std::log(x[0]); }}, {});
  CHECK(up.result.answer == tuning_status::boundary);
  CHECK(up.result.why.find("60s") != std::string::npos);
  CHECK(code_of(up.result) == exit_code::inconclusive);
  const found down = search({[](const numbers& x) { return 10 + std::log(x[0]); }}, {});
  CHECK(down.result.answer == tuning_status::boundary);
  CHECK(down.result.why.find("3s") != std::string::npos);
  const found plateau =
      search({[](const numbers& x) { return x[0] < 12 ? 10 + (12 - x[0]) : 10.0; }}, {});
  CHECK(plateau.result.answer == tuning_status::boundary);
  const found flat = search({[](const numbers&) { return 10.0; }}, {});
  CHECK(flat.result.answer == tuning_status::flat);
  CHECK(code_of(flat.result) == exit_code::inconclusive);
}

TEST_CASE("tune: a budget that does not suffice is inconclusive, not a number") {
  figures loud{valley};
  loud.noise = 40;
  asked a;
  a.how.runs = 600;
  const found f = search(loud, a);
  CHECK(f.result.answer == tuning_status::inconclusive);
  CHECK_FALSE(f.result.why.empty());
  CHECK(code_of(f.result) == exit_code::inconclusive);
}

TEST_CASE("tune: a budget that leaves the interval and the set open is inconclusive") {
  asked a;
  a.how.runs = 300;
  const tuning t = search({valley}, a).result;
  CHECK(t.answer == tuning_status::inconclusive);
  CHECK(code_of(t) == exit_code::inconclusive);
  CHECK(has(t.why, "the budget was spent before anything between the values of the grid"));
  CHECK(has(report::text_of(t, {}, {}), "best so far  lease.ttl = 11.36s"));
  CHECK(has(report::text_of(t, {}, {}), "on 9 fresh seeds"));
}

TEST_CASE("tune: without fresh seeds what the search saw is shown, and not taken for an answer") {
  asked a;
  a.how.runs = 200;
  asked timed;
  timed.time = {.seconds_of_a_run = 1, .seconds = 230};
  for (const asked& each : {a, timed}) {
    const tuning t = search({valley}, each).result;
    CAPTURE(t.why);
    CHECK(t.answer == tuning_status::inconclusive);
    CHECK(t.unjudged);
    REQUIRE(t.rows.size() == 10);
    CHECK(t.rows[t.best_row].values == t.best);
    CHECK(t.rows[t.best_row].seeds == 20);
    CHECK(t.rows[0].regret->value > 0.4);
    for (const row& r : t.rows) {
      CHECK((r.status == row_status::best || r.status == row_status::open));
    }
    CHECK(t.notes.empty());
    const std::string text = report::text_of(t, {}, {});
    CHECK(has(text, "on 20 seeds of the search, which chose it: not confirmed"));
    CHECK(
        has(text, "What each value cost in the runs of the search, on seeds that confirm nothing"));
    CHECK(has(report::json_of(t, {}), "\"rows_on\": \"seeds of the search\""));
  }
}

TEST_CASE("tune: it says among how many it selected, and how many were out") {
  figures w{valley};
  w.late = [](const numbers& x) { return 4 * x[0]; };
  asked a;
  a.constraints = {"ttm.p95 <= 30s"};
  const tuning t = search(w, a).result;
  CHECK(t.screened - t.left_out == 3);  // 3 s, 4.185 s, 5.838 s
  const std::string text = whole_text_of(t);
  CHECK_FALSE(has(report::text_of(t, {}, {}), "was chosen among"));
  CHECK(has(report::text_of(t, {}, {}), "How sure that is, what was ruled out"));
  CHECK_FALSE(has(text, "How sure that is"));
  CHECK(has(text, "was chosen among 3 by the procedure of Kim and Nelson"));
  CHECK(has(text, "Of 10 values 7 could not be"));
  CHECK(has(whole_text_of(search({valley}, {}).result), "was chosen among 10 by"));
  a.constraints = {"ttm.p95 <= 14s"};
  CHECK(has(whole_text_of(search(w, a).result), "The only one of 10 values"));
}

TEST_CASE("tune: figures that are asked for are measured, and stand in the table alone") {
  asked a;
  a.shown = {"accepts.late_rate", "rides.match_rate"};
  const tuning t = search({valley}, a).result;
  REQUIRE(t.shown.size() == 5);  // four always, and one more
  CHECK(t.shown.back() == "accepts.late_rate");
  CHECK(t.rows[t.best_row].figure(4)->value == 1);
  CHECK_FALSE(t.rows[t.best_row].figure(5));
  report::tuning_account account;
  account.shown.metrics = a.shown;
  const std::string text = report::text_of(t, account, {});
  CHECK(has(text, "doubles  accepts.late_rate  matched  seeds"));
  CHECK(has(report::text_of(t, {}, {}), "missed  hidden  matched  ttm p95  seeds"));
  CHECK(has(report::json_of(t, {}), "\"accepts.late_rate\""));
}

TEST_CASE("tune: what breaks a promise is never chosen") {
  figures w{valley};
  w.breaks = [](const numbers& x) { return x[0] > 7; };
  const found f = search(w, {});
  CHECK(value_of(f.result.best[0]) <= 7);
  REQUIRE(f.result.broken);
  CHECK(value_of(f.result.broken_at[0]) > 7);
  w.breaks = [](const numbers&) { return true; };
  const found all = search(w, {});
  CHECK(all.result.answer == tuning_status::unsafe);
  CHECK(code_of(all.result) == exit_code::invariant_broke);
}

TEST_CASE("tune: what assigns somebody twice is never chosen, whatever its protocol promises") {
  figures w{valley};
  w.doubles = [](const numbers& x) { return x[0] < 20 ? 1.5 : 0; };
  asked a;
  a.set = {{"lease.protocol", "lease"}};
  const found f = search(w, a);
  CHECK(value_of(f.result.best[0]) >= 20);
  CHECK(f.result.answer == tuning_status::boundary);
  CHECK(f.result.is_cut_off);
  CHECK(has(f.result.why, "would be better, but for drivers on 2 trips"));
  CHECK_FALSE(f.result.broken);
  const std::string text = report::text_of(f.result, {}, {});
  CHECK(has(report::json_of(f.result, {}), "\"promises_no_double\": false"));
  CHECK(has(text, "lease.ttl = 15s is out: drivers on 2 trips"));
  CHECK(has(text, "* none seen: at most this, at 99.9 %"));
  CHECK(has(report::json_of(f.result, {}), "double.commits"));
  a.allows_doubles = true;
  const found lifted = search(w, a);
  CHECK(lifted.result.answer == tuning_status::found);
  CHECK(valley({value_of(lifted.result.best[0])}) <= 10.1);
  CHECK(has(report::text_of(lifted.result, {}, {}),
            "drivers on 2 trips a run (lease does not promise S4)"));
  w.doubles = [](const numbers&) { return 0.0; };
  w.withdrawn = [](const numbers&) { return 1.0; };
  a.allows_doubles = false;
  const found none = search(w, a);
  CHECK(none.result.answer == tuning_status::infeasible);
  CHECK(has(none.result.why, "broken promises to riders"));
}

TEST_CASE("tune: of a harm that the search saw the table does not say that there was none") {
  row r;
  r.seeds = 20;
  r.forbidden = {stats::estimate{}, stats::estimate{}, stats::estimate{}};
  CHECK(report::doubles_cell(r).is_bound);
  r.why = "drivers on 2 trips";
  CHECK(report::doubles_cell(r).text == "seen");
  CHECK_FALSE(report::doubles_cell(r).is_bound);
  r.why = "broken promises to riders";
  CHECK(report::doubles_cell(r).is_bound);
  // Some run of the search shows a double assignment at 60 s, and none on fresh seeds does.
  figures w{valley};
  w.doubles_on = [](const numbers& x, std::uint64_t seed) {
    return x[0] > 50 && seed == sweep::seed_of(42, sweep::seed_block::first, 3) ? 1.0 : 0.0;
  };
  asked a;
  a.set = {{"lease.protocol", "lease"}};
  const std::string text = report::text_of(search(w, a).result, {}, {});
  const std::size_t at = text.find("lease.ttl=60s");
  REQUIRE(at != std::string::npos);
  const std::string line = text.substr(at, text.find('\n', at) - at);
  CHECK(has(line, " seen "));
  CHECK(has(line, "unsafe"));
  CHECK(has(text, "seen: in a run of the search, though in none of these"));
}

TEST_CASE("tune: what is harmed beyond the best, and costs more, cuts nothing off") {
  figures w{valley};
  w.doubles = [](const numbers& x) { return x[0] > 40 ? 1 : 0; };
  const found f = search(w, {});
  CHECK(f.result.answer == tuning_status::found);
  CHECK(valley({value_of(f.result.best[0])}) <= 10.1);
}

TEST_CASE("tune: a constraint is met by what is chosen, or nothing is") {
  figures w{valley};
  w.late = [](const numbers& x) { return 4 * x[0]; };
  asked a;
  a.constraints = {"ttm.p95 <= 30s"};
  const found f = search(w, a);
  INFO(f.result.why);
  CHECK(value_of(f.result.best[0]) <= 7.5);
  CHECK(value_of(f.result.best[0]) >= 7.3);
  CHECK(f.result.answer == tuning_status::boundary);
  CHECK(f.result.is_cut_off);
  CHECK(has(f.result.why, "ttm.p95 <= 30s is not shown to be met"));
  CHECK_FALSE(f.result.interval[0]);  // of a value that only the constraint holds back
  REQUIRE(f.result.constraints.size() == 1);
  CHECK(f.result.constraints[0].at_least >= 0);
  a.constraints = {"ttm.p95 <= 1s"};
  const found none = search(w, a);
  CHECK(none.result.answer == tuning_status::infeasible);
  CHECK(code_of(none.result) == exit_code::threshold_missed);
}

TEST_CASE("tune: none in some runs is no share, however small, but none is what can be asked for") {
  asked a;
  a.allows_doubles = true;
  a.constraints = {"promises.broken <= 0.001"};
  const found rare = search({valley}, a);
  CHECK(rare.result.answer == tuning_status::inconclusive);
  CHECK(has(rare.result.why, "it is open whether the chosen value meets the constraints"));
  a.constraints = {"promises.broken <= 1"};
  const found often = search({valley}, a);
  INFO(often.result.why);
  CHECK(often.result.answer == tuning_status::found);
  REQUIRE(often.result.constraints.size() == 1);
  const double seeds = static_cast<double>(often.result.rows[often.result.best_row].seeds);
  CHECK(often.result.constraints[0].at_least == Approx(1 + std::log(0.05) / seeds));
  a.constraints = {"promises.broken <= 0"};
  const found never = search({valley}, a);
  INFO(never.result.why);
  CHECK(never.result.answer == tuning_status::found);
  REQUIRE(never.result.constraints.size() == 1);
  CHECK(never.result.constraints[0].only_refutable);
  CHECK(has(report::text_of(never.result, {}, {}),
            "constraint  promises.broken <= 0: none seen, so at most"));
}

TEST_CASE("tune: up to where a condition ends, and no further than the best before it") {
  asked a;
  a.where = {"lease.ttl <= 10.5s"};
  const found f = search({valley}, a);
  CHECK(f.result.best[0] == "10.5s");
  CHECK(f.result.answer == tuning_status::boundary);
  CHECK(has(f.result.why, "lease.ttl=10.5s is the best that is allowed"));
  a.where = {"lease.ttl >= 18s"};
  CHECK(search({valley}, a).result.best[0] == "18s");
  a.where = {"lease.ttl <= 20s"};
  const found inside = search({valley}, a);
  CHECK(inside.result.answer == tuning_status::found);
  CHECK(valley({value_of(inside.result.best[0])}) <= 10.1);
}

TEST_CASE("tune: what is held back of a budget is left") {
  sweep::experiment runs(1,
                         {.runs = 100, .held_back = 30},
                         [](std::span<const sweep::task>, const auto&) { return result<void>(); });
  CHECK(runs.left() == 70);
  CHECK_FALSE(*runs.extend(std::vector<std::uint32_t>{1}, sweep::seed_block::first, 71, 0));
  CHECK(runs.runs() == 0);
  CHECK(runs.left_with_held() == 100);
}

TEST_CASE(
    "tune: time that is up ends the search between two runs, and nothing is said to be best") {
  asked a;
  a.time = {.seconds_of_a_run = 2, .seconds = 7};
  const found f = search({valley}, a);
  CHECK(f.runs == 4);
  CHECK(f.result.answer == tuning_status::inconclusive);
  CHECK(code_of(f.result) == exit_code::inconclusive);
  CHECK(has(f.result.why, "the time was spent after 4 of the 200 runs"));
  // Wherever it ends: at most one run late, and never with an answer that was not judged.
  for (const double seconds : {420.0, 700.0, 1000.0, 1700.0}) {
    a.time.seconds = seconds;
    const found later = search({valley}, a);
    CAPTURE(seconds, later.runs);
    CHECK(2.0 * static_cast<double>(later.runs) <= seconds + 2);
    CHECK((later.result.answer == tuning_status::found || !later.result.why.empty()));
  }
}

TEST_CASE("tune: time that is up leaves each point its first seeds without a gap") {
  double elapsed = 0;
  sweep::experiment runs(1,
                         {.seconds = 5, .elapsed = [&] { return elapsed; }},
                         [&](std::span<const sweep::task> tasks, const sweep::observer& keep) {
                           // As threads may finish: the third task comes first.
                           for (const std::size_t i : {2U, 0U, 5U, 1U, 4U, 3U}) {
                             elapsed += i < tasks.size() ? 1 : 0;
                             if (i < tasks.size() && !keep(i, {})) {
                               break;
                             }
                           }
                           return result<void>();
                         });
  const std::vector<std::uint32_t> points{1, 2};
  CHECK_FALSE(*runs.extend(points, sweep::seed_block::first, 3, 0));
  CHECK(runs.is_time_up());
  CHECK(runs.runs() == 5);
  CHECK(runs.of(1, sweep::seed_block::first).size() == 3);
  CHECK(runs.of(2, sweep::seed_block::first).empty());
}

TEST_CASE("tune: where the best is 0, what is shown to be above it is worse, and nothing is flat") {
  // One in 300 at the worst, as of promises that break: less than any absolute 0.01.
  figures w{[](const numbers& x) { return 0.0003 * (x[0] - 2); }};
  w.noise = 0;
  asked a;
  a.search = {"matchers.count=2,3,4"};
  const found f = search(w, a);
  CHECK(f.result.answer == tuning_status::found);
  CHECK(f.result.best[0] == "2");
  CHECK(f.result.in_unit);
  for (std::size_t r = 0; r < f.result.rows.size(); ++r) {
    if (r != f.result.best_row) {
      CHECK(f.result.rows[r].status == row_status::worse);
      CHECK(f.result.rows[r].regret->value ==
            Approx(0.0003 * (value_of(f.result.rows[r].values[0]) - 2)));
    }
  }
  const std::string text = report::text_of(f.result, {}, {});
  CHECK(has(text, "in the objective's own unit"));
  CHECK(has(text, "300 +/- 0 us"));
  tuning of_shares = f.result;
  of_shares.unit = text::unit::share;
  of_shares.constraints = {{.text = "rides.match_rate >= 80%",
                            .unit = text::unit::share,
                            .room = stats::within(0.012, 0.003),
                            .at_least = 0.009}};
  const std::string told = report::text_of(of_shares, {}, {});
  CHECK(has(told, "0.0300 +/- 0.0000 points"));
  CHECK(has(told, "room 1.20 +/- 0.30 points, at least 0.900 points (95 %, one-sided)"));
  w.cost = [](const numbers&) { return 0; };
  const found same = search(w, a);
  CHECK(same.result.answer == tuning_status::flat);
  CHECK(same.result.why == "no value differs from the best");
}
