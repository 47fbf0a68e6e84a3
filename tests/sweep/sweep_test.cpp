// Goal: a sweep that was stopped anywhere and resumed ends with the same bytes as one that was not.
// Method: stop after so many runs, resume with another number of threads, compare tables and rows.
#include "base/ensure.hpp"
#include "has.hpp"
#include "report/sweep_tables.hpp"
#include "sweep/comparison.hpp"
#include "sweep/journal.hpp"
#include "sweep/runner.hpp"
#include "sweep/small.hpp"
#include "sweep/stopping_rule.hpp"
#include "sweep/sweep_directory.hpp"

#include <map>

using namespace dibs;
using namespace dibs::sweep;
using dibs::test::has;
using sweep::test::plan_of;
using sweep::test::request_for;
using sweep::test::small_file;
using sweep::test::this_build;

namespace {

std::vector<std::uint32_t> all_seeds(const plan& p) {
  return std::vector<std::uint32_t>(p.points.size(), p.seeds);
}

/// Runs until so many runs are put down, as a sweep that is stopped then.
void run_some(const plan& p, const std::filesystem::path& file, std::uint32_t jobs, int runs_max) {
  auto j = !std::filesystem::exists(file) ? journal::begin(file, p, this_build)
                                          : journal::resume(file, p, this_build);
  INFO((j ? "" : j.error().text));
  REQUIRE(j);
  std::atomic<bool> stop{false};
  int left = runs_max;
  const auto finished = j->finished();
  REQUIRE(finished);
  const auto ran = run_rest(
      p, all_seeds(p), *finished, {.jobs = jobs, .stop = &stop}, [&](const results::run_record& r) {
        stop = --left <= 0;
        return j->add(r);
      });
  CHECK(ran);
}

std::string points_of(const std::filesystem::path& file) {
  const auto j = journal::read(file);
  REQUIRE(j);
  const results::scratch here;
  auto to = results::pending_file::open(here.path(), points_name);
  REQUIRE(to);
  REQUIRE(report::write_points(*j, *to));
  REQUIRE(to->commit());
  return here.read(points_name);
}

std::string summary_of(const std::filesystem::path& file) {
  const auto j = journal::read(file);
  REQUIRE(j);
  const results::scratch here;
  auto to = results::pending_file::open(here.path(), summary_name);
  REQUIRE(to);
  REQUIRE(report::write_summary(*j, {}, *to, {}));
  REQUIRE(to->commit());
  return here.read(summary_name);
}

struct small_sweep {
  results::scratch here;
  std::filesystem::path scenario = small_file(here);
  plan p = plan_of(request_for(scenario, {"lease.ttl=5s,10s", "matchers.count=2,3"}, 3));

