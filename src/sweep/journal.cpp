#include "sweep/journal.hpp"

#include "sweep/journal_parts.hpp"
#include "text/escape.hpp"
#include "text/number.hpp"
#include "work/study.hpp"

#include <fmt/format.h>

namespace dibs::sweep {
namespace {

constexpr std::int64_t application_id = 0x64696273;  // "dibs" in ASCII

constexpr const char* tables = R"(
CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE points (point INTEGER PRIMARY KEY, scenario_hash TEXT NOT NULL);
CREATE TABLE fields (point INTEGER, place INTEGER, path TEXT NOT NULL, value TEXT NOT NULL,
  PRIMARY KEY (point, place)) WITHOUT ROWID;
CREATE TABLE runs (point INTEGER, replication INTEGER, seed TEXT NOT NULL,
  scenario_hash TEXT NOT NULL, build TEXT NOT NULL, history TEXT NOT NULL, facts INTEGER NOT NULL,
  events INTEGER NOT NULL, violations INTEGER NOT NULL, breach TEXT NOT NULL,
  result_hash TEXT NOT NULL, PRIMARY KEY (point, replication)) WITHOUT ROWID;
CREATE TABLE metrics (point INTEGER, replication INTEGER, place INTEGER, metric TEXT NOT NULL,
  value REAL, over REAL, per REAL, PRIMARY KEY (point, replication, place)) WITHOUT ROWID;
CREATE TABLE spreads (point INTEGER, replication INTEGER, family TEXT, spread TEXT NOT NULL,
  PRIMARY KEY (point, replication, family)) WITHOUT ROWID;
)";

constexpr const char* schema_query =
    "SELECT group_concat(type || name || coalesce(sql, ''), '|') FROM "
    "(SELECT type, name, sql FROM sqlite_master ORDER BY name)";

tl::unexpected<error> bad_file(const std::filesystem::path& file, const std::string& why) {
  return failure(exit_code::invalid_input,
                 fmt::format("{} {}", text::display_text(file.string(), 400), why));
}

/// The text that a query gives; empty if it gives none.
result<std::string> text_of(statement& query) {
  return query.step().map([&](bool is_there) { return is_there ? query.text(0) : std::string(); });
}

result<std::string> text_of(const database& d, std::string_view sql) {
  return d.prepare(sql).and_then([](statement query) { return text_of(query); });
}

result<std::string> expected_schema() {
  return database::in_memory().and_then([](database d) {
    return d.execute(tables).and_then([&d] { return text_of(d, schema_query); });
  });
}

}  // namespace

result<journal> journal::begin(const std::filesystem::path& file,
                               const plan& p,
                               const results::build_info& b) {
  std::error_code failed;
  if (std::filesystem::exists(file.string() + "-wal", failed)) {
    return bad_file(file, "is gone, and its log is there: the directory is damaged");
  }
  // Where an earlier attempt was killed, its beginning may still lie about.
  const std::filesystem::path begun = file.string() + ".begun";
  std::filesystem::remove(begun, failed);
  std::filesystem::remove(begun.string() + "-journal", failed);
  {
    auto d = database::open(begun, database::access::write);
    if (!d) {
      return tl::unexpected<error>(d.error());
    }
    journal j(std::move(*d));
    result<void> done = j.database_.execute("BEGIN IMMEDIATE");
    done = done ? j.write_plan(p, b) : done;
    done = done ? j.database_.execute("COMMIT") : done;
    if (!done) {
      return tl::unexpected<error>(done.error());
    }
  }
  std::filesystem::rename(begun, file, failed);
  if (failed) {
    return failure(
        exit_code::internal_error,
        fmt::format(
            "cannot make {}: {}", text::display_text(file.string(), 400), failed.message()));
  }
  return resume(file, p, b);
}

result<journal> journal::resume(const std::filesystem::path& file,
                                const plan& p,
                                const results::build_info& b) {
  auto j = open_sound(file, database::access::write);
  if (!j) {
    return j;
  }
  result<void> done = j->check_plan(p, b);
  done = done ? j->hurry() : done;
  if (!done) {
    return tl::unexpected<error>(done.error());
  }
  return j;
}

// A write-ahead log takes no sync for each run, which would cost more than a small run itself.
// After a kill it is whole; after a power cut the last runs may be missing, and are run again.
result<void> journal::hurry() {
  return database_.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
}

result<void> journal::close_log() { return database_.execute("PRAGMA journal_mode = DELETE"); }

result<journal> journal::read(const std::filesystem::path& file) {
  return open_sound(file, database::access::read);
}

