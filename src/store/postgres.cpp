#include "store/postgres.hpp"

#include "base/ensure.hpp"
#include "store/libpq.hpp"
#include "store/scripts.hpp"
#include "store/wire.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cstdint>
#include <deque>
#include <string_view>
#include <utility>

namespace dibs::store {
namespace {

constexpr const char* connect_timeout_s = "5";

/// Requires: it was found to be there.
const libpq& pq() { return *libpq_functions(); }

struct closes {
  void operator()(PGconn* c) const { pq().PQfinish(c); }
};
struct clears {
  void operator()(PGresult* r) const { pq().PQclear(r); }
};
using handle = std::unique_ptr<PGconn, closes>;
using reply = std::unique_ptr<PGresult, clears>;

/// The first line of what the server or the library says.
std::string first_line(const char* text) {
  const std::string_view all(text == nullptr ? "" : text);
  return std::string(all.substr(0, all.find('\n')));
}

std::int64_t number_in(const PGresult* r, int column) {
  if (pq().PQgetisnull(r, 0, column) != 0) {
    return no_number;
  }
  const std::string_view text = pq().PQgetvalue(r, 0, column);
  std::int64_t n = 0;
  std::from_chars(text.data(), text.data() + text.size(), n);
  return n;
}

wire_row row_of(const PGresult* r) {
  wire_row row;
  const std::string_view code = pq().PQgetvalue(r, 0, 0);
  row.code = code.empty() ? '?' : code.front();
  row.a = number_in(r, 1);
  row.b = number_in(r, 2);
  row.c = number_in(r, 3);
  row.ended = number_in(r, 4);
  row.ended_ride = number_in(r, 5);
  row.ended_holder = number_in(r, 6);
  row.clock = number_in(r, 7);
  return row;
}

bool is_good(const reply& r) {
  const ExecStatusType s = pq().PQresultStatus(r.get());
  return s == PGRES_COMMAND_OK || s == PGRES_TUPLES_OK;
}

class postgres final : public connection {
 public:
  postgres(handle c, std::string space) : connection_(std::move(c)), space_(std::move(space)) {}

  [[nodiscard]] result<void> begin(const address& where, const open_options& how);

  [[nodiscard]] int descriptor() const override { return pq().PQsocket(connection_.get()); }
  [[nodiscard]] bool wants_to_write() const override { return is_unwritten_; }
  [[nodiscard]] bool has_ledger() const override { return true; }

  void send(const lease::any_command& c,
            const terms& t,
            std::optional<local_time> now,
            taker take) override;
  [[nodiscard]] bool flush() override;
  [[nodiscard]] bool receive() override;
  void give_up(const std::string& why) override;
  [[nodiscard]] result<void> add_drivers(std::uint32_t below) override;
  void remove_all() override;

 private:
  struct awaited {
    lease::any_command what;
    taker take;
  };

  /// Executes SQL and waits. Requires: no command under way.
  [[nodiscard]] result<void> execute(const std::string& sql);
  /// The one value that the query gives.
  [[nodiscard]] result<std::string> value_of(const char* query);
  [[nodiscard]] result<void> check_durability();
  [[nodiscard]] result<void> prepare();
  [[nodiscard]] tl::unexpected<error> failed(const std::string& what) const;
  void take_result(const reply& r);
  /// Whether the result is only the end of a command's transaction.
  bool note_sync(const reply& r) {
    const bool is_sync = pq().PQresultStatus(r.get()) == PGRES_PIPELINE_SYNC;
    syncs_ -= is_sync ? 1 : 0;
    return is_sync;
  }

