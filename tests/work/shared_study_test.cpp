// Goal: a study over a journal comes to what its runs come to alone, whoever runs them.
// Method: a small scenario over a file of SQLite, against the engine itself.

#include "work/shared_study.hpp"

#include "catch.hpp"
#include "has.hpp"
#include "results/samples.hpp"
#include "sweep/small.hpp"
#include "work/open.hpp"

#include <fstream>
#include <map>
#include <string>
#include <thread>
#include <vector>

namespace dibs::work {
namespace {

using test::has;

struct shared_case {
  results::scratch here;
  std::filesystem::path file = sweep::test::small_file(here);
  study what = *study_of_file(file, 5, {}, sweep::test::this_build);
  std::vector<point> points{at("5s"), at("15s"), at("5s")};

  point at(const std::string& ttl) const {
    const std::vector<scenario::override_value> changes{{"lease.ttl", ttl}};
    auto read = scenario::read_file(file, changes);
    REQUIRE(read.ok());
    auto p = point_of(std::move(read.value), 5, changes);
    REQUIRE(p);
    return std::move(*p);
  }

  std::unique_ptr<journal> opened() const {
    const auto place = read_journal_place("sqlite:" + (here.path() / "j.sqlite").string());
    auto j = open_journal(
        *place, [](const std::string&) {}, nullptr);
    REQUIRE(j);
    return std::move(*j);
  }

  /// Of point and seed, by the engine alone.
  std::string alone(std::size_t p, std::uint64_t seed) const {
    const auto at = load(what, points[p]);
    REQUIRE(at);
    const auto ran = engine::run((*at)->scenario, (*at)->shared, {.seed = seed});
    REQUIRE(ran);
    return text_of(outcome_of(*ran, points[p].hash, {}));
  }
};

const std::vector<wanted_run> runs{{0, 1}, {1, 1}, {2, 1}, {0, 2}, {1, 2}};

std::map<std::size_t, std::string> outcomes_of(const shared_case& c, decider_options how) {
  const auto j = c.opened();
  auto shared = shared_study::open(*j, c.what, how);
  REQUIRE(shared);
  std::map<std::size_t, std::string> found;
  const auto ended = (*shared)->run(c.points,
                                    runs,
                                    [&](std::size_t i, const outcome& o) -> result<bool> {
                                      CHECK(found.emplace(i, text_of(o)).second);
                                      return true;
                                    },
                                    {});
  INFO((ended ? "" : ended.error().text));
  REQUIRE(ended);
  CHECK(*ended == run_ending::whole);
  return found;
}

}  // namespace

TEST_CASE("outcomes: a text says the whole outcome, and nothing else is one") {
  const shared_case c;
  const std::string text = c.alone(0, 3);
  const auto read = parse_outcome(text);
  REQUIRE(read);
  CHECK(text_of(*read) == text);
  CHECK(read->record.seed == 3);
  for (const std::string& bad :
       {std::string(), std::string("{}"), text.substr(0, text.size() / 2), "[" + text + "]"}) {
    CHECK_FALSE(parse_outcome(bad));
  }
  for (const auto& [part, by] : {std::pair(R"("seed":3)", R"("seed":4)"),
                                 {R"(["rides.requested",)", R"(["no.such",)"},
                                 {R"("judged")", R"("JUDGED")"}}) {
    std::string changed = text;
    INFO(part);
    REQUIRE(has(changed, part));
    changed.replace(changed.find(part), std::string_view(part).size(), by);
    CHECK_FALSE(parse_outcome(changed));
  }
}

TEST_CASE("shared studies: each run comes to what it comes to alone, once") {
  const shared_case c;
  const auto found = outcomes_of(c, {.jobs = 2});
  REQUIRE(found.size() == runs.size());
  for (std::size_t i = 0; i < runs.size(); ++i) {
    CHECK(found.at(i) == c.alone(runs[i].point, runs[i].seed));
  }
  // A second deciding process finds all of it there, though it runs nothing itself.
  CHECK(outcomes_of(c, {.works = false}) == found);
}

TEST_CASE("shared studies: a worker does what the deciding process leaves to it") {
  const shared_case c;
  std::atomic<bool> stop = false;
  std::jthread beside([&] {
    const auto j = c.opened();
    work_loop loop(*j,
                   {.jobs = 1,
                    .lease_s = 30,
                    .batch = 1,
                    .build = c.what.build.binary,
                    .own = {},
                    .stop = &stop});
    while (!stop && loop.turn()) {
    }
  });
  const auto found = outcomes_of(c, {.works = false});
  stop = true;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    CHECK(found.at(i) == c.alone(runs[i].point, runs[i].seed));
  }
}

