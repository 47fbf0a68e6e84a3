// Goal: a search finds what is best, says so where nothing is, and judges on fresh seeds.
// Method: invented figures with noise that is common to all values, in place of runs.

#include "study/tune.hpp"

#include "base/random.hpp"
#include "study/harm_words.hpp"
#include "study/small.hpp"
#include "study/tuning_text.hpp"
#include "study/verdict.hpp"

#include <cmath>
#include <map>
#include <set>

using namespace dibs;
using namespace dibs::study;
using namespace dibs::study::test;

namespace {

/// Values of the searched fields as numbers.
using numbers = std::vector<double>;

struct figures {
  std::function<double(const numbers&)> cost;
  std::function<double(const numbers&)> late = [](const numbers&) { return 10.0; };
  std::function<bool(const numbers&)> breaks = [](const numbers&) { return false; };
  double noise = 0.2;
  std::function<double(const numbers&)> doubles = [](const numbers&) { return 0.0; };
  std::function<double(const numbers&, std::uint64_t)> doubles_on =
      [](const numbers&, std::uint64_t) { return 0.0; };
  std::function<double(const numbers&)> withdrawn = [](const numbers&) { return 0.0; };
  std::function<double(const numbers&)> missed = [](const numbers&) { return 1.0; };
  std::function<double(const numbers&)> hidden = [](const numbers&) { return 1.0; };
  std::function<double(const numbers&)> matched = [](const numbers&) { return 0.9; };
};

double deviation(std::uint64_t seed, std::uint64_t key) {
  stream s = stream::keyed(seed, purpose::replication, key);
  return std::sqrt(3.0) * (2 * s.unit() - 1);
}

struct test_clock {
  double seconds_of_a_run = 0;  ///< 0: the budget is in runs
  double seconds = 0;           ///< of the budget
};

struct asked {
  std::vector<std::string> search{"lease.ttl=3s..60s"};
  std::vector<std::string> constraints{};
  tuning_options how{};
  std::vector<std::string> where{};
  std::string objective = "ttm.mean";
  test_clock time{};
  bool allows_doubles = false;
  std::vector<scenario::override_value> set{};
  std::optional<figures> elsewhere{};  ///< of the demand that is held out
};

struct found {
  tuning result;
  tuning held_out;
  std::set<std::uint64_t> seeds;
  std::uint64_t runs = 0;
};

observed observed_at(const figures& w,
                     const numbers& x,
                     const task& t,
                     const std::vector<std::string>& names) {
  const double shared = deviation(t.seed, 0);
  const double own = deviation(t.seed, scramble(t.point));
  observed o;
  for (const std::string& name : names) {
    const double value = name == "ttm.mean"           ? w.cost(x) + w.noise * (3 * shared + own)
                         : name == "ttm.p95"          ? w.late(x) + 0.1 * own
                         : name == "double.commits"   ? w.doubles(x) + w.doubles_on(x, t.seed)
                         : name == "promises.broken"  ? w.withdrawn(x)
                         : name == "rides.match_rate" ? w.matched(x) - 0.001 * std::abs(own)
                         : name == "double.rides"     ? 0
                         : name == "accepts.missed"   ? w.missed(x) + 0.1 * shared + 0.01 * own
                         : name == "supply.hidden_s"  ? w.hidden(x) + 0.5 * shared
                                                      : 1;
    o.figures.push_back({value, 1});
  }
  o.violations = w.breaks(x) ? 1 : 0;
  o.breach = "S4";
  return o;
}

found search(const figures& w, const asked& a, std::uint64_t seed = 42) {
  const report::scratch scratch;
  space_request r;
  r.file = small_file(scratch);
  r.search = a.search;
  r.where = a.where;
  r.overrides = a.set;
  r.seed = seed;
  auto where = space::make(r);
  INFO((where ? "" : where.error().why.text));
  REQUIRE(where);
  const auto what = goal::make(
      {.objective = a.objective, .constraints = a.constraints, .allows_doubles = a.allows_doubles},
      {});
  INFO((what ? "" : what.error().text));
  REQUIRE(what);
  found f;
  const auto& names = what->index.names();
  double elapsed = 0;
  const figures* here = &w;
  budget limits{.runs = a.how.runs};
  if (a.time.seconds > 0) {
    limits.seconds = a.time.seconds;
    limits.elapsed = [&] { return elapsed; };
  }
  const experiment experiment_here = [&](std::span<const task> tasks, const observer& keep) {
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      numbers x;
      for (const std::string& text : where->choice_of(tasks[i].point)) {
        x.push_back(std::strtod(text.c_str(), nullptr));
      }
      f.seeds.insert(tasks[i].seed);
      observed o = observed_at(*here, x, tasks[i], names);
      elapsed += a.time.seconds_of_a_run;
      ++f.runs;
      if (!keep(i, std::move(o))) {
        break;
      }
    }
    return result<void>();
  };
  lab runs(seed, limits, experiment_here);
  auto result = tune(*where, *what, a.how, runs, [](const std::string&) {});
  INFO((result ? "" : result.error().text));
  REQUIRE(result);
  f.result = std::move(*result);
  if (a.elsewhere) {
    here = &*a.elsewhere;
    lab other(seed + 1, {}, experiment_here);
    auto judged =
        verdict({*where, *what, a.how, other, [](const std::string&) {}}).elsewhere(f.result, 20);
    REQUIRE(judged);
    f.held_out = std::move(*judged);
  }
  CHECK(f.result.spent.all() == runs.runs());
  CHECK(runs.runs() <= a.how.runs);
  return f;
}

