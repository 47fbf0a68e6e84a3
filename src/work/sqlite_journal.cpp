#include "work/sqlite_journal.hpp"

#include "base/stopwatch.hpp"
#include "sqlite/database.hpp"
#include "text/escape.hpp"
#include "text/json_text.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>
#include <charconv>
#include <string>
#include <utility>

namespace dibs::work {
namespace {

using json = nlohmann::ordered_json;
using sqlite::database;

constexpr std::int64_t application_id = 0x6469626a;  // "dibj" in ASCII
constexpr int schema = 1;
/// A process that writes is done within milliseconds, unless somebody stopped it.
constexpr double patience_s = 60;

constexpr const char* tables = R"(
CREATE TABLE study (id TEXT PRIMARY KEY, name TEXT NOT NULL, file TEXT NOT NULL,
  folder TEXT NOT NULL, text TEXT NOT NULL, seed TEXT NOT NULL, metrics TEXT NOT NULL,
  build TEXT NOT NULL, build_words TEXT NOT NULL, seen REAL NOT NULL) WITHOUT ROWID;
CREATE TABLE point (study TEXT, hash TEXT, overrides TEXT NOT NULL,
  PRIMARY KEY (study, hash)) WITHOUT ROWID;
CREATE TABLE run (id INTEGER PRIMARY KEY AUTOINCREMENT, study TEXT NOT NULL, point TEXT NOT NULL,
  seed TEXT NOT NULL, holder TEXT, token INTEGER, due REAL, tries INTEGER NOT NULL DEFAULT 0,
  result TEXT, code INTEGER, failure TEXT, differs INTEGER NOT NULL DEFAULT 0,
  UNIQUE (study, point, seed));
CREATE INDEX run_without_result ON run (id) WHERE result IS NULL AND code IS NULL;
CREATE TABLE last_token (token INTEGER NOT NULL);
INSERT INTO last_token VALUES (0);
)";

/// Seconds; of all clocks only the machine's calendar is the same in all of its processes. One that
/// is set while a study runs lets a run be run twice, no more.
constexpr const char* now = "((julianday('now') - 2440587.5) * 86400.0)";

class sqlite_journal : public journal {
 public:
  sqlite_journal(database d, std::string name, const std::atomic<bool>* stop)
      : database_(std::move(d)), name_(std::move(name)), stop_(stop) {}

  [[nodiscard]] result<void> prepare();

  [[nodiscard]] result<void> enter(const study& s) override;
  [[nodiscard]] result<study> study_of(const std::string& id) override;
  [[nodiscard]] result<std::vector<std::int64_t>> want(const std::string& study,
                                                       std::span<const point> points,
                                                       std::span<const wanted_run> runs,
                                                       bool again) override;
  [[nodiscard]] result<void> withdraw(const std::string& study) override;
  [[nodiscard]] result<std::vector<taken_run>> take(const claim& c) override;
  [[nodiscard]] result<std::vector<std::int64_t>> renew(std::span<const taken_run> held,
                                                        double lease_s) override;
  [[nodiscard]] result<void> give_back(std::span<const taken_run> held) override;
  [[nodiscard]] result<std::vector<arrival>> put(std::span<const finished_run> runs) override;
  [[nodiscard]] result<std::vector<kept_run>> look_up(std::span<const std::int64_t> ids) override;
  [[nodiscard]] result<std::vector<std::int64_t>> differing_runs(const std::string& study) override;
  [[nodiscard]] result<open_runs> open_runs_for(const std::string& build,
                                                const std::vector<std::string>& refused) override;

 private:
  /// Does something as one transaction.
  template <class Act>
  [[nodiscard]] result<void> at_once(Act act) {
    auto done = begin();
    done = done ? act() : done;
    done = done ? database_.execute("COMMIT") : done;
    if (!done) {
      // The transaction may be over already; then there is nothing to take back.
      static_cast<void>(database_.execute("ROLLBACK"));
    }
    return done;
  }
  [[nodiscard]] result<void> begin();
  [[nodiscard]] result<void> take_rows(const claim& c, std::vector<taken_run>& taken);
  [[nodiscard]] result<arrival> put_one(const finished_run& r);

