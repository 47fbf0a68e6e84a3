#include "service/sqlite_journal.hpp"

#include "sqlite/database.hpp"
#include "text/escape.hpp"

#include <fmt/format.h>

#include <utility>

namespace dibs::service {
namespace {

constexpr std::int64_t application_id = 0x6469626c;  // "dibl"

constexpr const char* schema = R"(
CREATE TABLE IF NOT EXISTS lease(token INTEGER PRIMARY KEY, resource, holder, request, state, created,
  expires, ended);
CREATE TABLE IF NOT EXISTS task(id INTEGER PRIMARY KEY, data, state, token, worker, attempts, created,
  expires, output);
CREATE TABLE IF NOT EXISTS counters(one INTEGER PRIMARY KEY, last_token, last_task, written);
INSERT OR IGNORE INTO counters VALUES (1, 0, 0, 0);
)";

std::int64_t number_of(instant t) { return t.time_since_epoch().count(); }
instant instant_of(std::int64_t ms) { return instant(milliseconds(ms)); }

template <class Enum>
std::int64_t number_of(Enum e) {
  return static_cast<std::int64_t>(e);
}

/// The state that a number stands for; nothing if it stands for none.
template <class Enum>
std::optional<Enum> read_state(std::int64_t n) {
  return n >= 0 && n <= 2 ? std::optional(static_cast<Enum>(n)) : std::nullopt;
}

class sqlite_journal : public journal {
 public:
  sqlite_journal(std::string name, sqlite::database d)
      : name_(std::move(name)), database_(std::move(d)) {}

  result<void> prepare();
  result<record> load() override;
  result<void> write(const record_change& change) override;

 private:
  [[nodiscard]] result<void> write_rows(const record_change& change);
  [[nodiscard]] result<void> write_leases(const std::vector<lease>& all);
  [[nodiscard]] result<void> write_tasks(const std::vector<task>& all);
  [[nodiscard]] result<void> forget(const char* sql, const std::vector<std::int64_t>& all);
  [[nodiscard]] tl::unexpected<error> bad_file(const char* what) const {
    return failure(exit_code::invalid_input, fmt::format("{} {}", name_, what));
  }

