#include "work/open.hpp"

#include "text/escape.hpp"
#include "work/postgres_journal.hpp"

#include <fmt/format.h>

#include <utility>

namespace dibs::work {

result<journal_place> read_journal_place(std::string_view text) {
  const auto server = store::read_address(text);
  if (!server) {
    return tl::unexpected<error>(server.error());
  }
  if (server->kind != store::kind::postgres) {
    return failure(exit_code::usage,
                   fmt::format("a journal is kept in PostgreSQL, postgres://user@host/database, "
                               "and not in {}",
                               store::name_of(server->kind)));
  }
  return journal_place{*server};
}

result<std::unique_ptr<journal>> open_journal(const journal_place& where,
                                              teller tell,
                                              const std::atomic<bool>* stop) {
  return open_postgres_journal(where.server, std::move(tell), stop);
}

}  // namespace dibs::work
