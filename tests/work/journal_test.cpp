// Goal: a journal gives each run to one holder at a time, and keeps its first result for good.
// Method: each kind of journal through the same calls: SQLite in a file, and PostgreSQL where a
// server is named in DIBS_TEST_POSTGRES (tests/store/with_servers.sh).

#include "work/journal.hpp"

#include "catch.hpp"
#include "has.hpp"
#include "results/samples.hpp"
#include "work/open.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace dibs::work {
namespace {

constexpr double long_lease_s = 600;
constexpr double no_lease_s = 0;

/// A study that no other test has, since all share one server.
study some_study(const std::string& build = "feed") {
  static int count = 0;
  const std::string own = std::to_string(::getpid()) + "-" + std::to_string(++count);
  return {.name = "small",
          .file = "small.yaml",
          .folder = "/",
          .text = "text " + own,
          .seed = 7,
          .metrics = {},
          .build = {"0.1.0", "g++", "Release", build + own}};
}

struct journal_case {
  results::scratch here;
  std::unique_ptr<journal> at;

  explicit journal_case(const std::string& kind) {
    const char* const server = std::getenv("DIBS_TEST_POSTGRES");
    const auto place = read_journal_place(
        kind == "sqlite" ? "sqlite:" + (here.path() / "journal.sqlite").string() : server);
    REQUIRE(place);
    auto opened = open_journal(
        *place, [](const std::string&) {}, nullptr);
    INFO((opened ? "" : opened.error().text));
    REQUIRE(opened);
    at = std::move(*opened);
  }

  std::vector<taken_run> take(const study& s, std::uint32_t runs, double lease_s) const {
    auto taken = at->take({.holder = "test",
                           .build = s.build.binary,
                           .study = s.id(),
                           .runs = runs,
                           .lease_s = lease_s});
    REQUIRE(taken);
    return std::move(*taken);
  }

  std::vector<std::int64_t> want(const study& s,
                                 const std::vector<wanted_run>& runs,
                                 bool again = false) const {
    const std::vector<point> points{{"aa", {{"lease.ttl", "5s"}}}, {"bb", {}}, {"aa", {}}};
    auto ids = at->want(s.id(), points, runs, again);
    INFO((ids ? "" : ids.error().text));
    REQUIRE(ids);
    return std::move(*ids);
  }

  arrival put(std::int64_t id, const std::string& result) const {
    const finished_run done{.id = id, .result = result, .failed = {}};
    const auto arrivals = at->put(std::span(&done, 1));
    REQUIRE(arrivals);
    REQUIRE(arrivals->size() == 1);
    return arrivals->front();
  }

  kept_run kept(std::int64_t id) const {
    const auto found = at->look_up(std::span(&id, 1));
    REQUIRE(found);
    REQUIRE(found->size() == 1);
    return found->front();
  }
};

std::vector<std::string> kinds() {
  std::vector<std::string> all{"sqlite"};
  if (std::getenv("DIBS_TEST_POSTGRES") != nullptr) {
    all.emplace_back("postgres");
  }
  return all;
}

}  // namespace

TEST_CASE("journals: a run that is wanted twice is one run") {
  for (const std::string& kind : kinds()) {
    INFO(kind);
    const journal_case j(kind);
    const study s = some_study();
    REQUIRE(j.at->enter(s));
    // The third point is the first: two points of a grid may be one scenario.
    const auto ids = j.want(s, {{0, 1}, {1, 1}, {2, 1}, {0, 2}, {0, 1}});
    CHECK(ids[0] == ids[2]);
    CHECK(ids[0] == ids[4]);
    CHECK(std::set(ids.begin(), ids.end()).size() == 3);
    CHECK(j.want(s, {{1, 1}}).front() == ids[1]);
    const auto taken = j.take(s, 10, long_lease_s);
    REQUIRE(taken.size() == 3);
    CHECK(taken[0].id == ids[0]);  // in the order in which they were wanted
    CHECK(taken[0].what.overrides.front().value == "5s");
    CHECK(taken[2].seed == 2);
    const auto known = j.at->study_of(s.id());
    REQUIRE(known);
    CHECK(known->id() == s.id());
  }
}

TEST_CASE("journals: a run has one holder, until its lease is over") {
  for (const std::string& kind : kinds()) {
    INFO(kind);
    const journal_case j(kind);
    const study s = some_study();
    REQUIRE(j.at->enter(s));
    j.want(s, {{0, 1}, {0, 2}});
    const auto first = j.take(s, 1, long_lease_s);
    const auto second = j.take(s, 5, no_lease_s);
    REQUIRE(first.size() == 1);
    REQUIRE(second.size() == 1);
    CHECK(first[0].id != second[0].id);
    const auto third = j.take(s, 5, long_lease_s);
    REQUIRE(third.size() == 1);
    CHECK(third[0].id == second[0].id);
    CHECK(third[0].token > second[0].token);
    const std::vector<taken_run> held{first[0], second[0], third[0]};
    const auto renewed = j.at->renew(held, long_lease_s);
    REQUIRE(renewed);
    CHECK(std::set(renewed->begin(), renewed->end()) == std::set{first[0].token, third[0].token});
    REQUIRE(j.at->give_back(second));  // no longer its own
    CHECK(j.take(s, 5, long_lease_s).empty());
    REQUIRE(j.at->give_back(third));
    CHECK(j.take(s, 5, long_lease_s).size() == 1);
  }
}