  handle connection_;
  std::string space_;
  std::deque<awaited> waiting_;
  std::size_t syncs_ = 0;  ///< sent, and not come back
  bool is_unwritten_ = false;
  bool is_broken_ = false;  ///< a command was not taken, so answers would go to the wrong ones
};

tl::unexpected<error> postgres::failed(const std::string& what) const {
  return failure(
      exit_code::store_unreachable,
      fmt::format("PostgreSQL: {}: {}", what, first_line(pq().PQerrorMessage(connection_.get()))));
}

result<void> postgres::execute(const std::string& sql) {
  ensure(waiting_.empty(), "nothing is under way while the connection waits");
  pq().PQsetnonblocking(connection_.get(), 0);
  while (syncs_ > 0 && pq().PQstatus(connection_.get()) == CONNECTION_OK) {
    note_sync(reply(pq().PQgetResult(connection_.get())));
  }
  pq().PQexitPipelineMode(connection_.get());
  const reply r(pq().PQexec(connection_.get(), sql.c_str()));
  if (!is_good(r)) {
    return failed(fmt::format("cannot do `{}`", sql.substr(0, sql.find('\n', 1))));
  }
  pq().PQsetnonblocking(connection_.get(), 1);
  pq().PQenterPipelineMode(connection_.get());
  return {};
}

result<std::string> postgres::value_of(const char* query) {
  const reply r(pq().PQexec(connection_.get(), query));
  if (!is_good(r) || pq().PQntuples(r.get()) != 1) {
    return failed(query);
  }
  return std::string(pq().PQgetvalue(r.get(), 0, 0));
}

// A token that the server had given and forgot is given again, and then no fence helps.
result<void> postgres::check_durability() {
  for (const char* setting : {"SHOW synchronous_commit", "SHOW fsync"}) {
    const auto value = value_of(setting);
    if (!value) {
      return tl::unexpected(value.error());
    }
    if (*value == "off") {
      return failure(exit_code::invalid_input,
                     fmt::format("PostgreSQL: {} is off, so that a crash of the server forgets "
                                 "leases that it has acknowledged, and gives tokens twice",
                                 std::string_view(setting).substr(5)));
    }
  }
  return {};
}

result<void> postgres::prepare() {
  for (const operation& o : operations()) {
    std::string sql = fmt::format("SELECT * FROM {}(", o.name);
    for (int i = 1; i <= o.parameters; ++i) {
      sql += fmt::format("{}${}", i > 1 ? ", " : "", i);
    }
    sql += ')';
    const reply r(
        pq().PQprepare(connection_.get(), std::string(o.name).c_str(), sql.c_str(), 0, nullptr));
    if (!is_good(r)) {
      return failed(fmt::format("cannot prepare {}", o.name));
    }
  }
  return {};
}

result<void> postgres::begin(const address& where, const open_options& how) {
  if (pq().PQstatus(connection_.get()) != CONNECTION_OK) {
    return failed(fmt::format("cannot connect to {}", where.text));
  }
  if (!how.is_scratch && !how.is_unsafe) {
    if (auto ok = check_durability(); !ok) {
      return ok;
    }
  }
  std::string sql = how.is_scratch ? "SET synchronous_commit = off; " : "";
  if (how.makes_it) {
    sql += fmt::format("CREATE SCHEMA {}; ", space_);
  }
  sql += fmt::format("SET search_path = {}; ", space_);
  if (how.makes_it) {
    const std::string schema(scripts::leases);
    sql += how.altered ? how.altered(schema) : schema;
    sql += how.variant;
  }
  const reply r(pq().PQexec(connection_.get(), sql.c_str()));
  if (!is_good(r)) {
    return failed("cannot make the tables");
  }
  if (auto ok = prepare(); !ok) {
    return ok;
  }
  pq().PQsetnonblocking(connection_.get(), 1);
  pq().PQenterPipelineMode(connection_.get());
  return {};
}

void postgres::send(const lease::any_command& c,
                    const terms& t,
                    std::optional<local_time> now,
                    taker take) {
  const wire_command wire = to_wire(c, t, now);
  std::array<std::array<char, 24>, 8> texts;
  std::array<const char*, 8> values{};
  for (std::size_t i = 0; i < wire.size; ++i) {
    if (wire.numbers[i] != no_number) {
      char* const end = texts[i].data() + texts[i].size() - 1;
      *std::to_chars(texts[i].data(), end, wire.numbers[i]).ptr = '\0';
      values[i] = texts[i].data();
    }
  }
  const std::string name(operations()[wire.operation].name);
  waiting_.push_back({c, std::move(take)});
  is_unwritten_ = true;
  const bool was_broken = is_broken_;
  is_broken_ = true;  // unless it is put into the buffer: answers come in order, for all or none
  if (pq().PQsendQueryPrepared(connection_.get(),
                               name.c_str(),
                               static_cast<int>(wire.size),
                               values.data(),
                               nullptr,
                               nullptr,
                               0) == 1) {
    pq().PQpipelineSync(connection_.get());
    ++syncs_;
    is_broken_ = was_broken;
  }
}

bool postgres::flush() {
  const int left = pq().PQflush(connection_.get());
  is_unwritten_ = left == 1;
  return !is_broken_ && left >= 0 && pq().PQstatus(connection_.get()) == CONNECTION_OK;
}

bool postgres::receive() {
  if (pq().PQconsumeInput(connection_.get()) == 0) {
    return false;
  }
  while (!waiting_.empty() && pq().PQisBusy(connection_.get()) == 0) {
    const reply r(pq().PQgetResult(connection_.get()));
    if (r != nullptr) {
      take_result(r);
    } else if (pq().PQstatus(connection_.get()) != CONNECTION_OK) {
      return false;
    }
  }
  return pq().PQstatus(connection_.get()) == CONNECTION_OK;
}

void postgres::take_result(const reply& r) {
  if (note_sync(r)) {
    return;
  }
  const ExecStatusType s = pq().PQresultStatus(r.get());
  answer a;
  if (s == PGRES_TUPLES_OK && pq().PQntuples(r.get()) == 1 && pq().PQnfields(r.get()) == 8) {
    const wire_row row = row_of(r.get());
    a.outcome = from_wire(waiting_.front().what, row);
    a.clock = time_of(row.clock);
    a.why_lost = a.outcome ? "" : fmt::format("an answer `{}` that no function gives", row.code);
  } else {
    a.why_lost = first_line(pq().PQresultErrorMessage(r.get()));
  }
  const taker take = std::move(waiting_.front().take);
  waiting_.pop_front();
  take(a);
}

void postgres::give_up(const std::string& why) {
  while (!waiting_.empty()) {
    const taker take = std::move(waiting_.front().take);
    waiting_.pop_front();
    take({std::nullopt, {}, why});
  }
}

result<void> postgres::add_drivers(std::uint32_t below) {
  return execute(
      fmt::format("INSERT INTO lease (driver) SELECT * FROM generate_series(0, {0}) "
                  "ON CONFLICT DO NOTHING;\n"
                  "INSERT INTO ledger_driver (driver) SELECT * FROM generate_series(0, {0}) "
                  "ON CONFLICT DO NOTHING; ANALYZE lease, ledger_driver",
                  std::int64_t{below} - 1));
}

void postgres::remove_all() {
  give_up("the store is left");
  // The run's other sessions may have much left to do, and hold locks that the removal waits for.
  static_cast<void>(execute(fmt::format(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
      "WHERE application_name = '{0}' AND pid <> pg_backend_pid(); DROP SCHEMA {0} CASCADE",
      space_)));
}

}  // namespace

result<std::unique_ptr<connection>> open_postgres(const address& where, const open_options& how) {
  if (libpq_functions() == nullptr) {
    return failure(exit_code::usage,
                   "PostgreSQL's client library is not installed here: its package is libpq5");
  }
  const std::string port = std::to_string(where.port);
  const std::array<const char*, 8> names{
      "host", "port", "dbname", "user", "connect_timeout", "application_name", "options", nullptr};
  // Quiet: what the schema's removal has to say is no news.
  const std::array<const char*, 8> values{where.host.c_str(),
                                          port.c_str(),
                                          where.database.c_str(),
                                          where.user.empty() ? nullptr : where.user.c_str(),
                                          connect_timeout_s,
                                          how.space.c_str(),  // by which `remove_all` knows them
                                          "-c client_min_messages=warning",
                                          nullptr};
  auto opened = std::make_unique<postgres>(
      handle(pq().PQconnectdbParams(names.data(), values.data(), 0)), how.space);
  if (const auto ok = opened->begin(where, how); !ok) {
    return tl::unexpected(ok.error());
  }
  return opened;
}

}  // namespace dibs::store
