// Goal: what a page looks at is run, and nothing else; figures are those of `dibs run`.
// Method: places of a small scenario, and of one that would take hours; nothing is timed.

#include "explore/point_runner.hpp"

#include "explore/small_start.hpp"
#include "text/number.hpp"

#include <fmt/format.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <variant>

using namespace dibs;
using namespace dibs::explore;
using namespace dibs::explore::test;

namespace {

constexpr auto long_enough = std::chrono::milliseconds(60'000);
const place quick{0};
const place other{1};
const place endless{2};
const place refused{3};

/// The hashes of a point's histories, one behind the other.
std::string hashes_of(const results::run_results& a) {
  std::string all;
  for (const engine::run_result& r : a.runs) {
    all += r.history + " ";
  }
  return all;
}

point_runner::made_point made(const small_start& s, const place& at) {
  if (at == refused) {
    return tl::unexpected(objection{0, "it cannot be"});
  }
  changes c;
  if (at == other) {
    c = {{"lease.ttl", "30s"}};
  } else if (at == endless) {
    c = {{"clock.duration", "900h"}, {"drivers.count", "1"}};
  }
  results::run_results a;
  a.scenario = s.scenario.with(c).value;
  a.seed = a.scenario.seed;
  auto shared = engine::prepare(a.scenario);
  REQUIRE(shared);
  return std::make_shared<looked_point>(std::move(a), std::move(*shared));
}

point_runner::options of(const small_start& s, std::uint32_t seeds, std::uint32_t jobs = 2) {
  return {.seeds = seeds,
          .jobs = jobs,
          .make = [&s](const place& at) { return made(s, at); },
          .tell = hashes_of};
}

/// What is told when all runs are in; empty if it never is.
std::string all_of(point_runner& r, std::uint64_t look) {
  std::uint32_t known = 0;
  while (true) {
    const auto answer = r.wait(look, known, long_enough);
    const auto* news = std::get_if<point_runner::news>(&answer);
    if (news == nullptr || news->is_all) {
      return news == nullptr ? "" : *news->told;
    }
    CHECK(news->runs > known);
    known = news->runs;
  }
}

template <class What>
bool is(const point_runner::answer& a) {
  return std::holds_alternative<What>(a);
}

/// Looks again and again, for what other threads do.
template <class Holds>
bool comes_true(Holds holds) {
  std::mutex lock;
  std::condition_variable never_told;
  for (int i = 0; i < 6000; ++i) {
    if (holds()) {
      return true;
    }
    std::unique_lock held(lock);
    never_told.wait_for(held, std::chrono::milliseconds(10));
  }
  return false;
}

}  // namespace

TEST_CASE("points: after all seeds the runs are those of a run alone, in their order") {
  const small_start s;
  point_runner r(of(s, 6));
  const auto alone = engine::run_many(
      s.scenario.with({{"lease.ttl", "30s"}}).value, {.seed = s.scenario.base().seed}, 6, 1);
  REQUIRE(alone);
  results::run_results a;
  a.runs = *alone;
  CHECK(all_of(r, r.look("tab", other)) == hashes_of(a));
}

TEST_CASE("points: who looks elsewhere waits no more, and what ran for him is stopped") {
  const small_start s;
  point_runner r(of(s, 3));
  const auto first = r.look("tab", endless);
  REQUIRE(comes_true([&] { return r.counted().begun == 2; }));
  CHECK(is<point_runner::nothing_new>(r.wait(first, 0, std::chrono::milliseconds(1))));
  const auto second = r.look("tab", quick);
  CHECK_FALSE(all_of(r, second).empty());
  CHECK(is<point_runner::outdated>(r.wait(first, 0, long_enough)));
  CHECK(comes_true([&] { return r.counted().stopped == 2; }));
  CHECK(r.counted().ended == 3);
}

TEST_CASE("points: a point that another page looks at goes on") {
  const small_start s;
  point_runner r(of(s, 2));
  const auto mine = r.look("mine", endless);
  const auto yours = r.look("yours", endless);
  REQUIRE(comes_true([&] { return r.counted().begun == 2; }));
  r.leave(mine);
  CHECK(is<point_runner::outdated>(r.wait(mine, 0, long_enough)));
  CHECK(is<point_runner::nothing_new>(r.wait(yours, 0, std::chrono::milliseconds(1))));
  CHECK(r.counted().stopped == 0);
  r.leave(yours);
  CHECK(comes_true([&] { return r.counted().stopped == 2; }));
}

TEST_CASE("points: one that was stopped is begun anew when it is looked at again") {
  const small_start s;
  point_runner r(of(s, 2, 1));
  r.leave(r.look("tab", endless));
  const auto again = r.look("tab", endless);
  REQUIRE(comes_true([&] { return r.counted().begun > r.counted().stopped; }));
  CHECK(is<point_runner::nothing_new>(r.wait(again, 0, std::chrono::milliseconds(1))));
}

TEST_CASE("points: what was seen is there again without a run") {
  const small_start s;
  point_runner r(of(s, 4));
  const std::string before = all_of(r, r.look("tab", quick));
  CHECK(all_of(r, r.look("tab", other)) != before);
  const auto begun = r.counted().begun;
  const auto answer = r.wait(r.look("tab", quick), 0, long_enough);
  REQUIRE(is<point_runner::news>(answer));
  CHECK(std::get<point_runner::news>(answer).is_all);
  CHECK(*std::get<point_runner::news>(answer).told == before);
  CHECK(r.counted().begun == begun);
}

TEST_CASE("points: the latest look comes first") {
  const small_start s;
  point_runner r(of(s, 2, 1));
  const auto slow = r.look("slow", endless);
  REQUIRE(comes_true([&] { return r.counted().begun == 1; }));
  r.leave(slow);
  CHECK(comes_true([&] { return r.counted().stopped == 1; }));
  CHECK_FALSE(all_of(r, r.look("quick", quick)).empty());
}

TEST_CASE("points: what cannot be is told, and runs nothing") {
  const small_start s;
  point_runner r(of(s, 2));
  const auto answer = r.wait(r.look("tab", refused), 0, long_enough);
  REQUIRE(is<objection>(answer));
  CHECK(std::get<objection>(answer).why == "it cannot be");
  CHECK(r.counted().begun == 0);
}

TEST_CASE("points: a stop ends all runs, and whoever waits") {
  const small_start s;
  point_runner r(of(s, 2));
  const auto look = r.look("tab", endless);
  REQUIRE(comes_true([&] { return r.counted().begun == 2; }));
  r.stop();
  CHECK(is<point_runner::outdated>(r.wait(look, 0, long_enough)));
  CHECK(comes_true([&] { return r.counted().stopped == 2; }));
  CHECK(is<point_runner::outdated>(r.wait(r.look("tab", quick), 0, long_enough)));
}

TEST_CASE("points: of many unfinished ones the oldest are forgotten, finished ones stay") {
  const small_start s;
  auto how = of(s, 1);
  how.make = [&s](const place& at) { return made(s, at == quick ? quick : endless); };
  point_runner r(std::move(how));
  const std::string before = all_of(r, r.look("tab", quick));
  for (std::size_t i = 0; i < 60; ++i) {
    static_cast<void>(r.look("tab", place{10 + i}));
  }
  REQUIRE(comes_true([&] { return r.counted().begun > 1; }));
  const auto begun = r.counted().begun;
  const auto look = r.look("tab", quick);
  const auto answer = r.wait(look, 0, long_enough);
  REQUIRE(is<point_runner::news>(answer));
  CHECK(*std::get<point_runner::news>(answer).told == before);
  CHECK(r.points() == 41);
  CHECK(r.counted().begun >= begun);
}

TEST_CASE("points: runs count up to the first that is missing") {
  const small_start s;
  const auto point = *made(s, quick);
  const auto run = [&](std::uint32_t k) {
    return *engine::run(
        point->scenario(), point->shared(), {.seed = engine::seed_of(point->scenario().seed, k)});
  };
  CHECK(point->add(2, run(2)) == 0);
  CHECK(point->add(0, run(0)) == 1);
  int asked = 0;
  const auto tell = [&](const results::run_results& a) {
    ++asked;
    return fmt::format("{} of {}", a.runs.size(), a.runs_asked);
  };
  CHECK(*point->told(tell, 3).text == "1 of 1");
  CHECK(*point->told(tell, 3).text == "1 of 1");
  CHECK(asked == 1);
  CHECK(point->add(1, run(1)) == 3);
  CHECK(*point->told(tell, 3).text == "3 of 3");
  CHECK(*point->told(tell, 3).text == "3 of 3");  // though the runs are gone
  CHECK(asked == 2);
}
