// `dibs serve leases`: leases and tasks for other programs.

#include "base/wall_clock.hpp"
#include "commands/bearer_token.hpp"
#include "commands/commands.hpp"
#include "commands/console.hpp"
#include "commands/stop_signal.hpp"
#include "service/api.hpp"
#include "service/http_server.hpp"
#include "service/postgres_journal.hpp"
#include "service/service.hpp"
#include "service/sqlite_journal.hpp"

#include <fmt/format.h>

#include <memory>
#include <string>

namespace dibs::commands {
namespace {

result<std::unique_ptr<service::lease_service>> opened(const serve_request& r) {
  const auto go_on = [](auto j) { return service::lease_service::open(std::move(j)); };
  if (r.database) {
    return service::open_postgres_journal(*r.database).and_then(go_on);
  }
  if (r.file) {
    return service::open_sqlite_journal(*r.file).and_then(go_on);
  }
  return std::make_unique<service::lease_service>([c = wall_clock()] { return c.now(); });
}

}  // namespace

int serve(const serve_request& r) {
  const auto bearer = r.token_file ? bearer_token_in(*r.token_file) : result<std::string>("");
  if (!bearer) {
    return fail(bearer.error());
  }
  if (const auto can = service::can_serve(); !can) {
    return fail(can.error());
  }
  const auto leases = opened(r);
  if (!leases) {
    return fail(leases.error());
  }
  const auto server = service::http_server::listen(r.listen);
  if (!server) {
    return fail(server.error());
  }
  // Whoever started it waits for this line.
  if (const auto told = print(
          fmt::format("serving leases on http://{}\n", service::text_of((*server)->address())));
      !told) {
    return fail(told.error());
  }
  service::api calls(**leases, *bearer);
  (*server)->serve(calls, **leases, *stop_flag());
  return finish("", stopped_by().value_or(exit_code::internal_error));
}

}  // namespace dibs::commands
