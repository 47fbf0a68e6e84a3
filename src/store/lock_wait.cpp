#include "store/lock_wait.hpp"

#include "base/stopwatch.hpp"
#include "store/connection.hpp"
#include "store/libpq.hpp"

#include <fmt/format.h>

#include <poll.h>

#include <charconv>
#include <memory>
#include <optional>
#include <string>

namespace dibs::store {
namespace {

constexpr sim_duration lock_for = 1s;
constexpr sim_duration short_lease = 400ms;
constexpr sim_duration long_lease = 5s;
constexpr driver_id first{0};
constexpr driver_id second{1};

/// Requires: a connection was opened with it.
const libpq& pq() { return *libpq_functions(); }

struct closes {
  void operator()(PGconn* c) const { pq().PQfinish(c); }
};

/// Another session, which holds the lock of a driver's row between `take` and `give_back`.
class other_session {
 public:
  explicit other_session(const address& where)
      : connection_(pq().PQconnectdb(fmt::format("host={} port={} dbname={} {} connect_timeout=5",
                                                 where.host,
                                                 where.port,
                                                 where.database,
                                                 where.user.empty() ? "" : "user=" + where.user)
                                         .c_str())) {}

  [[nodiscard]] result<void> run(const std::string& sql) {
    return query(sql).map([](const std::string&) {});
  }

  [[nodiscard]] result<void> take(const std::string& space, driver_id d) {
    return run("BEGIN").and_then([&] {
      return run(fmt::format("SELECT FROM {}.lease WHERE driver = {} FOR UPDATE", space, d.value));
    });
  }
  [[nodiscard]] result<void> give_back() { return run("ROLLBACK"); }

  /// The server's time in microseconds.
  [[nodiscard]] result<std::int64_t> clock() {
    return query("SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint")
        .map([](const std::string& text) {
          std::int64_t us = 0;
          std::from_chars(text.data(), text.data() + text.size(), us);
          return us;
        });
  }

 private:
  [[nodiscard]] result<std::string> query(const std::string& sql) {
    const std::unique_ptr<PGresult, void (*)(PGresult*)> r(
        pq().PQexec(connection_.get(), sql.c_str()), pq().PQclear);
    const ExecStatusType s = pq().PQresultStatus(r.get());
    if (s != PGRES_COMMAND_OK && s != PGRES_TUPLES_OK) {
      return failure(exit_code::store_unreachable,
                     fmt::format("PostgreSQL: {}", pq().PQerrorMessage(connection_.get())));
    }
    const bool has_value = pq().PQntuples(r.get()) == 1 && pq().PQnfields(r.get()) == 1;
    return std::string(has_value ? pq().PQgetvalue(r.get(), 0, 0) : "");
  }

  std::unique_ptr<PGconn, closes> connection_;
};

/// Sends the command, has it wait for the lock, and takes its answer.
result<answer> behind_lock(connection& to,
                           other_session& other,
                           const std::string& space,
                           const lease::any_command& c,
                           const terms& t) {
  if (auto ok = other.take(space, lease::driver_of(c)); !ok) {
    return tl::unexpected(ok.error());
  }
  answer out;
  bool has_come = false;
  to.send(c, t, std::nullopt, [&](const answer& a) {
    out = a;
    has_come = true;
  });
  const stopwatch watch;
  bool is_held = true;
  while (!has_come && watch.seconds() < 10) {
    if (!to.flush() || !to.receive()) {
      return failure(exit_code::store_unreachable, "the store went away");
    }
    if (is_held && watch.seconds() > in_seconds(lock_for)) {
      is_held = false;
      if (auto ok = other.give_back(); !ok) {
        return tl::unexpected(ok.error());
      }
    }
    pollfd waiting{to.descriptor(), POLLIN, 0};
    ::poll(&waiting, 1, 10);
  }
  return out;
}

const lease::granted* granted_in(const answer& a) {
  return a.outcome ? lease::grant_in(*a.outcome) : nullptr;
}

result<lock_wait> try_on(connection& to, const address& where, const std::string& space) {
  lock_wait found{.lock = lock_for, .lease = short_lease, .granted = long_lease};
  other_session other(where);
  terms t;
  t.ttl = short_lease;
  const answer given =
      ask(to, lease::command::acquire{first, ride_id{0}, matcher_id{0}}, t, std::nullopt);
  const auto* const lease = granted_in(given);
  if (lease == nullptr) {
    return failure(exit_code::store_unreachable, "the store grants no lease to try a lock with");
  }
  const auto confirm =
      behind_lock(to, other, space, lease::command::confirm{first, lease->token}, t);
  if (!confirm) {
    return tl::unexpected(confirm.error());
  }
  if (confirm->outcome) {
    const auto& o = std::get<lease::confirm_outcome>(*confirm->outcome);
    found.confirm_taken = std::holds_alternative<lease::confirmed>(o);
  }
  t.ttl = long_lease;
  const auto grant =
      behind_lock(to, other, space, lease::command::acquire{second, ride_id{1}, matcher_id{0}}, t);
  if (!grant) {
    return tl::unexpected(grant.error());
  }
  const auto now = other.clock();
  if (!now) {
    return tl::unexpected(now.error());
  }
  if (const auto* const g = granted_in(*grant)) {
    found.left_of_grant = g->expires.time_since_epoch() - std::chrono::microseconds(*now);
  }
  return found;
}

}  // namespace

result<lock_wait> try_lock_wait(const address& where, std::string_view variant) {
  if (where.kind != kind::postgres) {
    return failure(exit_code::usage, "only PostgreSQL has locks to wait for");
  }
  const std::string space = new_space();
  auto opened = open(where, {.space = space, .is_scratch = true, .variant = std::string(variant)});
  if (!opened) {
    return tl::unexpected(opened.error());
  }
  auto found = (*opened)->add_drivers(2).and_then([&] { return try_on(**opened, where, space); });
  (*opened)->remove_all();
  return found;
}

}  // namespace dibs::store