TEST_CASE("shared studies: two results of one run end the study") {
  const shared_case c;
  const auto j = c.opened();
  REQUIRE(j->enter(c.what));
  const auto ids = j->want(c.what.id(), c.points, runs, false);
  REQUIRE(ids);
  for (const std::string& result : {c.alone(0, 1), c.alone(1, 1)}) {
    const finished_run done{.id = ids->front(), .result = result, .failed = {}};
    REQUIRE(j->put(std::span(&done, 1)));
  }
  auto shared = shared_study::open(*j, c.what, {.jobs = 1});
  REQUIRE(shared);
  const auto ended =
      (*shared)->run(c.points, runs, [](std::size_t, const outcome&) { return true; }, {});
  REQUIRE_FALSE(ended);
  CHECK(ended.error().code == exit_code::replay_differed);
}

TEST_CASE("shared studies: the result of another run is none") {
  for (const auto& [point, seed] : {std::pair(std::size_t{0}, 2U), {1, 1}}) {
    const shared_case c;
    const auto j = c.opened();
    REQUIRE(j->enter(c.what));
    const auto ids = j->want(c.what.id(), c.points, runs, false);
    REQUIRE(ids);
    const finished_run done{.id = ids->front(), .result = c.alone(point, seed), .failed = {}};
    REQUIRE(j->put(std::span(&done, 1)));
    auto shared = shared_study::open(*j, c.what, {.jobs = 1});
    REQUIRE(shared);
    const auto ended =
        (*shared)->run(c.points, runs, [](std::size_t, const outcome&) { return true; }, {});
    REQUIRE_FALSE(ended);
    CHECK(ended.error().code == exit_code::invalid_input);
    CHECK(has(ended.error().text, "has the result of another run"));
  }
}

TEST_CASE("shared studies: runs that nobody asks for may differ") {
  const shared_case c;
  const auto j = c.opened();
  REQUIRE(j->enter(c.what));
  const std::vector<wanted_run> others{{0, 7}};
  const auto ids = j->want(c.what.id(), c.points, others, false);
  REQUIRE(ids);
  for (const std::string& result : {c.alone(0, 7), c.alone(1, 7)}) {
    const finished_run done{.id = ids->front(), .result = result, .failed = {}};
    REQUIRE(j->put(std::span(&done, 1)));
  }
  CHECK(j->differing_runs(c.what.id()) == *ids);
  CHECK(outcomes_of(c, {.jobs = 1}).size() == runs.size());
}

TEST_CASE("shared studies: a worker finds the data where the deciding process has moved to") {
  const results::scratch here;
  const std::string text =
      "version: 1\ndemand: [{kind: trace, file: r.csv}]\nclock: {start: 0s, duration: 5min}\n"
      "drivers: {count: 3, classes: [{name: all, response: 3s}]}\n";
  std::ofstream(here.path() / "s.yaml") << text;
  std::ofstream(here.path() / "r.csv")
      << "time,lat,lon,trip\n60,40.75,-73.98,60\n120,40.75,-73.98,60\n";
  const shared_case c;
  const auto j = c.opened();
  study moved = *study_of_file(here.path() / "s.yaml", 5, {}, sweep::test::this_build);
  auto read = scenario::read_file(here.path() / "s.yaml", {});
  REQUIRE(read.ok());
  const std::vector<point> points{*point_of(std::move(read.value), 5, {})};
  study before = moved;
  before.folder = "/nowhere";
  REQUIRE(j->enter(before));
  const std::vector<wanted_run> one{{0, 1}};
  REQUIRE(j->want(moved.id(), points, one, false));
  work_loop loop(*j,
                 {.jobs = 1,
                  .lease_s = 30,
                  .batch = 1,
                  .reconsider_s = 0,
                  .build = moved.build.binary,
                  .own = {},
                  .stop = nullptr});
  while (loop.refused_studies().empty()) {
    REQUIRE(loop.turn());
  }
  REQUIRE(j->enter(moved));
  std::size_t kept = 0;
  for (int turns = 0; kept == 0 && turns < 100; ++turns) {
    const auto done = loop.turn();
    REQUIRE(done);
    kept += done->size();
  }
  CHECK(kept == 1);
}