double value_of(const std::string& text) { return std::strtod(text.c_str(), nullptr); }

/// Least at 12 s, where it is 10; 1 % worse at 9.8 s and 14.7 s.
double valley(const numbers& x) {
  const double u = std::log(x[0] / 12);
  return 10 + 2.5 * u * u;
}

/// The restart law: steep below its least value at 11.787 s, flat above.
double lopsided(const numbers& x) {
  const double answered = 1 - std::exp(-x[0] / 6);
  return (5 + 0.2 * x[0] + 0.8 * 6 * answered) / (0.8 * answered);
}

/// As a rate that is lost to expiry below its least cost, at 21.19 s, and to waiting above: what is
/// steep on one side is nearly flat on the other.
double flat_lopsided(const numbers& x) { return 44 + 40 * std::exp(-x[0] / 4) + 0.05 * x[0]; }
constexpr double flat_lopsided_best = 21.193;

}  // namespace

TEST_CASE("tune: the best value is found, with its interval and the set that is as good") {
  const found f = search({valley}, {});
  const tuning& t = f.result;
  CHECK(t.answer == answer::found);
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
  CHECK(std::abs(r.objective->value - 10) < 3 * r.objective->half_width);
  // The noise is 3 parts common and 1 part of each value's own.
  for (const neighbours& n : t.common_seeds) {
    CHECK(n.reduction > 3);
    CHECK(n.reduction < 40);
  }
}