  std::string name_;
  sqlite::database database_;
};

result<void> sqlite_journal::prepare() {
  const auto id = database_.number("PRAGMA application_id");
  const auto tables = database_.number("SELECT count(*) FROM sqlite_master");
  if (!id || !tables) {
    return tl::unexpected<error>(id ? tables.error() : id.error());
  }
  if (*id != application_id && *tables > 0) {
    return bad_file("is an SQLite file, but not of leases of dibs");
  }
  const std::string claim = fmt::format("PRAGMA application_id = {}", application_id);
  // In this order: the lock is taken with the first transaction, and kept to the end.
  for (const std::string& sql : {std::string("PRAGMA locking_mode = EXCLUSIVE"),
                                 std::string("PRAGMA journal_mode = WAL"),
                                 std::string("PRAGMA synchronous = FULL"),
                                 std::string("BEGIN EXCLUSIVE"),
                                 claim,
                                 std::string(schema),
                                 std::string("COMMIT")}) {
    if (auto done = database_.execute(sql); !done) {
      return done;
    }
  }
  return {};
}

result<record> sqlite_journal::load() {
  record all;
  auto counters = database_.prepare("SELECT last_token, last_task, written FROM counters");
  auto leases = database_.prepare(
      "SELECT token, resource, holder, request, state, created, expires, ended FROM lease");
  auto tasks = database_.prepare(
      "SELECT id, data, state, token, worker, attempts, created, expires, output FROM task "
      "ORDER BY id");
  if (!counters || !leases || !tasks) {
    return tl::unexpected<error>(database_.why());
  }
  bool is_sound = true;
  result<void> read = counters->each_row([&] {
    all.last_token = counters->integer(0);
    all.last_task = counters->integer(1);
    all.at = instant_of(counters->integer(2));
  });
  read = read.and_then([&] {
    return leases->each_row([&] {
      const auto state = read_state<lease_state>(leases->integer(4));
      is_sound = is_sound && state && leases->integer(0) <= all.last_token;
      all.leases.push_back({.token = leases->integer(0),
                            .resource = leases->text(1),
                            .holder = leases->text(2),
                            .request = leases->text(3),
                            .state = state.value_or(lease_state::expired),
                            .created = instant_of(leases->integer(5)),
                            .expires = instant_of(leases->integer(6)),
                            .ended = instant_of(leases->integer(7))});
    });
  });
  read = read.and_then([&] {
    return tasks->each_row([&] {
      const auto state = read_state<task_state>(tasks->integer(2));
      is_sound = is_sound && state && tasks->integer(3) <= all.last_token;
      all.tasks.push_back({.id = tasks->integer(0),
                           .data = tasks->text(1),
                           .state = state.value_or(task_state::done),
                           .token = tasks->integer(3),
                           .worker = tasks->text(4),
                           .attempts = tasks->integer(5),
                           .created = instant_of(tasks->integer(6)),
                           .expires = instant_of(tasks->integer(7)),
                           .output = tasks->text(8)});
    });
  });
  if (!read) {
    return tl::unexpected<error>(read.error());
  }
  if (!is_sound) {
    return bad_file("is damaged: a row is of no lease or task that was given");
  }
  return all;
}

result<void> sqlite_journal::write(const record_change& change) {
  result<void> done = database_.execute("BEGIN IMMEDIATE");
  done = done ? write_rows(change) : done;
  done = done ? database_.execute("COMMIT") : done;
  if (!done) {
    static_cast<void>(database_.execute("ROLLBACK"));
  }
  return done;
}

result<void> sqlite_journal::write_rows(const record_change& change) {
  auto done = write_leases(change.now.leases);
  done = done ? write_tasks(change.now.tasks) : done;
  done = done ? forget("DELETE FROM lease WHERE token = ?", change.forgotten_leases) : done;
  done = done ? forget("DELETE FROM task WHERE id = ?", change.forgotten_tasks) : done;
  if (!done) {
    return done;
  }
  return database_.prepare("UPDATE counters SET last_token = ?, last_task = ?, written = ?")
      .and_then([&](sqlite::statement s) {
        return s.bind(1, change.now.last_token)
            .bind(2, change.now.last_task)
            .bind(3, number_of(change.now.at))
            .run();
      });
}

result<void> sqlite_journal::write_leases(const std::vector<lease>& all) {
  if (all.empty()) {
    return {};
  }
  auto s = database_.prepare("INSERT OR REPLACE INTO lease VALUES (?,?,?,?,?,?,?,?)");
  result<void> done = s.map([](const auto&) {});
  for (auto l = all.begin(); done && l != all.end(); ++l) {
    done = s->bind(1, l->token)
               .bind(2, l->resource)
               .bind(3, l->holder)
               .bind(4, l->request)
               .bind(5, number_of(l->state))
               .bind(6, number_of(l->created))
               .bind(7, number_of(l->expires))
               .bind(8, number_of(l->ended))
               .run();
  }
  return done;
}

result<void> sqlite_journal::write_tasks(const std::vector<task>& all) {
  if (all.empty()) {
    return {};
  }
  auto s = database_.prepare("INSERT OR REPLACE INTO task VALUES (?,?,?,?,?,?,?,?,?)");
  result<void> done = s.map([](const auto&) {});
  for (auto t = all.begin(); done && t != all.end(); ++t) {
    done = s->bind(1, t->id)
               .bind(2, t->data)
               .bind(3, number_of(t->state))
               .bind(4, t->token)
               .bind(5, t->worker)
               .bind(6, t->attempts)
               .bind(7, number_of(t->created))
               .bind(8, number_of(t->expires))
               .bind(9, t->output)
               .run();
  }
  return done;
}

result<void> sqlite_journal::forget(const char* sql, const std::vector<std::int64_t>& all) {
  if (all.empty()) {
    return {};
  }
  auto s = database_.prepare(sql);
  result<void> done = s.map([](const auto&) {});
  for (auto each = all.begin(); done && each != all.end(); ++each) {
    done = s->bind(1, *each).run();
  }
  return done;
}

}  // namespace

result<std::unique_ptr<journal>> open_sqlite_journal(const std::filesystem::path& file) {
  auto d = sqlite::database::open(file, sqlite::database::access::write);
  if (!d) {
    return tl::unexpected<error>(d.error());
  }
  auto made =
      std::make_unique<sqlite_journal>(text::display_text(file.string(), 400), std::move(*d));
  if (const auto ready = made->prepare(); !ready) {
    return tl::unexpected<error>(ready.error());
  }
  return std::unique_ptr<journal>(std::move(made));
}

}  // namespace dibs::service
