#include "sweep/journal.hpp"

#include "has.hpp"
#include "sqlite/database.hpp"
#include "sweep/small.hpp"

#include <fmt/format.h>

using namespace dibs;
using namespace dibs::sweep;
using dibs::test::has;
using sweep::test::plan_of;
using sweep::test::request_for;
using sweep::test::small_file;
using sweep::test::this_build;

namespace {

results::run_record a_run(const plan& p, std::uint32_t point, std::uint32_t replication) {
  stats::histogram h;
  h.add(1ns);
  h.add(1500ms);
  h.add(7s);
  h.add(7s);
  const auto delays = std::make_shared<const stats::sparse_histogram>(stats::sparse_of(h));
  results::run_record r;
  r.point = point;
  r.replication = replication;
  r.seed = engine::seed_of(p.seed, replication - 1);
  r.scenario_hash = p.points[point - 1].hash;
  r.history = "0123456789abcdef";
  r.facts = 12;
  r.events = 34;
  r.measures = {{"double.offers", 0.1 + 0.2, {}, {}},
                {"supply.hidden_share", 1.0 / 3, 1, 3},
                {"accepts.lost_rate", {}, 0, 0},
                {"ttm.p50", 1.5, {}, {}, delays},
                {"ttm.p95", 7, {}, {}, delays}};
  return r;
}

/// A journal with two runs, closed again.
void fill(const std::filesystem::path& file, const plan& p) {
  auto j = journal::begin(file, p, this_build);
  REQUIRE(j);
  REQUIRE(j->add(a_run(p, 1, 2)));
  REQUIRE(j->add(a_run(p, 2, 1)));
}

std::string refusal_of(const result<journal>& j) {
  REQUIRE_FALSE(j);
  CHECK(j.error().code == exit_code::invalid_input);
  return j.error().text;
}

void tamper(const std::filesystem::path& file, const char* sql) {
  auto d = database::open(file, database::access::write);
  REQUIRE(d);
  REQUIRE(d->execute(sql));
}

struct small_journal {
  results::scratch here;
  std::filesystem::path scenario = small_file(here);
  std::filesystem::path file = here.path() / journal_name;
  plan p = plan_of(request_for(scenario, {"lease.ttl=5s,10s"}, 2));
};

}  // namespace

TEST_CASE("journal: what was put down is read back equal, to the last bit") {
  const small_journal f;
  fill(f.file, f.p);
  const auto j = journal::resume(f.file, f.p, this_build);
  REQUIRE(j);
  CHECK(*j->finished() == std::set<std::pair<std::uint32_t, std::uint32_t>>{{1, 2}, {2, 1}});
  const auto runs = j->runs_of(1);
  REQUIRE(runs);
  REQUIRE(runs->size() == 1);
  CHECK(runs->front() == a_run(f.p, 1, 2));
  const auto points = j->points();
  REQUIRE(points);
  REQUIRE(points->size() == 2);
  CHECK(label_of((*points)[1].what) == "lease.ttl=10s");
  CHECK(*j->fact("seeds") == "2");
}

TEST_CASE("journal: one that is empty or gone from beside its log is damaged, not new") {
  const small_journal f;
  std::ofstream(f.file).flush();
  CHECK(has(refusal_of(journal::resume(f.file, f.p, this_build)), "it is empty"));
  std::filesystem::remove(f.file);
  std::ofstream(f.file.string() + "-wal") << "x";
  CHECK(has(refusal_of(journal::begin(f.file, f.p, this_build)), "its log is there"));
  std::filesystem::remove(f.file.string() + "-wal");
  // What a killed attempt left before its plan was whole.
  std::ofstream(f.file.string() + ".begun") << "x";
  fill(f.file, f.p);
  CHECK(journal::resume(f.file, f.p, this_build));
}

TEST_CASE("journal: a changed scenario, grid, seed or build is refused with what differs") {
  const small_journal f;
  fill(f.file, f.p);
  auto r = request_for(f.scenario, {"lease.ttl=5s,10s"}, 2);
  r.overrides = {{"matchers.count", "3"}};
  CHECK(has(refusal_of(journal::resume(f.file, plan_of(r), this_build)), "count: 3"));
  r = request_for(f.scenario, {"lease.ttl=5s,11s"}, 2);
  CHECK(has(refusal_of(journal::resume(f.file, plan_of(r), this_build)),
            "point 2 of its grid was lease.ttl=10s, and now is lease.ttl=11s"));
  r = request_for(f.scenario, {"lease.ttl=5s,10s,11s"}, 2);
  CHECK(has(refusal_of(journal::resume(f.file, plan_of(r), this_build)), "had 2 points"));
  r = request_for(f.scenario, {"lease.ttl=5s,10s"}, 3);
  CHECK(has(refusal_of(journal::resume(f.file, plan_of(r), this_build)), "--seeds 2"));
  results::build_info other = this_build;
  other.binary = "beef";
  CHECK(has(refusal_of(journal::resume(f.file, f.p, other)), "another build"));
}