TEST_CASE("shared studies: a second result that comes late ends the study as well") {
  const shared_case c;
  const auto j = c.opened();
  auto shared = shared_study::open(*j, c.what, {.jobs = 1});
  REQUIRE(shared);
  std::size_t seen = 0;
  const auto ended = (*shared)->run(
      c.points,
      runs,
      [&](std::size_t, const outcome&) -> result<bool> {
        if (++seen == runs.size()) {
          const auto ids = j->want(c.what.id(), c.points, runs, false);
          REQUIRE(ids);
          const finished_run late{.id = ids->front(), .result = c.alone(1, 2), .failed = {}};
          REQUIRE(j->put(std::span(&late, 1)));
        }
        return true;
      },
      {});
  REQUIRE_FALSE(ended);
  CHECK(ended.error().code == exit_code::replay_differed);
}

TEST_CASE("shared studies: a worker leaves to others what cannot begin where it is") {
  const shared_case c;
  const auto j = c.opened();
  study elsewhere = c.what;
  elsewhere.text += "\ndemand: {file: gone.csv}\n";
  REQUIRE(j->enter(elsewhere));
  const auto ids = j->want(elsewhere.id(), c.points, runs, false);
  REQUIRE(ids);
  REQUIRE(j->enter(c.what));
  REQUIRE(j->want(c.what.id(), c.points, runs, false));
  work_loop loop(*j,
                 {.jobs = 1,
                  .lease_s = 30,
                  .batch = 2,
                  .build = c.what.build.binary,
                  .own = {},
                  .stop = nullptr});
  std::size_t kept = 0;
  while (!loop.is_idle()) {
    const auto done = loop.turn();
    REQUIRE(done);
    kept += done->size();
  }
  CHECK(kept == 4);  // of five, two of which are one scenario on one seed
  CHECK(loop.refused_studies() == std::vector{elsewhere.id()});
  REQUIRE(loop.refusals().size() == 1);
  CHECK(has(loop.refusals().front(), "cannot be read here"));
  const auto left = j->look_up(*ids);
  REQUIRE(left);
  for (const kept_run& each : *left) {
    CHECK_FALSE(each.failed);
    CHECK(each.result.empty());
  }
  CHECK(j->take({.holder = "other",
                 .build = c.what.build.binary,
                 .study = elsewhere.id(),
                 .refused = {},
                 .runs = 5,
                 .lease_s = 30})
            ->size() == 4);
}

TEST_CASE("shared studies: a study goes on from the folder where its deciding process is") {
  const shared_case c;
  const auto j = c.opened();
  study before = c.what;
  before.folder = "/nowhere";
  REQUIRE(j->enter(before));
  REQUIRE(before.id() == c.what.id());
  REQUIRE(j->enter(c.what));
  CHECK(j->study_of(c.what.id())->folder == c.what.folder);
}

TEST_CASE("shared studies: a scenario that is another one where a worker reads it is refused") {
  const shared_case c;
  point p = c.points[0];
  p.hash[0] = p.hash[0] == '0' ? '1' : '0';
  const auto read = load(c.what, p);
  REQUIRE_FALSE(read);
  CHECK(read.error().code == exit_code::invalid_input);
  CHECK(has(read.error().text, "the data that it reads differ"));
}

TEST_CASE("shared studies: a run that breaks off is told once the others are done") {
  const shared_case c;
  auto points = c.points;
  points[1].hash[0] = points[1].hash[0] == '0' ? '1' : '0';
  const auto j = c.opened();
  auto shared = shared_study::open(*j, c.what, {.jobs = 1});
  REQUIRE(shared);
  std::size_t taken = 0;
  const auto ended = (*shared)->run(points,
                                    runs,
                                    [&](std::size_t, const outcome&) -> result<bool> {
                                      ++taken;
                                      return true;
                                    },
                                    {});
  REQUIRE_FALSE(ended);
  CHECK(ended.error().code == exit_code::invalid_input);
  CHECK(has(ended.error().text, "2 of 5 runs broke off"));
  CHECK(taken == 3);
}

}  // namespace dibs::work