result<journal> journal::open_sound(const std::filesystem::path& file, database::access how) {
  std::error_code failed;
  if (!std::filesystem::exists(file, failed) && !failed) {
    return bad_file(file, "is not there");
  }
  if (std::filesystem::file_size(file, failed) == 0 && !failed) {
    return bad_file(file, "is damaged: it is empty");
  }
  auto d = database::open(file, how);
  if (!d) {
    return tl::unexpected<error>(d.error());
  }
  const auto id = d->number("PRAGMA application_id");
  if (!id) {
    return tl::unexpected<error>(id.error());
  }
  if (*id != application_id) {
    return bad_file(file, "is an SQLite file, but not of a sweep of dibs");
  }
  if (how == database::access::write && d->is_read_only()) {
    return bad_file(file, "cannot be written to: its header or its permissions forbid it");
  }
  const auto version = d->number("PRAGMA user_version");
  if (!version || *version != journal_schema) {
    return version ? bad_file(file,
                              fmt::format("is of schema {}; this dibs reads schema {}",
                                          *version,
                                          journal_schema))
                   : tl::unexpected<error>(version.error());
  }
  const auto health = text_of(*d, "PRAGMA integrity_check(1)");
  if (!health) {
    return tl::unexpected<error>(health.error());
  }
  if (*health != "ok") {
    return bad_file(file, "is damaged: SQLite finds that its pages contradict each other");
  }
  const auto found = text_of(*d, schema_query);
  const auto wanted = expected_schema();
  if (!found || !wanted) {
    return tl::unexpected<error>(found ? wanted.error() : found.error());
  }
  if (*found != *wanted) {
    return bad_file(file, "has other tables than a sweep of dibs");
  }
  journal j(std::move(*d));
  result<void> sound = j.check_strays();
  sound = sound ? j.check_runs() : sound;
  if (!sound) {
    return bad_file(file, "is damaged: " + text::display_text(sound.error().text, 300));
  }
  return j;
}

result<void> journal::write_plan(const plan& p, const results::build_info& b) {
  auto made = database_.execute(fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {};",
                                            application_id,
                                            journal_schema) +
                                tables);
  if (!made) {
    return made;
  }
  auto fact = database_.prepare("INSERT INTO facts VALUES (?, ?)");
  auto row = database_.prepare("INSERT INTO points VALUES (?, ?)");
  auto field = database_.prepare("INSERT INTO fields VALUES (?, ?, ?, ?)");
  if (!fact || !row || !field) {
    return tl::unexpected<error>(database_.why());
  }
  std::map<std::string, std::string> facts = facts_of(p, b);
  facts.emplace(asked_prefix + std::string("file"), p.file.string());
  facts.emplace(asked_prefix + std::string("overrides"), work::text_of(p.overrides));
  for (const auto& [name, value] : facts) {
    if (auto done = fact->bind(1, name).bind(2, value).run(); !done) {
      return done;
    }
  }
  for (std::size_t i = 0; i < p.points.size(); ++i) {
    const auto number = static_cast<std::int64_t>(i + 1);
    if (auto done = row->bind(1, number).bind(2, p.points[i].hash).run(); !done) {
      return done;
    }
    std::int64_t position = 0;
    for (const scenario::override_value& f : p.points[i].what.fields) {
      field->bind(1, number).bind(2, ++position).bind(3, f.path).bind(4, f.value);
      if (auto done = field->run(); !done) {
        return done;
      }
    }
  }
  return {};
}

result<void> journal::add(const results::run_record& r) {
  result<void> done = database_.execute("BEGIN IMMEDIATE");
  done = done ? write_run(r) : done;
  done = done ? database_.execute("COMMIT") : done;
  if (!done) {
    // The transaction may be over already; then there is nothing to take back.
    static_cast<void>(database_.execute("ROLLBACK"));
  }
  return done;
}

