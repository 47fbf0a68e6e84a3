#include "service/postgres_journal.hpp"

#include "base/stopwatch.hpp"
#include "store/postgres_session.hpp"
#include "text/json_text.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <poll.h>

#include <array>
#include <charconv>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dibs::service {
namespace {

using json = nlohmann::ordered_json;

constexpr milliseconds patience{5'000};
/// A server that has just lost a service notices when the statement that it runs for it ends, which
/// may wait for a busy disk. So a holder that is at work may be dead for so long, and one that
/// waits for statements is alive after a few looks.
constexpr double lock_patience_s = 60;
constexpr int looks_at_idle_holder = 60;
constexpr int before_asking_again_ms = 50;
/// A server that is away is not asked for every call, which would wait for it one by one.
constexpr double between_attempts_s = 0.5;

constexpr std::array statements{
    "CREATE SCHEMA IF NOT EXISTS dibs_service",
    "CREATE TABLE IF NOT EXISTS dibs_service.lease(token bigint PRIMARY KEY, resource text, holder "
    "text, request text, state int, created bigint, expires bigint, ended bigint)",
    "CREATE TABLE IF NOT EXISTS dibs_service.task(id bigint PRIMARY KEY, data text, state int, "
    "token "
    "bigint, worker text, attempts bigint, created bigint, expires bigint, output text)",
    "CREATE TABLE IF NOT EXISTS dibs_service.counters(one int PRIMARY KEY, last_token bigint, "
    "last_task bigint, written bigint)",
    "INSERT INTO dibs_service.counters VALUES (1, 0, 0, 0) ON CONFLICT DO NOTHING"};

// "dibl", as the file of SQLite has it.
constexpr const char* take_lock = "SELECT pg_try_advisory_lock(1684628076, 1)";

/// 't' if whoever has the lock waits for a statement, or may not be looked at.
constexpr const char* holder_is_idle = R"(
SELECT coalesce(bool_or(a.state IS DISTINCT FROM 'active'), true)
FROM pg_locks l LEFT JOIN pg_stat_activity a USING (pid)
WHERE l.locktype = 'advisory' AND l.classid = 1684628076 AND l.objid = 1 AND l.granted
  AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database()))";

// One statement: all of it or nothing, and one wait for the disk.
constexpr const char* write_all = R"(
WITH leases AS (
  INSERT INTO dibs_service.lease
    SELECT * FROM json_populate_recordset(NULL::dibs_service.lease, $1::json)
  ON CONFLICT (token) DO UPDATE SET resource = excluded.resource, holder = excluded.holder,
    request = excluded.request, state = excluded.state, created = excluded.created,
    expires = excluded.expires, ended = excluded.ended),
tasks AS (
  INSERT INTO dibs_service.task
    SELECT * FROM json_populate_recordset(NULL::dibs_service.task, $2::json)
  ON CONFLICT (id) DO UPDATE SET data = excluded.data, state = excluded.state,
    token = excluded.token, worker = excluded.worker, attempts = excluded.attempts,
    created = excluded.created, expires = excluded.expires, output = excluded.output),
old_leases AS (DELETE FROM dibs_service.lease WHERE token = ANY($3::bigint[])),
old_tasks AS (DELETE FROM dibs_service.task WHERE id = ANY($4::bigint[]))
UPDATE dibs_service.counters SET last_token = $5::bigint, last_task = $6::bigint,
  written = $7::bigint)";

std::int64_t number_of(instant t) { return t.time_since_epoch().count(); }

std::int64_t number_in(const std::string& text) {
  std::int64_t n = 0;
  std::from_chars(text.data(), text.data() + text.size(), n);
  return n;
}

instant instant_in(const std::string& text) { return instant(milliseconds(number_in(text))); }

/// The state that a number stands for; nothing if it stands for none.
template <class Enum>
std::optional<Enum> state_in(const std::string& text) {
  const std::int64_t n = number_in(text);
  return n >= 0 && n <= 2 ? std::optional(static_cast<Enum>(n)) : std::nullopt;
}

json json_of(const lease& l) {
  return {{"token", l.token},
          {"resource", l.resource},
          {"holder", l.holder},
          {"request", l.request},
          {"state", static_cast<int>(l.state)},
          {"created", number_of(l.created)},
          {"expires", number_of(l.expires)},
          {"ended", number_of(l.ended)}};
}

json json_of(const task& t) {
  return {{"id", t.id},
          {"data", t.data},
          {"state", static_cast<int>(t.state)},
          {"token", t.token},
          {"worker", t.worker},
          {"attempts", t.attempts},
          {"created", number_of(t.created)},
          {"expires", number_of(t.expires)},
          {"output", t.output}};
}

std::int64_t key_of(const lease& l) { return l.token; }
std::int64_t key_of(const task& t) { return t.id; }

/// Each row once, since one statement writes no row twice.
template <class T>
std::string json_text_of(const std::vector<T>& all) {
  std::set<std::int64_t> known;
  json rows = json::array();
  for (const T& each : all) {
    if (known.insert(key_of(each)).second) {
      rows.push_back(json_of(each));
    }
  }
  return text::json_as_text(rows);
}

/// As PostgreSQL writes an array.
std::string array_text_of(const std::vector<std::int64_t>& all) {
  return fmt::format("{{{}}}", fmt::join(all, ","));
}

class postgres_journal : public journal {
 public:
  explicit postgres_journal(store::address where) : where_(std::move(where)) {}