TEST_CASE("tune: nothing is judged on a seed that it was chosen on") {
  const report::scratch scratch;
  std::set<std::uint64_t> first;
  std::set<std::uint64_t> fresh;
  for (std::size_t k = 0; k < 1000; ++k) {
    first.insert(seed_of(42, block::first, k));
    fresh.insert(seed_of(42, block::fresh, k));
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
  CHECK(up.result.answer == answer::boundary);
  CHECK(up.result.why.find("60s") != std::string::npos);
  CHECK(code_of(up.result) == exit_code::inconclusive);
  const found down = search({[](const numbers& x) { return 10 + std::log(x[0]); }}, {});
  CHECK(down.result.answer == answer::boundary);
  CHECK(down.result.why.find("3s") != std::string::npos);
  const found plateau =
      search({[](const numbers& x) { return x[0] < 12 ? 10 + (12 - x[0]) : 10.0; }}, {});
  CHECK(plateau.result.answer == answer::boundary);
  const found flat = search({[](const numbers&) { return 10.0; }}, {});
  CHECK(flat.result.answer == answer::flat);
  CHECK(code_of(flat.result) == exit_code::inconclusive);
}

TEST_CASE("tune: a budget that does not suffice is inconclusive, not a number") {
  figures loud{valley};
  loud.noise = 40;
  asked a;
  a.how.runs = 600;
  const found f = search(loud, a);
  CHECK(f.result.answer == answer::inconclusive);
  CHECK_FALSE(f.result.why.empty());
  CHECK(code_of(f.result) == exit_code::inconclusive);
}

TEST_CASE("tune: a budget that leaves the interval and the set open is inconclusive") {
  asked a;
  a.how.runs = 300;
  const tuning t = search({valley}, a).result;
  CHECK(t.answer == answer::inconclusive);
  CHECK(code_of(t) == exit_code::inconclusive);
  CHECK(has(t.why, "the budget was spent before anything between the values of the grid"));
  CHECK(has(text_of(t, {}, {}), "best so far  lease.ttl = 11.36s"));
  CHECK(has(text_of(t, {}, {}), "on 9 fresh seeds"));
}

TEST_CASE("tune: without fresh seeds what the search saw is shown, and not taken for an answer") {
  asked a;
  a.how.runs = 200;
  asked timed;
  timed.time = {.seconds_of_a_run = 1, .seconds = 230};
  for (const asked& each : {a, timed}) {
    const tuning t = search({valley}, each).result;
    CAPTURE(t.why);
    CHECK(t.answer == answer::inconclusive);
    CHECK(t.unjudged);
    REQUIRE(t.rows.size() == 10);
    CHECK(t.rows[t.best_row].values == t.best);
    CHECK(t.rows[t.best_row].seeds == 20);
    CHECK(t.rows[0].regret->value > 0.4);
    for (const row& r : t.rows) {
      CHECK((r.standing == standing::best || r.standing == standing::open));
    }
    CHECK(t.notes.empty());
    const std::string text = text_of(t, {}, {});
    CHECK(has(text, "on 20 seeds of the search, which chose it: not confirmed"));
    CHECK(
        has(text, "What each value cost in the runs of the search, on seeds that confirm nothing"));
    CHECK(has(json_of(t, {}), "\"rows_on\": \"seeds of the search\""));
  }
}

TEST_CASE("tune: it says among how many it selected, and how many were out") {
  figures w{valley};
  w.late = [](const numbers& x) { return 4 * x[0]; };
  asked a;
  a.constraints = {"ttm.p95 <= 30s"};
  const tuning t = search(w, a).result;
  CHECK(t.screened - t.left_out == 3);  // 3 s, 4.185 s, 5.838 s
  const std::string text = text_of(t, {}, {});
  CHECK(has(text, "was chosen among 3 by the procedure of Kim and Nelson"));
  CHECK(has(text, "Of 10 values 7 could not be"));
  CHECK(has(text_of(search({valley}, {}).result, {}, {}), "was chosen among 10 by"));
  a.constraints = {"ttm.p95 <= 14s"};
  CHECK(has(text_of(search(w, a).result, {}, {}), "The only one of 10 values"));
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
  CHECK(all.result.answer == answer::unsafe);
  CHECK(code_of(all.result) == exit_code::invariant_broke);
}

TEST_CASE("tune: what assigns somebody twice is never chosen, whatever its protocol promises") {
  figures w{valley};
  w.doubles = [](const numbers& x) { return x[0] < 20 ? 1.5 : 0; };
  asked a;
  a.set = {{"lease.protocol", "lease"}};
  const found f = search(w, a);
  CHECK(value_of(f.result.best[0]) >= 20);
  CHECK(f.result.answer == answer::boundary);
  CHECK(f.result.is_cut_off);
  CHECK(has(f.result.why, "would be better, but for drivers on 2 trips"));
  CHECK_FALSE(f.result.broken);
  const std::string text = text_of(f.result, {}, {});
  CHECK(has(json_of(f.result, {}), "\"promises_no_double\": false"));
  CHECK(has(text, "lease.ttl = 15s is out: drivers on 2 trips"));
  CHECK(has(text, "* none seen: at most this, at 99.9 %"));
  CHECK(has(json_of(f.result, {}), "double.commits"));
  a.allows_doubles = true;
  const found lifted = search(w, a);
  CHECK(lifted.result.answer == answer::found);
  CHECK(valley({value_of(lifted.result.best[0])}) <= 10.1);
  CHECK(
      has(text_of(lifted.result, {}, {}), "drivers on 2 trips a run (lease does not promise S4)"));
  w.doubles = [](const numbers&) { return 0.0; };
  w.withdrawn = [](const numbers&) { return 1.0; };
  a.allows_doubles = false;
  const found none = search(w, a);
  CHECK(none.result.answer == answer::infeasible);
  CHECK(has(none.result.why, "broken promises to riders"));
}

TEST_CASE("tune: of a harm that the search saw the table does not say that there was none") {
  row r;
  r.seeds = 20;
  r.forbidden = {figure{}, figure{}, figure{}};
  CHECK(doubles_cell(r).is_bound);
  r.why = "drivers on 2 trips";
  CHECK(doubles_cell(r).text == "seen");
  CHECK_FALSE(doubles_cell(r).is_bound);
  r.why = "broken promises to riders";
  CHECK(doubles_cell(r).is_bound);
  // Some run of the search shows a double assignment at 60 s, and none on fresh seeds does.
  figures w{valley};
  w.doubles_on = [](const numbers& x, std::uint64_t seed) {
    return x[0] > 50 && seed == seed_of(42, block::first, 3) ? 1.0 : 0.0;
  };
  asked a;
  a.set = {{"lease.protocol", "lease"}};
  const std::string text = text_of(search(w, a).result, {}, {});
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
  CHECK(f.result.answer == answer::found);
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
  CHECK(f.result.answer == answer::boundary);
  CHECK(f.result.is_cut_off);
  CHECK(has(f.result.why, "ttm.p95 <= 30s is not shown to be met"));
  CHECK_FALSE(f.result.interval[0]);  // of a value that only the constraint holds back
  REQUIRE(f.result.constraints.size() == 1);
  CHECK(f.result.constraints[0].at_least >= 0);
  a.constraints = {"ttm.p95 <= 1s"};
  const found none = search(w, a);
  CHECK(none.result.answer == answer::infeasible);
  CHECK(code_of(none.result) == exit_code::threshold_missed);
}

TEST_CASE("tune: none in some runs is no share, however small, but none is what can be asked for") {
  asked a;
  a.allows_doubles = true;
  a.constraints = {"promises.broken <= 0.001"};
  const found rare = search({valley}, a);
  CHECK(rare.result.answer == answer::inconclusive);
  CHECK(has(rare.result.why, "it is open whether the chosen value meets the constraints"));
  a.constraints = {"promises.broken <= 1"};
  const found often = search({valley}, a);
  INFO(often.result.why);
  CHECK(often.result.answer == answer::found);
  REQUIRE(often.result.constraints.size() == 1);
  const double seeds = static_cast<double>(often.result.rows[often.result.best_row].seeds);
  CHECK(often.result.constraints[0].at_least == Approx(1 + std::log(0.05) / seeds));
  a.constraints = {"promises.broken <= 0"};
  const found never = search({valley}, a);
  INFO(never.result.why);
  CHECK(never.result.answer == answer::found);
  REQUIRE(never.result.constraints.size() == 1);
  CHECK(never.result.constraints[0].only_refutable);
  CHECK(has(text_of(never.result, {}, {}),
            "constraint  promises.broken <= 0: none seen, so at most"));
}

TEST_CASE("tune: up to where a condition ends, and no further than the best before it") {
  asked a;
  a.where = {"lease.ttl <= 10.5s"};
  const found f = search({valley}, a);
  CHECK(f.result.best[0] == "10.5s");
  CHECK(f.result.answer == answer::boundary);
  CHECK(has(f.result.why, "lease.ttl=10.5s is the best that is allowed"));
  a.where = {"lease.ttl >= 18s"};
  CHECK(search({valley}, a).result.best[0] == "18s");
  a.where = {"lease.ttl <= 20s"};
  const found inside = search({valley}, a);
  CHECK(inside.result.answer == answer::found);
  CHECK(valley({value_of(inside.result.best[0])}) <= 10.1);
}

TEST_CASE("tune: what is held back of a budget is left") {
  lab runs(1, {.runs = 100, .held_back = 30}, [](std::span<const task>, const auto&) {
    return result<void>();
  });
  CHECK(runs.left() == 70);
  CHECK_FALSE(*runs.extend(std::vector<std::uint32_t>{1}, block::first, 71, 0));
  CHECK(runs.runs() == 0);
  CHECK(runs.left_with_held() == 100);
}

TEST_CASE(
    "tune: time that is up ends the search between two runs, and nothing is said to be best") {
  asked a;
  a.time = {.seconds_of_a_run = 2, .seconds = 7};
  const found f = search({valley}, a);
  CHECK(f.runs == 4);
  CHECK(f.result.answer == answer::inconclusive);
  CHECK(code_of(f.result) == exit_code::inconclusive);
  CHECK(has(f.result.why, "the time was spent after 4 of the 200 runs"));
  // Wherever it ends: at most one run late, and never with an answer that was not judged.
  for (const double seconds : {420.0, 700.0, 1000.0, 1700.0}) {
    a.time.seconds = seconds;
    const found later = search({valley}, a);
    CAPTURE(seconds, later.runs);
    CHECK(2.0 * static_cast<double>(later.runs) <= seconds + 2);
    CHECK((later.result.answer == answer::found || !later.result.why.empty()));
  }
}

TEST_CASE("tune: time that is up leaves each point its first seeds without a gap") {
  double elapsed = 0;
  lab runs(1,
           {.seconds = 5, .elapsed = [&] { return elapsed; }},
           [&](std::span<const task> tasks, const observer& keep) {
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
  CHECK_FALSE(*runs.extend(points, block::first, 3, 0));
  CHECK(runs.is_time_up());
  CHECK(runs.runs() == 5);
  CHECK(runs.of(1, block::first).size() == 3);
  CHECK(runs.of(2, block::first).empty());
}

TEST_CASE("tune: where the best is 0, what is shown to be above it is worse, and nothing is flat") {
  // One in 300 at the worst, as of promises that break: less than any absolute 0.01.
  figures w{[](const numbers& x) { return 0.0003 * (x[0] - 2); }};
  w.noise = 0;
  asked a;
  a.search = {"matchers.count=2,3,4"};
  const found f = search(w, a);
  CHECK(f.result.answer == answer::found);
  CHECK(f.result.best[0] == "2");
  CHECK(f.result.in_unit);
  for (std::size_t r = 0; r < f.result.rows.size(); ++r) {
    if (r != f.result.best_row) {
      CHECK(f.result.rows[r].standing == standing::worse);
      CHECK(f.result.rows[r].regret->value ==
            Approx(0.0003 * (value_of(f.result.rows[r].values[0]) - 2)));
    }
  }
  const std::string text = text_of(f.result, {}, {});
  CHECK(has(text, "in the objective's own unit"));
  CHECK(has(text, "300 +/- 0 us"));
  w.cost = [](const numbers&) { return 0; };
  const found same = search(w, a);
  CHECK(same.result.answer == answer::flat);
  CHECK(same.result.why == "no value differs from the best");
}

TEST_CASE("tune: the set that is as good holds no value that the table does not") {
  int sets = 0;
  for (std::uint64_t s = 1; s <= 40; ++s) {
    asked a;
    a.how.runs = s % 2 == 0 ? 3000 : 500;
    a.how.delta = 0.05;
    const tuning t = search({valley}, a, s).result;
    if (t.answer != answer::found && t.answer != answer::inconclusive) {
      continue;
    }
    CHECK(t.set.has_value() != !t.set_why.empty());
    if (!t.set) {
      continue;
    }
    ++sets;
    const double low = value_of((*t.set)[0]);
    const double high = value_of((*t.set)[1]);
    CHECK(low < high);
    for (const row& r : t.rows) {
      const double at = value_of(r.values[0]);
      CAPTURE(s, at, low, high);
      if (at >= low && at <= high) {
        CHECK((r.standing == standing::within || r.standing == standing::best));
      }
    }
    // Neighbours of the best that are as good are in it.
    for (std::size_t r = t.best_row; r-- > 0 && t.rows[r].standing == standing::within;) {
      CHECK(low <= value_of(t.rows[r].values[0]));
    }
  }
  CHECK(sets > 20);
}

// The scenario's 15 s, 1.2 % worse than the best of these.
TEST_CASE("tune: today's value gets as many looks as it takes") {
  asked a;
  a.search = {"lease.ttl=6s,12s,24s"};
  figures w{valley};
  w.noise = 1.5;
  const tuning t = search(w, a).result;
  const auto today =
      std::find_if(t.rows.begin(), t.rows.end(), [](const row& r) { return r.is_today; });
  REQUIRE(today != t.rows.end());
  CHECK_FALSE(today->searched);
  CHECK(today->seeds > 20);
}

// Off the grid it may be the best, and no fit leads there.
TEST_CASE("tune: nothing is best while today's value is shown to be better") {
  const auto beside = [](const numbers& x) {
    return x[0] == 15 ? 9.0 : 10 + 10 * (valley(x) - 10);
  };
  const found f = search({beside}, {});
  INFO(f.result.why);
  CHECK(f.result.answer == answer::inconclusive);
  CHECK(has(f.result.why, "lease.ttl=15s is better"));
  // One that was not asked for is no answer either way.
  asked narrow;
  narrow.search = {"lease.ttl=8s..14s"};
  CHECK(search({beside}, narrow).result.answer == answer::found);
}

TEST_CASE("tune: an interval ends where a condition does") {
  int intervals = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const found f = search({valley}, {.where = {"lease.ttl >= 11s"}}, seed);
    if (const auto& around = f.result.interval[0]) {
      ++intervals;
      CHECK(value_of((*around)[0]) >= 11);
    }
  }
  CHECK(intervals > 0);
}

TEST_CASE("tune: an interval ends at what cannot be chosen") {
  figures w{valley};
  w.late = [](const numbers& x) { return x[0] > 14 ? 60.0 : 30.0; };
  w.noise = 2;
  const found f = search(w, {.constraints = {"ttm.p95 <= 45s"}});
  INFO(f.result.why);
  REQUIRE(f.result.interval[0]);
  CHECK(value_of((*f.result.interval[0])[1]) <= 15);
}

TEST_CASE("tune: an interval goes no nearer to what is shown to be worse than to what is not") {
  int found_intervals = 0;
  for (std::uint64_t s = 1; s <= 60; ++s) {
    figures w{lopsided};
    w.noise = 1;
    asked a;
    a.how.first = 5;
    const tuning t = search(w, a, s).result;
    if (t.answer == answer::found) {
      CHECK(t.interval[0].has_value() == t.why.empty());
    }
    if (!t.interval[0]) {
      continue;
    }
    ++found_intervals;
    for (const row& r : t.rows) {
      if (r.standing == standing::worse) {
        const double at = value_of(r.values[0]);
        CAPTURE(s, at, t.best[0], (*t.interval[0])[0], (*t.interval[0])[1]);
        CHECK((at < value_of((*t.interval[0])[0]) || at > value_of((*t.interval[0])[1])));
      }
    }
  }
  CHECK(found_intervals > 20);
}

TEST_CASE("tune: of many searches the interval covers the optimum, and the set what it says") {
  int covered = 0;
  int counted = 0;
  int sound = 0;
  constexpr std::uint64_t searches = 200;
  for (std::uint64_t s = 1; s <= searches; ++s) {
    const tuning t = search({lopsided}, {}, s).result;
    if (t.answer != answer::found || !t.interval[0] || !t.set) {
      continue;
    }
    ++counted;
    covered += value_of((*t.interval[0])[0]) <= 11.787 && 11.787 <= value_of((*t.interval[0])[1]);
    const double limit = 1.01 * lopsided({value_of(t.best[0])});
    sound +=
        lopsided({value_of((*t.set)[0])}) <= limit && lopsided({value_of((*t.set)[1])}) <= limit;
  }
  CAPTURE(counted, covered, sound);
  CHECK(counted >= 0.9 * searches);
  CHECK(covered >= 0.93 * counted);
  CHECK(sound >= 0.95 * counted);
}

// There the winner's neighbours differ from it by less than noise, and the best may lie beyond
// them.
TEST_CASE("tune: on narrow ranges and dense grids the interval covers the optimum as well") {
  for (const char* range : {"8s..17s", "9s..14s", "3s..60s:log:40"}) {
    int covered = 0;
    int counted = 0;
    constexpr std::uint64_t searches = 150;
    for (std::uint64_t s = 1; s <= searches; ++s) {
      asked a;
      a.search = {std::string("lease.ttl=") + range};
      a.how.runs = 10'000;
      const tuning t = search({lopsided}, a, s).result;
      if (t.interval[0]) {
        ++counted;
        covered +=
            value_of((*t.interval[0])[0]) <= 11.787 && 11.787 <= value_of((*t.interval[0])[1]);
      }
    }
    CAPTURE(range, counted, covered);
    CHECK(counted >= 0.8 * searches);
    CHECK(covered >= 0.93 * counted);
  }
}

// Over a stretch wide enough for its bend to be seen no quadratic is like it.
TEST_CASE("tune: where the objective is flat on one side the interval covers the optimum as well") {
  int covered = 0;
  int counted = 0;
  constexpr std::uint64_t searches = 100;
  for (std::uint64_t s = 1; s <= searches; ++s) {
    figures w{flat_lopsided};
    w.noise = 0.3;
    const tuning t = search(w, {}, s).result;
    if (t.interval[0]) {
      ++counted;
      covered += value_of((*t.interval[0])[0]) <= flat_lopsided_best &&
                 flat_lopsided_best <= value_of((*t.interval[0])[1]);
    }
  }
  CAPTURE(counted, covered);
  CHECK(counted >= 0.9 * searches);
  CHECK(covered >= 0.92 * counted);
}

TEST_CASE("tune: the trade-off is weighed on seeds that all of it was run on") {
  figures w{valley};
  w.missed = [](const numbers& x) { return 1 + 12 / x[0]; };
  w.hidden = [](const numbers& x) { return x[0]; };
  const tuning t = search(w, {}).result;
  REQUIRE(t.exchanges.size() == t.rows.size());
  CHECK(t.exchanges[0].from == 0);
  for (std::size_t i = 1; i < t.exchanges.size(); ++i) {
    const exchange& e = t.exchanges[i];
    CHECK(t.rows[e.row].on_front);
    CHECK(t.rows[e.row].seeds >= t.exchange_seeds);
    CHECK(t.rows[e.row].seeds > 20);  // the ends are clearly worse after the first look
    const double at = value_of(t.rows[e.row].values[0]);
    const double before = value_of(t.rows[t.exchanges[i - 1].row].values[0]);
    const double weight = at * before / 12;
    CHECK(e.from == Approx(weight).epsilon(0.05));
    CHECK(e.from_within.low <= e.from);
    CHECK(e.from_within.high >= e.from);
    CHECK(t.exchanges[i - 1].to == e.from);
  }
  CHECK(t.of_grid.size() == 1);
  CHECK(has(text_of(t, {}, {}), "lease.ttl = " + t.of_grid[0] + " was chosen among 10 by"));
}

TEST_CASE("tune: a budget that is spent on the best leaves some for the trade-off") {
  figures w{valley};
  w.noise = 3;
  w.missed = [](const numbers& x) { return 1 + 12 / x[0]; };
  w.hidden = [](const numbers& x) { return x[0]; };
  asked a;
  a.how.runs = 2000;
  a.how.precision = 0.001;
  const tuning t = search(w, a).result;
  CHECK(t.answer == answer::inconclusive);
  CHECK(t.rows[t.best_row].seeds > 40);
  CHECK(t.exchange_seeds > 25);
}

TEST_CASE("tune: two fields that lean on each other, one of them in whole numbers") {
  asked a;
  a.search = {"lease.ttl=3s..60s", "matchers.count=2..9"};
  const found f = search({[](const numbers& x) {
                           const double u = std::log(x[0] / 12);
                           const double v = std::log(x[1] / 4);
                           return 10 + 4 * u * u + 3 * v * v + 2 * u * v;
                         }},
                         a);
  CHECK(f.result.answer == answer::found);
  CHECK(value_of(f.result.best[0]) == Approx(12).epsilon(0.3));
  CHECK(f.result.best[1] == "4");
  CHECK(f.result.edges.size() == 4);
}

TEST_CASE("tune: a kink, where no cubic has its least value, is not passed by") {
  const auto kinked = [](const numbers& x) {
    return 14 + x[0] + (x[0] < 5 ? 5 * (5 - x[0]) : 0.0);
  };
  for (const std::uint64_t seed : {1U, 2U, 3U, 4U, 5U, 6U, 7U, 8U, 9U, 10U}) {
    const tuning t = search({kinked}, {}, seed).result;
    CAPTURE(seed, t.best[0]);
    CHECK(kinked({value_of(t.best[0])}) <= 19 * 1.01);
    if (t.interval[0]) {
      CHECK(value_of((*t.interval[0])[0]) <= 5);
      CHECK(value_of((*t.interval[0])[1]) >= 5);
    }
  }
}

TEST_CASE("tune: a field without effect keeps none from its answer") {
  asked a;
  a.search = {"lease.ttl=3s..60s", "matchers.count=2..5"};
  const tuning t = search({valley}, a).result;
  CHECK(t.answer == answer::found);
  CHECK(valley({value_of(t.best[0])}) <= 10.1);
  const std::string text = text_of(t, {}, {});
  CHECK(has(text, "matchers.count makes no difference of more than 1 % there"));
  CHECK_FALSE(has(text, "lease.ttl makes no difference"));
}

TEST_CASE("tune: a list is chosen from as it is") {
  asked a;
  a.search = {"matchers.count=2,4,8"};
  const found f = search({[](const numbers& x) { return 10 + std::abs(x[0] - 4); }}, a);
  CHECK(f.result.answer == answer::found);
  CHECK(f.result.best[0] == "4");
  CHECK_FALSE(f.result.interval[0]);
}

TEST_CASE("tune: what is as good among several fields, or in a list, is named") {
  asked a;
  a.search = {"matchers.count=2,4,5,8"};
  const found f =
      search({[](const numbers& x) { return x[0] == 5 ? 10.01 : 10 + std::abs(x[0] - 4); }}, a);
  CHECK(f.result.best[0] == "4");
  REQUIRE(f.result.as_good.size() == 1);
  CHECK(f.result.as_good[0][0] == "5");
  CHECK(has(text_of(f.result, {}, {}), "as good     matchers.count = 5: shown (95 %)"));
  a.search = {"lease.ttl=9s,12s", "matchers.count=2,4"};
  const found two = search({[](const numbers& x) { return 10 + 0.001 * x[0] + x[1]; }}, a);
  REQUIRE(two.result.as_good.size() == 1);
  CHECK(has(text_of(two.result, {}, {}), "as good     lease.ttl = 12s, matchers.count = 2: shown"));
}

TEST_CASE("tune: of protocols that cost the same the one that promises more is chosen") {
  asked a;
  figures w{[](const numbers&) { return 10.0; }};
  w.noise = 0;
  for (const char* list : {"none,lease,fenced,hold", "fenced,lease", "lease,hold,fenced,none"}) {
    a.search = {std::string("lease.protocol=") + list};
    CHECK(search(w, a).result.best[0] == "fenced");
  }
}

TEST_CASE("tune: a second valley of the grid is told, a slope and noise are not") {
  asked a;
  const auto two_valleys = [](const numbers& x) {
    const double u = std::log(x[0] / 8);
    const double v = std::log(x[0] / 45);
    return 10 + std::min(3 * u * u, 0.2 + 3 * v * v);
  };
  const tuning t = search({two_valleys}, a).result;
  CHECK(value_of(t.best[0]) == Approx(8).epsilon(0.1));
  CHECK(has(text_of(t, {}, {}), "lies in a valley of its own"));
  // A bump far above the best hides nothing.
  const auto bump = [](const numbers& x) { return valley(x) + (x[0] > 3 && x[0] < 4.5 ? 5 : 0); };
  CHECK_FALSE(has(text_of(search({bump}, a).result, {}, {}), "a valley of its own"));
  for (const std::uint64_t seed : {1U, 2U, 3U, 4U, 5U, 6U}) {
    for (const auto& cost : {valley, lopsided}) {
      CHECK_FALSE(has(text_of(search({cost}, a, seed).result, {}, {}), "a valley of its own"));
    }
  }
}

TEST_CASE("tune: what is better on demand that was held out is called so") {
  asked a;
  a.elsewhere = figures{[](const numbers& x) {
    const double u = std::log(x[0] / 24);
    return 10 + 2.5 * u * u;
  }};
  const found f = search({valley}, a);
  CHECK(value_of(f.result.best[0]) == Approx(12).epsilon(0.1));
  const auto standing_at = [&](const std::string& value) {
    for (const row& r : f.held_out.rows) {
      if (r.values[0] == value) {
        return r.standing;
      }
    }
    FAIL(value << " is no row");
    return standing::open;
  };
  CHECK(standing_at(f.result.best[0]) == standing::best);
  CHECK(standing_at("22.1s") == standing::better);
  CHECK(standing_at("3s") == standing::worse);
}

TEST_CASE("tune: a time to match that is the least since fewer are matched is told of") {
  const asked a;
  figures w{valley};
  CHECK(has(a.objective, "ttm."));
  CHECK_FALSE(has(text_of(search(w, a).result, {}, {}), "counts matched rides alone"));
  w.matched = [](const numbers& x) { return 0.5 + 0.4 * std::min(1.0, x[0] / 30); };
  CHECK(has(text_of(search(w, a).result, {}, {}), "ttm.mean counts matched rides alone"));
}

TEST_CASE("tune: more precision takes more fresh seeds") {
  asked a;
  a.how.precision = 0.005;
  const found f = search({valley}, a);
  const row& r = f.result.rows[f.result.best_row];
  CHECK(f.result.answer == answer::found);
  CHECK(r.objective->half_width <= 0.005 * r.objective->value);
  CHECK(r.seeds > 20);
}

TEST_CASE("spaces: the offer window follows the TTL where the scenario has one") {
  const report::scratch scratch;
  space_request r;
  r.file = small_file(scratch);
  r.search = {"lease.ttl=3s..60s"};
  r.overrides = {{"lease.offer_window", "12s"}};
  auto s = space::make(r);
  REQUIRE(s);
  REQUIRE(s->implied().size() == 1);
  const auto window = [&](const std::string& ttl) {
    const auto p = s->point_of({ttl});
    REQUIRE(p);
    return s->plan().points[*p - 1].what.fields[1].value;
  };
  CHECK(window("15s") == "12s");
  CHECK(window("3s") == "600ms");
  CHECK(window("60s") == "57s");
  r.derive = {{"lease.offer_window", "lease.ttl / 2"}};
  s = space::make(r);
  REQUIRE(s);
  CHECK(s->implied().empty());
}

TEST_CASE("spaces: what cannot be searched over is refused before anything runs") {
  const report::scratch scratch;
  space_request r;
  r.file = small_file(scratch);
  for (const std::vector<std::string>& search :
       {std::vector<std::string>{},
        {"lease.tll=3s..60s"},
        {"lease.ttl=60s..3s"},
        {"lease.ttl=3s..60s:log:1000000"},
        {"seed=1..9"},
        {"lease.ttl=3s..60s", "lease.ttl=3s..60s"},
        {"lease.ttl=3s..60s", "lease.grace=0s..1s", "matchers.count=1,2", "drivers.count=9,10"}}) {
    r.search = search;
    CHECK_FALSE(space::make(r));
  }
  r.search = {"lease.ttl=3s..60s"};
  r.overrides = {{"lease.ttl", "12s"}};
  CHECK_FALSE(space::make(r));
}