TEST_CASE("journals: the first result stays, and a second one is compared with it") {
  for (const std::string& kind : kinds()) {
    INFO(kind);
    const journal_case j(kind);
    const study s = some_study();
    REQUIRE(j.at->enter(s));
    const auto ids = j.want(s, {{0, 1}, {0, 2}});
    CHECK(j.kept(ids[0]).result.empty());
    j.take(s, 1, no_lease_s);
    CHECK(j.put(ids[0], "a") == arrival::kept);  // whoever holds it now
    CHECK(j.put(ids[0], "a") == arrival::kept);
    CHECK_FALSE(j.kept(ids[0]).differs);
    CHECK(j.put(ids[0], "b") == arrival::differs);
    CHECK(j.kept(ids[0]).differs);
    CHECK(j.kept(ids[0]).result == "a");
    REQUIRE(j.at->withdraw(s.id()));
    CHECK(j.put(ids[1], "c") == arrival::unwanted);
    CHECK(j.kept(ids[0]).result == "a");
    CHECK(j.at->look_up(ids)->size() == 1);
    CHECK(j.take(s, 5, long_lease_s).empty());
  }
}

TEST_CASE("journals: a run that broke off is tried again where that is wanted") {
  for (const std::string& kind : kinds()) {
    INFO(kind);
    const journal_case j(kind);
    const study s = some_study();
    REQUIRE(j.at->enter(s));
    const auto ids = j.want(s, {{0, 1}});
    j.take(s, 1, long_lease_s);
    const finished_run broken{
        .id = ids[0], .result = {}, .failed = error{exit_code::invalid_input, "no such data"}};
    REQUIRE(j.at->put(std::span(&broken, 1)));
    REQUIRE(j.kept(ids[0]).failed);
    CHECK(j.kept(ids[0]).failed->code == exit_code::invalid_input);
    CHECK(j.kept(ids[0]).failed->text == "no such data");
    j.want(s, {{0, 1}});
    CHECK(j.take(s, 1, long_lease_s).empty());
    j.want(s, {{0, 1}}, true);
    CHECK(j.take(s, 1, long_lease_s).size() == 1);
    CHECK(j.put(ids[0], "a") == arrival::kept);
    CHECK_FALSE(j.kept(ids[0]).failed);
  }
}

TEST_CASE("journals: runs of another build are not taken, and told of") {
  for (const std::string& kind : kinds()) {
    INFO(kind);
    const journal_case j(kind);
    const study s = some_study();
    const study other = some_study("other");
    REQUIRE(j.at->enter(s));
    REQUIRE(j.at->enter(other));
    j.want(other, {{0, 1}});
    const claim any{.holder = "test",
                    .build = s.build.binary,
                    .study = "",
                    .refused = {},
                    .runs = 5,
                    .lease_s = long_lease_s};
    const auto taken = j.at->take(any);
    REQUIRE(taken);
    CHECK(taken->empty());
    const auto open = j.at->open_runs_for(s.build.binary, {});
    REQUIRE(open);
    CHECK(open->own == 0);
    CHECK_FALSE(open->other_build.empty());
    REQUIRE(j.at->withdraw(other.id()));
  }
}

TEST_CASE("journals: what is no place of a journal is refused with what is one") {
  for (const char* text : {"foo", "redis://127.0.0.1", "etcd://127.0.0.1", "memory", "sqlite:"}) {
    INFO(text);
    const auto place = read_journal_place(text);
    REQUIRE_FALSE(place);
    CHECK(place.error().code == exit_code::usage);
    CHECK(test::has(place.error().text, "sqlite:FILE"));
  }
}

TEST_CASE("journals: what many take at once is taken once") {
  for (const std::string& kind : kinds()) {
    INFO(kind);
    const journal_case j(kind);
    const study s = some_study();
    REQUIRE(j.at->enter(s));
    std::vector<wanted_run> runs;
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
      runs.push_back({0, seed});
    }
    j.want(s, runs);
    const auto place = read_journal_place(
        kind == "sqlite" ? "sqlite:" + (j.here.path() / "journal.sqlite").string()
                         : std::getenv("DIBS_TEST_POSTGRES"));
    std::vector<std::vector<std::int64_t>> of_thread(4);
    std::vector<std::jthread> threads;
    for (auto& mine : of_thread) {
      threads.emplace_back([&] {
        const auto at = open_journal(
            *place, [](const std::string&) {}, nullptr);
        while (at) {
          const auto taken = (*at)->take({.holder = "thread",
                                          .build = s.build.binary,
                                          .study = s.id(),
                                          .refused = {},
                                          .runs = 3,
                                          .lease_s = long_lease_s});
          if (!taken || taken->empty()) {
            return;
          }
          for (const taken_run& each : *taken) {
            mine.push_back(each.id);
          }
        }
      });
    }
    threads.clear();
    std::vector<std::int64_t> all;
    for (const auto& mine : of_thread) {
      all.insert(all.end(), mine.begin(), mine.end());
    }
    CHECK(all.size() == 200);
    CHECK(std::set(all.begin(), all.end()).size() == 200);
  }
}

}  // namespace dibs::work