result<void> journal::write_run(const results::run_record& r) {
  const auto build = fact("build.binary");
  auto run = database_.prepare("INSERT INTO runs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  auto metric = database_.prepare("INSERT INTO metrics VALUES (?, ?, ?, ?, ?, ?, ?)");
  auto spread = database_.prepare("INSERT INTO spreads VALUES (?, ?, ?, ?)");
  if (!build || !run || !metric || !spread) {
    return tl::unexpected<error>(database_.why());
  }
  run->bind(1, std::int64_t{r.point})
      .bind(2, std::int64_t{r.replication})
      .bind(3, std::to_string(r.seed))
      .bind(4, r.scenario_hash)
      .bind(5, *build)
      .bind(6, r.history)
      .bind(7, static_cast<std::int64_t>(r.facts))
      .bind(8, static_cast<std::int64_t>(r.events))
      .bind(9, static_cast<std::int64_t>(r.violations))
      .bind(10, r.violation)
      .bind(11, results::hash_of(r));
  if (auto done = run->run(); !done) {
    return done;
  }
  std::int64_t position = 0;
  for (const results::metric_sample& m : r.measures) {
    metric->bind(1, std::int64_t{r.point})
        .bind(2, std::int64_t{r.replication})
        .bind(3, ++position)
        .bind(4, m.metric)
        .bind(5, m.value)
        .bind(6, m.over)
        .bind(7, m.per);
    if (auto done = metric->run(); !done) {
      return done;
    }
  }
  for (const auto& [family, values] : results::values_of(r)) {
    spread->bind(1, std::int64_t{r.point})
        .bind(2, std::int64_t{r.replication})
        .bind(3, family)
        .bind(4, stats::text_of(*values));
    if (auto done = spread->run(); !done) {
      return done;
    }
  }
  return {};
}

result<std::set<std::pair<std::uint32_t, std::uint32_t>>> journal::finished() const {
  auto query = database_.prepare("SELECT point, replication FROM runs");
  if (!query) {
    return tl::unexpected<error>(query.error());
  }
  std::set<std::pair<std::uint32_t, std::uint32_t>> all;
  const auto read = query->each_row([&] {
    all.emplace(static_cast<std::uint32_t>(query->integer(0)),
                static_cast<std::uint32_t>(query->integer(1)));
  });
  return read.map([&] { return std::move(all); });
}

result<std::vector<results::run_record>> journal::runs_of(std::uint32_t point) const {
  auto query = database_.prepare(
      "SELECT replication, seed, scenario_hash, history, facts, events, violations, breach, "
      "result_hash FROM runs WHERE point = ? ORDER BY replication");
  if (!query) {
    return tl::unexpected<error>(query.error());
  }
  query->bind(1, std::int64_t{point});
  std::vector<results::run_record> runs;
  auto row = query->step();
  for (; row && *row; row = query->step()) {
    results::run_record r;
    r.point = point;
    r.replication = static_cast<std::uint32_t>(query->integer(0));
    r.seed = number_of(query->text(1));
    r.scenario_hash = query->text(2);
    r.history = query->text(3);
    r.facts = static_cast<std::uint64_t>(query->integer(4));
    r.events = static_cast<std::uint64_t>(query->integer(5));
    r.violations = static_cast<std::uint64_t>(query->integer(6));
    r.violation = query->text(7);
    if (const auto whole = read_measures(r); !whole) {
      return tl::unexpected<error>(whole.error());
    }
    if (results::hash_of(r) != query->text(8)) {
      return failure(exit_code::invalid_input,
                     fmt::format("the journal was changed: run {} of point {} is not what was put "
                                 "down",
                                 r.replication,
                                 point));
    }
    runs.push_back(std::move(r));
  }
  if (!row) {
    return tl::unexpected<error>(row.error());
  }
  return runs;
}

result<void> journal::read_measures(results::run_record& r) const {
  auto spread = database_.prepare(
      "SELECT family, spread FROM spreads WHERE point = ? AND replication = ? ORDER BY family");
  auto metric = database_.prepare(
      "SELECT metric, value, over, per FROM metrics WHERE point = ? AND replication = ? ORDER BY "
      "place");
  if (!spread || !metric) {
    return tl::unexpected<error>(spread ? metric.error() : spread.error());
  }
  spread->bind(1, std::int64_t{r.point}).bind(2, std::int64_t{r.replication});
  results::run_values values;
  const auto spreads = spread->each_row([&] {
    auto read = stats::parse_sparse_histogram(spread->text(1));
    values.emplace(spread->text(0),
                   std::make_shared<const stats::sparse_histogram>(
                       read ? std::move(*read) : stats::sparse_histogram{}));
  });
  if (!spreads) {
    return spreads;
  }
  metric->bind(1, std::int64_t{r.point}).bind(2, std::int64_t{r.replication});
  return metric->each_row([&] {
    results::metric_sample m{metric->text(0), metric->real(1), metric->real(2), metric->real(3)};
    if (const auto own = values.find(results::family_of(m.metric)); own != values.end()) {
      m.values = own->second;
    }
    r.measures.push_back(std::move(m));
  });
}

result<std::vector<kept_point>> journal::points() const {
  auto query = database_.prepare(
      "SELECT points.point, scenario_hash, path, value FROM points LEFT JOIN fields ON "
      "points.point = fields.point ORDER BY points.point, place");
  if (!query) {
    return tl::unexpected<error>(query.error());
  }
  std::vector<kept_point> all;
  const auto read = query->each_row([&] {
    const auto number = static_cast<std::uint32_t>(query->integer(0));
    if (all.empty() || all.back().number != number) {
      all.push_back({number, {}, query->text(1)});
    }
    all.back().what.fields.push_back({query->text(2), query->text(3)});
  });
  return read.map([&] { return std::move(all); });
}

result<std::string> journal::fact(const std::string& name) const {
  auto query = database_.prepare("SELECT value FROM facts WHERE name = ?");
  if (!query) {
    return tl::unexpected<error>(query.error());
  }
  return text_of(query->bind(1, name));
}

}  // namespace dibs::sweep
