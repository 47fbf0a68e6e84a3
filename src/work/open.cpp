#include "work/open.hpp"

#include "text/escape.hpp"
#include "work/postgres_journal.hpp"
#include "work/sqlite_journal.hpp"

#include <fmt/format.h>

#include <utility>

namespace dibs::work {

result<journal_place> read_journal_place(std::string_view text) {
  constexpr std::string_view of_file = "sqlite:";
  if (text.starts_with(of_file) && text.size() > of_file.size()) {
    return journal_place{std::nullopt, text.substr(of_file.size())};
  }
  const auto server = store::read_address(text);
  const bool is_postgres = text.starts_with("postgres://") || text.starts_with("postgresql://");
  if (!is_postgres) {
    return failure(
        exit_code::usage,
        fmt::format("a journal is kept in PostgreSQL, postgres://user@host/database, or "
                    "in a file, sqlite:FILE, and not in {}",
                    server ? std::string(store::name_of(server->kind)) : text::display_text(text)));
  }
  if (!server) {
    return tl::unexpected<error>(server.error());
  }
  return journal_place{*server, {}};
}

result<std::unique_ptr<journal>> open_journal(const journal_place& where,
                                              teller tell,
                                              const std::atomic<bool>* stop) {
  return where.server ? open_postgres_journal(*where.server, std::move(tell), stop)
                      : open_sqlite_journal(where.file, stop);
}

}  // namespace dibs::work