  database database_;
  std::string name_;
  const std::atomic<bool>* stop_;
};

result<void> sqlite_journal::begin() {
  const stopwatch watch;
  while (true) {
    // Waits for others itself, for a while.
    auto begun = database_.execute("BEGIN IMMEDIATE");
    const bool is_stopped = stop_ != nullptr && stop_->load();
    if (begun || !database_.is_busy() || is_stopped || watch.seconds() > patience_s) {
      return begun;
    }
  }
}

result<void> sqlite_journal::prepare() {
  auto ready = database_.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
  return ready.and_then([&] {
    return at_once([&]() -> result<void> {
      const auto id = database_.number("PRAGMA application_id");
      const auto version = database_.number("PRAGMA user_version");
      const auto made = database_.number("SELECT count(*) FROM sqlite_master");
      if (!id || !version || !made) {
        return tl::unexpected<error>(!id ? id.error() : !version ? version.error() : made.error());
      }
      if (*made == 0) {
        return database_.execute(
            fmt::format(
                "PRAGMA application_id = {}; PRAGMA user_version = {};", application_id, schema) +
            tables);
      }
      return *id == application_id && *version == schema
                 ? result<void>()
                 : failure(exit_code::invalid_input,
                           fmt::format("{} is an SQLite file, but no journal of this dibs", name_));
    });
  });
}

result<void> sqlite_journal::enter(const study& s) {
  return at_once([&]() -> result<void> {
    auto row = database_.prepare(fmt::format(
        "INSERT INTO study VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, {0}) ON CONFLICT (id) DO UPDATE SET "
        "name = excluded.name, file = excluded.file, folder = excluded.folder, seen = {0}",
        now));
    if (!row) {
      return tl::unexpected<error>(row.error());
    }
    return row->bind(1, s.id())
        .bind(2, s.name)
        .bind(3, s.file)
        .bind(4, s.folder)
        .bind(5, s.text)
        .bind(6, std::to_string(s.seed))
        .bind(7, fmt::format("{}", fmt::join(s.metrics, " ")))
        .bind(8, s.build.binary)
        .bind(9, results::words_of(s.build))
        .run();
  });
}

result<study> sqlite_journal::study_of(const std::string& id) {
  auto query = database_.prepare(
      "SELECT name, file, folder, text, seed, metrics, build FROM study WHERE id = ?");
  if (!query) {
    return tl::unexpected<error>(query.error());
  }
  const auto row = query->bind(1, id).step();
  if (!row || !*row) {
    return row ? failure(exit_code::invalid_input,
                         fmt::format("{} has runs of a study that it does not know", name_))
               : tl::unexpected<error>(row.error());
  }
  return study_in({query->text(0),
                   query->text(1),
                   query->text(2),
                   query->text(3),
                   query->text(4),
                   query->text(5),
                   query->text(6)});
}

result<std::vector<std::int64_t>> sqlite_journal::want(const std::string& study,
                                                       std::span<const point> points,
                                                       std::span<const wanted_run> runs,
                                                       bool again) {
  std::vector<std::int64_t> ids;
  const auto done = at_once([&]() -> result<void> {
    auto of_point = database_.prepare("INSERT OR IGNORE INTO point VALUES (?, ?, ?)");
    auto run = database_.prepare("INSERT OR IGNORE INTO run(study, point, seed) VALUES (?, ?, ?)");
    auto anew = database_.prepare(
        "UPDATE run SET code = NULL, failure = NULL, due = NULL WHERE study = ? AND code NOT NULL");
    auto id = database_.prepare("SELECT id FROM run WHERE study = ? AND point = ? AND seed = ?");
    if (!of_point || !run || !anew || !id) {
      return tl::unexpected<error>(database_.why());
    }
    if (auto ready = again ? anew->bind(1, study).run() : result<void>(); !ready) {
      return ready;
    }
    for (const wanted_run& each : runs) {
      const point& p = points[each.point];
      const std::string seed = std::to_string(each.seed);
      auto made = of_point->bind(1, study).bind(2, p.hash).bind(3, text_of(p.overrides)).run();
      made = made ? run->bind(1, study).bind(2, p.hash).bind(3, seed).run() : made;
      const auto found = made ? id->bind(1, study).bind(2, p.hash).bind(3, seed).step()
                              : tl::unexpected<error>(made.error());
      if (!found) {
        return tl::unexpected<error>(found.error());
      }
      ids.push_back(id->integer(0));
      id->reset();
    }
    return {};
  });
  return done.map([&] { return std::move(ids); });
}

result<void> sqlite_journal::withdraw(const std::string& study) {
  return at_once([&]() -> result<void> {
    return database_.prepare("DELETE FROM run WHERE study = ? AND result IS NULL")
        .and_then([&](sqlite::statement s) { return s.bind(1, study).run(); });
  });
}

result<std::vector<taken_run>> sqlite_journal::take(const claim& c) {
  std::vector<taken_run> taken;
  return at_once([&] { return take_rows(c, taken); }).map([&] { return std::move(taken); });
}

result<void> sqlite_journal::take_rows(const claim& c, std::vector<taken_run>& taken) {
  auto free = database_.prepare(fmt::format(
      "SELECT run.id, run.study, run.point, run.seed, point.overrides FROM run JOIN study ON "
      "study.id = run.study JOIN point ON point.study = run.study AND point.hash = run.point "
      "WHERE result IS NULL AND code IS NULL AND (due IS NULL OR due <= {}) AND study.build = ? "
      "AND (? = '' OR run.study = ?) AND run.study NOT IN (SELECT value FROM json_each(?)) "
      "ORDER BY run.id LIMIT ?",
      now));
  auto next = database_.prepare("UPDATE last_token SET token = token + 1");
  auto mine = database_.prepare(fmt::format(
      "UPDATE run SET holder = ?, token = (SELECT token FROM last_token), tries = tries "
      "+ 1, due = {} + ? WHERE id = ?",
      now));
  if (!free || !next || !mine) {
    return tl::unexpected<error>(database_.why());
  }
  free->bind(1, c.build)
      .bind(2, c.study)
      .bind(3, c.study)
      .bind(4, text::json_as_text(json(c.refused)))
      .bind(5, std::int64_t{c.runs});
  const auto read = free->each_row([&] {
    std::uint64_t seed = 0;
    const std::string text = free->text(3);
    std::from_chars(text.data(), text.data() + text.size(), seed);
    taken.push_back({.id = free->integer(0),
                     .token = 0,
                     .study = free->text(1),
                     .what = {free->text(2), overrides_in(free->text(4))},
                     .seed = seed});
  });
  if (!read) {
    return read;
  }
  for (taken_run& each : taken) {
    auto done = next->run();
    done = done ? mine->bind(1, c.holder)
                      .bind(2, std::optional<double>(c.lease_s))
                      .bind(3, each.id)
                      .run()
                : done;
    const auto token = done ? database_.number("SELECT token FROM last_token")
                            : tl::unexpected<error>(done.error());
    if (!token) {
      return tl::unexpected<error>(token.error());
    }
    each.token = *token;
  }
  return {};
}

result<std::vector<std::int64_t>> sqlite_journal::renew(std::span<const taken_run> held,
                                                        double lease_s) {
  std::vector<std::int64_t> tokens;
  const auto done = at_once([&]() -> result<void> {
    auto row = database_.prepare(fmt::format(
        "UPDATE run SET due = {} + ? WHERE id = ? AND token = ? AND result IS NULL RETURNING token",
        now));
    if (!row) {
      return tl::unexpected<error>(row.error());
    }
    for (const taken_run& each : held) {
      row->bind(1, std::optional<double>(lease_s)).bind(2, each.id).bind(3, each.token);
      if (const auto read = row->each_row([&] { tokens.push_back(each.token); }); !read) {
        return read;
      }
      row->reset();
    }
    return {};
  });
  return done.map([&] { return std::move(tokens); });
}

result<void> sqlite_journal::give_back(std::span<const taken_run> held) {
  return at_once([&]() -> result<void> {
    auto row = database_.prepare(
        "UPDATE run SET holder = NULL, due = NULL WHERE id = ? AND token = ? AND result IS NULL");
    if (!row) {
      return tl::unexpected<error>(row.error());
    }
    for (const taken_run& each : held) {
      if (auto done = row->bind(1, each.id).bind(2, each.token).run(); !done) {
        return done;
      }
    }
    return {};
  });
}

result<arrival> sqlite_journal::put_one(const finished_run& r) {
  auto known = database_.prepare("SELECT result FROM run WHERE id = ?");
  if (!known) {
    return tl::unexpected<error>(known.error());
  }
  const auto row = known->bind(1, r.id).step();
  if (!row) {
    return tl::unexpected<error>(row.error());
  }
  if (!*row) {
    return arrival::unwanted;
  }
  const std::string before = known->text(0);
  const bool is_first = before.empty();
  const bool differs = !is_first && !r.failed && before != r.result;
  if (!is_first && !differs) {
    return arrival::kept;
  }
  const char* sql = differs    ? "UPDATE run SET differs = 1 WHERE id = ?1"
                    : r.failed ? "UPDATE run SET code = ?2, failure = ?3 WHERE id = ?1"
                               : "UPDATE run SET code = NULL, failure = NULL, result = ?3 "
                                 "WHERE id = ?1";
  auto change = database_.prepare(sql);
  if (!change) {
    return tl::unexpected<error>(change.error());
  }
  change->bind(1, r.id);
  if (!differs) {
    change->bind(2, std::int64_t{r.failed ? static_cast<int>(r.failed->code) : 0});
    change->bind(3, r.failed ? r.failed->text : r.result);
  }
  return change->run().map([&] { return differs ? arrival::differs : arrival::kept; });
}

result<std::vector<arrival>> sqlite_journal::put(std::span<const finished_run> runs) {
  std::vector<arrival> all;
  const auto done = at_once([&]() -> result<void> {
    for (const finished_run& each : runs) {
      const auto one = put_one(each);
      if (!one) {
        return tl::unexpected<error>(one.error());
      }
      all.push_back(*one);
    }
    return {};
  });
  return done.map([&] { return std::move(all); });
}

result<std::vector<kept_run>> sqlite_journal::look_up(std::span<const std::int64_t> ids) {
  auto query = database_.prepare(
      "SELECT CASE WHEN result = '' THEN '-' ELSE result END, code, failure, differs FROM run "
      "WHERE id "
      "= ?");
  if (!query) {
    return tl::unexpected<error>(query.error());
  }
  std::vector<kept_run> all;
  for (const std::int64_t id : ids) {
    query->bind(1, id);
    const auto read = query->each_row([&] {
      const auto code = static_cast<exit_code>(query->integer(1));
      all.push_back({id,
                     query->text(0),
                     query->real(1) ? std::optional(error{code, query->text(2)}) : std::nullopt,
                     query->integer(3) != 0});
    });
    if (!read) {
      return tl::unexpected<error>(read.error());
    }
    query->reset();
  }
  return all;
}

result<std::vector<std::int64_t>> sqlite_journal::differing_runs(const std::string& study) {
  auto query =
      database_.prepare("SELECT id FROM run WHERE study = ? AND differs ORDER BY id LIMIT 1000");
  if (!query) {
    return tl::unexpected<error>(query.error());
  }
  std::vector<std::int64_t> all;
  return query->bind(1, study).each_row([&] { all.push_back(query->integer(0)); }).map([&] {
    return all;
  });
}

result<open_runs> sqlite_journal::open_runs_for(const std::string& build,
                                                const std::vector<std::string>& refused) {
  auto query = database_.prepare(
      fmt::format("SELECT coalesce(sum(study.build = ?1), 0), max(CASE WHEN study.build <> ?1 AND "
                  "study.seen > {} - 3600 THEN study.build_words END) FROM run JOIN study ON "
                  "study.id = run.study WHERE result IS NULL AND code IS NULL AND run.study NOT IN "
                  "(SELECT value FROM json_each(?2))",
                  now));
  if (!query) {
    return tl::unexpected<error>(query.error());
  }
  const auto row = query->bind(1, build).bind(2, text::json_as_text(json(refused))).step();
  if (!row) {
    return tl::unexpected<error>(row.error());
  }
  return open_runs{static_cast<std::uint64_t>(query->integer(0)), query->text(1)};
}

}  // namespace

result<std::unique_ptr<journal>> open_sqlite_journal(const std::filesystem::path& file,
                                                     const std::atomic<bool>* stop) {
  auto d = database::open(file, database::access::write);
  if (!d) {
    return tl::unexpected<error>(d.error());
  }
  auto made =
      std::make_unique<sqlite_journal>(std::move(*d), text::display_text(file.string(), 400), stop);
  if (const auto ready = made->prepare(); !ready) {
    return tl::unexpected<error>(ready.error());
  }
  return std::unique_ptr<journal>(std::move(made));
}

}  // namespace dibs::work