  std::filesystem::path file(const std::string& name) const { return here.path() / name; }
};

std::size_t lines_of(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

}  // namespace

TEST_CASE("sweep: stopped after any number of runs and resumed, the tables are the same") {
  const small_sweep f;
  run_some(f.p, f.file("whole"), 1, 1000);
  const std::string points = points_of(f.file("whole"));
  const std::string summary = summary_of(f.file("whole"));
  CHECK(lines_of(points) == 1 + 12);
  for (const int stopped : {1, 2, 5, 11, 12}) {
    INFO(stopped);
    const auto file = f.file("stopped-" + std::to_string(stopped));
    run_some(f.p, file, 1, stopped);
    CHECK(journal::read(file)->finished()->size() == static_cast<std::size_t>(stopped));
    run_some(f.p, file, 2, 3);
    run_some(f.p, file, 2, 1000);
    CHECK(points_of(file) == points);
    CHECK(summary_of(file) == summary);
  }
}

TEST_CASE("sweep: the number of threads changes nothing") {
  const small_sweep f;
  run_some(f.p, f.file("one"), 1, 1000);
  run_some(f.p, f.file("three"), 3, 1000);
  CHECK(points_of(f.file("one")) == points_of(f.file("three")));
  CHECK(summary_of(f.file("one")) == summary_of(f.file("three")));
}

TEST_CASE("sweep: all points run on the same seeds, those of `dibs run --runs`") {
  const small_sweep f;
  run_some(f.p, f.file("whole"), 2, 1000);
  const auto j = journal::read(f.file("whole"));
  for (std::uint32_t point = 1; point <= 4; ++point) {
    const auto runs = j->runs_of(point);
    REQUIRE(runs->size() == 3);
    for (std::uint32_t k = 0; k < 3; ++k) {
      CHECK((*runs)[k].seed == engine::seed_of(42, k));
    }
  }
  // Two points of one sweep can be compared pair by pair.
  const auto c = compare("5s", *j->runs_of(1), "10s", *j->runs_of(3));
  REQUIRE(c);
  CHECK(c->seeds.size() == 3);
}

TEST_CASE("sweep: a point has the figures of the same scenario run alone") {
  const small_sweep f;
  run_some(f.p, f.file("whole"), 2, 1000);
  const auto s = scenario_of(f.p, f.p.points[2].what);
  engine::run_options how;
  how.seed = engine::seed_of(42, 1);
  const auto alone = engine::run(s.value, how);
  REQUIRE(alone);
  const results::run_record kept = (*journal::read(f.file("whole"))->runs_of(3))[1];
  CHECK(kept.history == alone->history);
  CHECK(kept.measures == results::record_of(*alone).measures);
}

TEST_CASE("sweep: an error while putting a run down ends the sweep") {
  const small_sweep f;
  int kept = 0;
  const auto ran = run_rest(
      f.p, all_seeds(f.p), {}, {.jobs = 2}, [&](const results::run_record&) -> result<void> {
        ++kept;
        return failure(exit_code::internal_error, "disk full");
      });
  REQUIRE_FALSE(ran);
  CHECK(ran.error().text == "disk full");
  CHECK(kept <= 2);
}

TEST_CASE("sweep: a run that breaks off is named with its point, and the others go on") {
  const small_sweep f;
  runner_options how{.jobs = 1};
  how.replay_line = [](const sweep::point&, std::uint64_t seed) {
    return "dibs run this --seed " + std::to_string(seed);
  };
  int looked = 0;
  how.on_progress = [&](const engine::progress&) {
    if (looked++ == 0) {
      throw defect("internal error: true time runs backwards");
    }
  };
  std::size_t kept = 0;
  const auto ran = run_rest(f.p, all_seeds(f.p), {}, how, [&](const results::run_record& r) {
    CHECK_FALSE((r.point == 1 && r.replication == 1));
    ++kept;
    return result<void>();
  });
  REQUIRE_FALSE(ran);
  CHECK(kept == 11);
  CHECK(ran.error().code == exit_code::internal_error);
  for (const char* said : {"1 of 12 runs broke off",
                           "at point 1 (lease.ttl=",
                           "internal error: true time runs backwards",
                           "replay: dibs run this --seed 42"}) {
    CHECK(has(ran.error().text, said));
  }
}

TEST_CASE(
    "sweep: of runs that break off the one at the first point is told, whichever came first") {
  const small_sweep f;
  const std::vector<task> tasks{{3, 42}, {1, 42}, {1, 43}, {2, 42}};
  runner_options how{.jobs = 1};
  int looked = 0;
  how.on_progress = [&](const engine::progress&) {
    throw defect("internal error " + std::to_string(++looked));
  };
  const auto ran = run_tasks(f.p, tasks, how, nullptr, [](std::size_t, const engine::run_result&) {
    return failure(exit_code::done, "nothing is to be kept");
  });
  REQUIRE_FALSE(ran);
  CHECK(looked == 4);
  CHECK(ran.error().code == exit_code::internal_error);
  for (const char* said :
       {"4 of 4 runs broke off", "at point 1 (lease.ttl=5s", "internal error 2"}) {
    INFO(ran.error().text);
    CHECK(has(ran.error().text, said));
  }
}

TEST_CASE("sweep: no run begins after the stop, or after what ends the sweep") {
  const small_sweep f;
  std::atomic<bool> stop{true};
  runner_options how{.jobs = 1, .stop = &stop};
  int begun = 0;
  how.replay_line = [&](const sweep::point&, std::uint64_t) { return std::to_string(++begun); };
  int kept = 0;
  CHECK(run_rest(f.p, all_seeds(f.p), {}, how, [&](const results::run_record&) {
    ++kept;
    return result<void>();
  }));
  CHECK(kept == 0);
  CHECK(begun == 0);
  stop = false;
  REQUIRE_FALSE(
      run_rest(f.p, all_seeds(f.p), {}, how, [](const results::run_record&) -> result<void> {
        return failure(exit_code::internal_error, "disk full");
      }));
  CHECK(begun == 1);
}

TEST_CASE("sweep: progress grows to all runs") {
  const small_sweep f;
  double last = 0;
  sim_time ends{};
  runner_options how{.jobs = 2};
  how.on_progress = [&](const engine::progress& p) {
    CHECK(in_seconds(p.reached) >= last - 1e-6);
    last = in_seconds(p.reached);
    ends = p.ends;
  };
  REQUIRE(run_rest(
      f.p, all_seeds(f.p), {}, how, [](const results::run_record&) { return result<void>(); }));
  CHECK(in_seconds(ends) == 12);
  CHECK(last == Approx(12));
}

TEST_CASE("sweep: a run that is stopped before its end is not put down") {
  const small_sweep f;
  auto r = request_for(f.scenario, {"lease.ttl=5s"}, 1);
  r.overrides = {{"clock.duration", "100h"}};
  const plan p = plan_of(r);
  std::atomic<bool> stop{false};
  runner_options how{.jobs = 1, .stop = &stop};
  how.on_progress = [&](const engine::progress&) { stop = true; };
  int kept = 0;
  REQUIRE(run_rest(p, all_seeds(p), {}, how, [&](const results::run_record&) {
    ++kept;
    return result<void>();
  }));
  CHECK(stop.load());
  CHECK(kept == 0);
}

TEST_CASE("sweep directory: made once, gone on with only when asked to") {
  const results::scratch here;
  const auto path = here.path() / "sweep";
  {
    const auto made = sweep_directory::open(path, false);
    REQUIRE(made);
    const auto busy = sweep_directory::open(path, true);
    REQUIRE_FALSE(busy);
    CHECK(busy.error().code == exit_code::usage);
    CHECK(has(busy.error().text, "another dibs is at work"));
  }
  const auto again = sweep_directory::open(path, false);
  REQUIRE_FALSE(again);
  CHECK(again.error().code == exit_code::usage);
  CHECK(has(again.error().text, "--resume"));
  CHECK(sweep_directory::open(path, true));
  CHECK(sweep_directory::open(here.path() / "new", true));
}

TEST_CASE("sweep directory: numbered ones are new, and the last is gone on with") {
  const results::scratch here;
  CHECK(sweep_directory::open_numbered(here.path(), "a", false)->path().filename() == "a");
  CHECK(sweep_directory::open_numbered(here.path(), "a", false)->path().filename() == "a-2");
  CHECK(sweep_directory::open_numbered(here.path(), "a", true)->path().filename() == "a-2");
  CHECK(sweep_directory::open_numbered(here.path(), "b", true)->path().filename() == "b");
}

TEST_CASE("sweep directory: a folder of something else is left alone") {
  const results::scratch here;
  std::filesystem::create_directories(here.path() / "other");
  std::ofstream(here.path() / "other" / "letter.txt") << "dear";
  const auto opened = sweep_directory::open(here.path() / "other", true);
  REQUIRE_FALSE(opened);
  CHECK(opened.error().code == exit_code::invalid_input);
  CHECK(has(opened.error().text, "not the directory of a sweep"));
}

TEST_CASE("sweep: a wanted precision takes as many replications as it needs, point by point") {
  plan p;
  p.seeds = 5;
  p.precision = wanted_precision{0.1, "ttm.mean"};
  std::vector<results::run_record> runs;
  const auto add = [&](double value) {
    results::run_record r;
    r.replication = static_cast<std::uint32_t>(runs.size()) + 1;
    r.measures = {{"ttm.mean", value, {}, {}}};
    runs.push_back(r);
  };
  CHECK(target_replications(p, runs) == 5);
  for (const double x : {10.0, 14.0, 8.0, 12.0}) {
    add(x);
  }
  CHECK(target_replications(p, runs) == 5);
  add(11.0);
  CHECK(target_replications(p, runs) == 15);  // 11 +- 2.8 is not 10 %
  while (runs.size() < 15) {
    add(10 + static_cast<double>(runs.size() % 3));
  }
  CHECK(target_replications(p, runs) == 15);  // now it is
  // What lies behind a gap was run by an attempt that was stopped: it is not looked at.
  runs.erase(runs.begin() + 2);
  CHECK(target_replications(p, runs) == 5);
  p.precision.reset();
  CHECK(target_replications(p, {}) == 5);
}

TEST_CASE("sweep: what never happened is not precise, however many replications there are") {
  plan p;
  p.seeds = 5;
  p.seeds_max = 20;
  p.precision = wanted_precision{0.1, "double.commits"};
  std::vector<results::run_record> runs;
  for (std::uint32_t k = 1; k <= 20; ++k) {
    results::run_record r;
    r.replication = k;
    r.measures = {{"double.commits", 0.0, {}, {}}};
    runs.push_back(r);
  }
  CHECK(target_replications(p, runs) == 20);
}

TEST_CASE("sweep: what is not seen in as many runs as leave it too rare to know is given up") {
  plan p;
  p.seeds = 20;
  p.seeds_max = 10'000;
  p.precision = wanted_precision{0.1, "double.commits"};
  const auto wanted_after = [&](std::uint32_t n, double first) {
    std::vector<results::run_record> runs;
    for (std::uint32_t k = 1; k <= n; ++k) {
      results::run_record r;
      r.replication = k;
      r.measures = {{"double.commits", k == 1 ? first : 0.0, {}, {}}};
      runs.push_back(r);
    }
    return target_replications(p, runs);
  };
  // 384 events are needed, at 3 in n runs: more than 10,000 runs from n = 79 on.
  CHECK(wanted_after(20, 0) == 30);
  CHECK(wanted_after(67, 0) == 100);
  CHECK(wanted_after(100, 0) == 100);
  CHECK(wanted_after(100, 1) == 150);
  p.precision->share = 0.5;
  CHECK(wanted_after(100, 0) == 150);
}

TEST_CASE("sweep: a bound never has an interval, so none can be wanted of it") {
  const auto refused = check_precise("double.commits_bound");
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == exit_code::usage);
  CHECK(check_precise("double.commits"));
}
