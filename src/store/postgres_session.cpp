#include "store/postgres_session.hpp"

#include "base/stopwatch.hpp"
#include "store/libpq.hpp"

#include <fmt/format.h>

#include <poll.h>

#include <array>
#include <cerrno>
#include <map>
#include <string_view>
#include <utility>

namespace dibs::store {
namespace {

constexpr const char* session_connect_timeout_s = "5";
/// Each statement is planned once, and not again for values of a hundred kB. As that plan may be
/// older than the rows, it finds them by an index even where a table is still small. A table
/// without an index then looks so dear that the server would compile each statement first, in some
/// 70 ms.
constexpr const char* session_options =
    "-c client_min_messages=warning -c plan_cache_mode=force_generic_plan -c enable_seqscan=off "
    "-c jit=off";

/// Requires: it was found to be there.
const libpq& session_pq() { return *libpq_functions(); }

struct finishes {
  void operator()(PGconn* c) const { session_pq().PQfinish(c); }
};
struct clears_result {
  void operator()(PGresult* r) const { session_pq().PQclear(r); }
};
using session_reply = std::unique_ptr<PGresult, clears_result>;

sql_rows rows_of(const PGresult* r) {
  sql_rows all;
  const int columns = session_pq().PQnfields(r);
  for (int i = 0; i < session_pq().PQntuples(r); ++i) {
    std::vector<std::string> row;
    for (int k = 0; k < columns; ++k) {
      row.emplace_back(session_pq().PQgetvalue(r, i, k));
    }
    all.push_back(std::move(row));
  }
  return all;
}

}  // namespace

struct postgres_session::parts {
  std::unique_ptr<PGconn, finishes> connection;
  std::string name;
  std::chrono::milliseconds patience;
  std::map<std::string, std::string> prepared;  ///< name of each statement that the server has read