  /// Connects, takes the lock and makes the tables.
  [[nodiscard]] result<void> connect(double wait_for_lock_s);
  [[nodiscard]] result<record> load() override;
  [[nodiscard]] result<void> write(const record_change& change) override;

 private:
  [[nodiscard]] result<void> take_it(store::postgres_session& s, double wait_s) const;

  store::address where_;
  std::unique_ptr<store::postgres_session> session_;
  std::optional<stopwatch> last_attempt_;
};

result<void> postgres_journal::take_it(store::postgres_session& s, double wait_s) const {
  const stopwatch watch;
  int looks = 0;
  while (true) {
    const auto taken = s.run(take_lock);
    if (!taken) {
      return tl::unexpected(taken.error());
    }
    if (taken->front().front() == "t") {
      return {};
    }
    const auto idle = s.run(holder_is_idle);
    if (!idle) {
      return tl::unexpected(idle.error());
    }
    looks = idle->front().front() == "t" ? looks + 1 : 0;
    if (looks >= looks_at_idle_holder || watch.seconds() >= wait_s) {
      return failure(exit_code::internal_error,
                     fmt::format("another service has its leases in {}", where_.text));
    }
    ::poll(nullptr, 0, before_asking_again_ms);
  }
}

result<void> postgres_journal::connect(double wait_for_lock_s) {
  session_.reset();
  if (last_attempt_ && last_attempt_->seconds() < between_attempts_s) {
    return failure(exit_code::store_unreachable, "PostgreSQL was asked a moment ago");
  }
  last_attempt_.emplace();
  auto s = store::postgres_session::open(where_, patience);
  if (!s) {
    return tl::unexpected(s.error());
  }
  auto ready =
      store::check_durability(**s).and_then([&] { return store::check_encoding(**s, where_); });
  ready = ready.and_then([&] { return take_it(**s, wait_for_lock_s); });
  for (const char* sql : statements) {
    ready = ready.and_then([&] { return (*s)->run(sql).map([](const auto&) {}); });
  }
  if (ready) {
    session_ = std::move(*s);
    last_attempt_.reset();
  } else {
    last_attempt_.emplace();  // from its end
  }
  return ready;
}

result<record> postgres_journal::load() {
  if (session_ == nullptr || !session_->is_open()) {
    if (const auto there = connect(0); !there) {
      return tl::unexpected(there.error());
    }
  }
  const auto counters =
      session_->run("SELECT last_token, last_task, written FROM dibs_service.counters");
  const auto leases = session_->run(
      "SELECT token, resource, holder, request, state, created, expires, ended FROM "
      "dibs_service.lease ORDER BY token");
  const auto tasks = session_->run(
      "SELECT id, data, state, token, worker, attempts, created, expires, output FROM "
      "dibs_service.task ORDER BY id");
  for (const auto* each : {&counters, &leases, &tasks}) {
    if (!*each) {
      return tl::unexpected(each->error());
    }
  }
  record all;
  bool is_sound = counters->size() == 1;
  for (const auto& c : *counters) {
    all.last_token = number_in(c[0]);
    all.last_task = number_in(c[1]);
    all.at = instant_in(c[2]);
  }
  for (const auto& r : *leases) {
    const auto state = state_in<lease_state>(r[4]);
    is_sound = is_sound && state && number_in(r[0]) <= all.last_token;
    all.leases.push_back({.token = number_in(r[0]),
                          .resource = r[1],
                          .holder = r[2],
                          .request = r[3],
                          .state = state.value_or(lease_state::expired),
                          .created = instant_in(r[5]),
                          .expires = instant_in(r[6]),
                          .ended = instant_in(r[7])});
  }
  for (const auto& r : *tasks) {
    const auto state = state_in<task_state>(r[2]);
    is_sound = is_sound && state && number_in(r[3]) <= all.last_token;
    all.tasks.push_back({.id = number_in(r[0]),
                         .data = r[1],
                         .state = state.value_or(task_state::done),
                         .token = number_in(r[3]),
                         .worker = r[4],
                         .attempts = number_in(r[5]),
                         .created = instant_in(r[6]),
                         .expires = instant_in(r[7]),
                         .output = r[8]});
  }
  if (!is_sound) {
    return failure(
        exit_code::invalid_input,
        fmt::format("the schema dibs_service of {} is damaged: a row is of no lease or task that "
                    "was given",
                    where_.text));
  }
  return all;
}

result<void> postgres_journal::write(const record_change& change) {
  if (session_ == nullptr) {
    return failure(exit_code::store_unreachable, "PostgreSQL: the connection is gone");
  }
  auto done = session_->run(write_all,
                            {json_text_of(change.now.leases),
                             json_text_of(change.now.tasks),
                             array_text_of(change.forgotten_leases),
                             array_text_of(change.forgotten_tasks),
                             std::to_string(change.now.last_token),
                             std::to_string(change.now.last_task),
                             std::to_string(number_of(change.now.at))});
  if (!done) {
    // Nobody knows whether it took effect. The next call reads what is on record.
    return tl::unexpected(done.error());
  }
  return {};
}

}  // namespace

result<std::unique_ptr<journal>> open_postgres_journal(const store::address& where) {
  auto made = std::make_unique<postgres_journal>(where);
  if (const auto there = made->connect(lock_patience_s); !there) {
    return tl::unexpected(there.error());
  }
  return std::unique_ptr<journal>(std::move(made));
}

}  // namespace dibs::service
