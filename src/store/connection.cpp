#include "store/connection.hpp"

#include "base/ensure.hpp"
#include "base/stopwatch.hpp"
#include "store/etcd.hpp"
#include "store/postgres.hpp"
#include "store/redis.hpp"

#include <fmt/format.h>

#include <poll.h>
#include <sys/random.h>

namespace dibs::store {

std::string new_space() {
  std::uint64_t name = 0;
  ensure(::getrandom(&name, sizeof name, 0) == sizeof name, "the system gives random bytes");
  return fmt::format("dibs_{:016x}", name);
}

result<std::unique_ptr<connection>> open(const address& where, const open_options& how) {
  switch (where.kind) {
    case kind::memory:
      break;
    case kind::postgres:
      return open_postgres(where, how);
    case kind::redis:
      return open_redis(where, how);
    case kind::etcd:
      return open_etcd(where, how);
  }
  return failure(exit_code::usage, "the memory of this program is no store outside");
}

answer ask(connection& to,
           const lease::any_command& c,
           const terms& t,
           std::optional<local_time> now,
           int wait_ms) {
  answer out;
  bool has_come = false;
  to.send(c, t, now, [&](const answer& a) {
    out = a;
    has_come = true;
  });
  const stopwatch watch;
  bool is_there = to.flush();
  while (!has_come && is_there && watch.seconds() * 1000 < wait_ms) {
    pollfd waiting{
        to.descriptor(), static_cast<short>(to.wants_to_write() ? POLLIN | POLLOUT : POLLIN), 0};
    ::poll(&waiting, 1, 100);
    is_there = to.flush() && to.receive();
  }
  if (!has_come) {
    to.give_up(is_there ? "no answer in time" : "the connection is gone");
  }
  return out;
}

}  // namespace dibs::store