  [[nodiscard]] tl::unexpected<error> failed(std::string_view what) const {
    const std::string_view all(session_pq().PQerrorMessage(connection.get()));
    return failure(exit_code::store_unreachable,
                   fmt::format("PostgreSQL: {}: {}", what, all.substr(0, all.find('\n'))));
  }
  tl::unexpected<error> over(std::string_view what) {
    auto why = failed(what);
    connection.reset();
    return why;
  }
  /// The server's answer to what `send` sent. Errors: there is none, or it refused.
  template <class Send>
  result<session_reply> ask(const std::string& sql, const Send& send);
  [[nodiscard]] bool wait(short events, const stopwatch& watch) const {
    pollfd waiting{session_pq().PQsocket(connection.get()), events, 0};
    while (true) {
      const double left_s = static_cast<double>(patience.count()) * 1e-3 - watch.seconds();
      const int ready = left_s > 0 ? ::poll(&waiting, 1, static_cast<int>(left_s * 1e3) + 1) : 0;
      if (ready >= 0 || errno != EINTR) {
        return ready > 0;
      }
    }
  }
};

postgres_session::postgres_session(std::unique_ptr<parts> p) : parts_(std::move(p)) {}
postgres_session::~postgres_session() = default;

result<std::unique_ptr<postgres_session>> postgres_session::open(
    const address& where, std::chrono::milliseconds patience) {
  if (libpq_functions() == nullptr) {
    return failure(exit_code::usage,
                   "PostgreSQL's client library is not installed here: its package is libpq5");
  }
  const std::string port = std::to_string(where.port);
  const std::array<const char*, 8> names{
      "host", "port", "dbname", "user", "connect_timeout", "application_name", "options", nullptr};
  const std::array<const char*, 8> values{where.host.c_str(),
                                          port.c_str(),
                                          where.database.c_str(),
                                          where.user.empty() ? nullptr : where.user.c_str(),
                                          session_connect_timeout_s,
                                          "dibs",
                                          session_options,
                                          nullptr};
  auto p = std::make_unique<parts>();
  p->connection.reset(session_pq().PQconnectdbParams(names.data(), values.data(), 0));
  p->patience = patience;
  if (session_pq().PQstatus(p->connection.get()) != CONNECTION_OK) {
    return p->failed(fmt::format("cannot connect to {}", where.text));
  }
  session_pq().PQsetnonblocking(p->connection.get(), 1);
  return std::unique_ptr<postgres_session>(new postgres_session(std::move(p)));
}

bool postgres_session::is_open() const { return parts_->connection != nullptr; }

template <class Send>
result<session_reply> postgres_session::parts::ask(const std::string& sql, const Send& send) {
  PGconn* const c = connection.get();
  const stopwatch watch;
  if (send(c) != 1) {
    return over("cannot be asked");
  }
  int unsent = session_pq().PQflush(c);
  while (unsent == 1 || session_pq().PQisBusy(c) == 1) {
    const auto events = static_cast<short>(unsent == 1 ? POLLIN | POLLOUT : POLLIN);
    if (!wait(events, watch)) {
      return over("no answer in time");
    }
    if (session_pq().PQconsumeInput(c) == 0 || (unsent = session_pq().PQflush(c)) < 0) {
      return over("the connection is gone");
    }
  }
  session_reply first(session_pq().PQgetResult(c));
  const ExecStatusType s = session_pq().PQresultStatus(first.get());
  if (session_pq().PQstatus(c) != CONNECTION_OK) {
    return over("the connection is gone");
  }
  // Nothing comes after the answer to one statement but the word that it was the last.
  for (session_reply more(session_pq().PQgetResult(c)); more != nullptr;) {
    more.reset(session_pq().PQgetResult(c));
  }
  if (s != PGRES_COMMAND_OK && s != PGRES_TUPLES_OK) {
    return failed(fmt::format("cannot do `{}`", sql.substr(0, sql.find('\n', 1))));
  }
  return first;
}

result<sql_rows> postgres_session::run(const std::string& sql,
                                       const std::vector<std::string>& parameters) {
  if (!is_open()) {
    return failure(exit_code::store_unreachable, "PostgreSQL: the connection is gone");
  }
  std::string& name = parts_->prepared[sql];
  if (name.empty()) {
    const std::string next = fmt::format("dibs_{}", parts_->prepared.size());
    const auto read = parts_->ask(sql, [&](PGconn* c) {
      return session_pq().PQsendPrepare(c, next.c_str(), sql.c_str(), 0, nullptr);
    });
    if (!read) {
      parts_->prepared.erase(sql);  // what is counted has a name
      return tl::unexpected(read.error());
    }
    name = next;
  }
  std::vector<const char*> values;
  for (const std::string& each : parameters) {
    values.push_back(each.c_str());
  }
  const auto answer = parts_->ask(sql, [&](PGconn* c) {
    return session_pq().PQsendQueryPrepared(
        c, name.c_str(), static_cast<int>(values.size()), values.data(), nullptr, nullptr, 0);
  });
  return answer.map([](const session_reply& r) { return rows_of(r.get()); });
}

result<void> check_durability(postgres_session& s) {
  for (const std::string setting : {"synchronous_commit", "fsync"}) {
    const auto value = s.run("SHOW " + setting);
    if (!value) {
      return tl::unexpected(value.error());
    }
    if (value->size() != 1 || value->front().size() != 1 || value->front().front() == "off") {
      return failure(exit_code::invalid_input,
                     fmt::format("PostgreSQL: {} is off, so that a crash of the server forgets "
                                 "what it has acknowledged, and gives tokens twice",
                                 setting));
    }
  }
  return {};
}

result<void> check_encoding(postgres_session& s, const address& where) {
  const auto value = s.run("SHOW server_encoding");
  if (!value) {
    return tl::unexpected(value.error());
  }
  if (value->front().front() != "UTF8") {
    return failure(
        exit_code::invalid_input,
        fmt::format(
            "{} keeps text as {}, and dibs writes UTF-8", where.text, value->front().front()));
  }
  return {};
}

}  // namespace dibs::store