TEST_CASE("journal: what is no journal is refused") {
  const small_journal f;
  std::ofstream(f.file) << std::string(4096, 'x');
  CHECK(has(refusal_of(journal::resume(f.file, f.p, this_build)), "no database"));
  std::filesystem::remove(f.file);
  tamper(f.file, "CREATE TABLE t (x)");
  CHECK(has(refusal_of(journal::resume(f.file, f.p, this_build)), "not of a sweep"));
}

TEST_CASE("journal: one with strange tables, a later schema or damage is refused") {
  const small_journal f;
  fill(f.file, f.p);
  tamper(f.file, "CREATE TRIGGER t AFTER INSERT ON runs BEGIN DELETE FROM facts; END");
  CHECK(has(refusal_of(journal::resume(f.file, f.p, this_build)), "other tables"));
  tamper(f.file, "DROP TRIGGER t; PRAGMA user_version = 7");
  CHECK(has(refusal_of(journal::resume(f.file, f.p, this_build)), "schema 7"));
  tamper(f.file, fmt::format("PRAGMA user_version = {}", sweep::journal_schema).c_str());
  REQUIRE(journal::resume(f.file, f.p, this_build));
  std::filesystem::resize_file(f.file, std::filesystem::file_size(f.file) / 2);
  refusal_of(journal::resume(f.file, f.p, this_build));
}

TEST_CASE("journal: whatever was changed behind its back is noticed when it is opened") {
  const small_journal f;
  for (const auto& [sql, what] :
       {std::pair("UPDATE metrics SET value = 7 WHERE point = 1 AND place = 1", "run 2 of point 1"),
        std::pair("UPDATE spreads SET spread = '1 2 3*4' WHERE point = 1", "run 2 of point 1"),
        std::pair("DELETE FROM metrics WHERE point = 1 AND place = 1", "run 2 of point 1"),
        std::pair("DELETE FROM spreads WHERE point = 1", "run 2 of point 1"),
        std::pair("DELETE FROM runs WHERE point = 1", "figures of a run"),
        std::pair("DELETE FROM runs; DELETE FROM metrics", "delays of a run"),
        std::pair("DELETE FROM points WHERE point = 2", "fields of a point"),
        std::pair("UPDATE runs SET scenario_hash = 'other' WHERE point = 1", "another scenario"),
        std::pair("UPDATE runs SET build = 'beef'", "another scenario or build"),
        std::pair("UPDATE runs SET replication = 3 WHERE point = 1; "
                  "UPDATE metrics SET replication = 3 WHERE point = 1; "
                  "UPDATE spreads SET replication = 3 WHERE point = 1",
                  "run 3 of point 1"),
        std::pair("INSERT INTO runs SELECT 9, replication, seed, scenario_hash, build, history, "
                  "facts, events, violations, breach, result_hash FROM runs WHERE point = 1",
                  "runs of a point"),
        std::pair("INSERT INTO runs SELECT 1, 1, seed, scenario_hash, build, history, "
                  "facts, events, violations, breach, result_hash FROM runs WHERE point = 2",
                  "another scenario"),
        std::pair("INSERT INTO runs SELECT 1, 1, seed, scenario_hash, build, history, "
                  "facts, events, violations, breach, result_hash FROM runs WHERE point = 1",
                  "run 1 of point 1"),
        std::pair("INSERT INTO facts VALUES ('strange', '1')", "strange")}) {
    std::filesystem::remove(f.file);
    fill(f.file, f.p);
    REQUIRE(journal::resume(f.file, f.p, this_build));
    tamper(f.file, sql);
    CAPTURE(sql);
    CHECK(has(refusal_of(journal::resume(f.file, f.p, this_build)), what));
  }
}

TEST_CASE("journal: no flipped byte gets past, unless it lies where nothing is kept") {
  const small_journal f;
  fill(f.file, f.p);
  std::ifstream in(f.file, std::ios::binary);
  const std::string whole((std::istreambuf_iterator<char>(in)), {});
  int refused = 0;
  const std::size_t step = 61;
  for (std::size_t at = 0; at < whole.size(); at += at < 100 ? 1 : step) {
    std::string bytes = whole;
    bytes[at] = static_cast<char>(bytes[at] ^ 0x15);
    for (const char* beside : {"", "-wal", "-shm", "-journal"}) {
      std::filesystem::remove(f.file.string() + beside);
    }
    std::ofstream(f.file, std::ios::binary) << bytes;
    CAPTURE(at);
    auto j = journal::resume(f.file, f.p, this_build);
    if (!j) {
      CHECK(j.error().code == exit_code::invalid_input);
      ++refused;
      continue;
    }
    for (const auto& [point, replication] : {std::pair(1U, 2U), std::pair(2U, 1U)}) {
      const auto runs = j->runs_of(point);
      REQUIRE(runs);
      REQUIRE(runs->size() == 1);
      CHECK(runs->front() == a_run(f.p, point, replication));
    }
    CHECK(j->add(a_run(f.p, 1, 1)));
  }
  CHECK(refused > 20);
}
