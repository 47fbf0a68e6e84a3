/// Where a journal is, as users write it.
#pragma once

#include "store/address.hpp"
#include "work/journal.hpp"

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace dibs::work {

/// `postgres://user@host:port/database`.
struct journal_place {
  store::address server;

  [[nodiscard]] const std::string& text() const { return server.text; }
};

/// Errors (exit code 2): no such form, or a password in it.
[[nodiscard]] result<journal_place> read_journal_place(std::string_view text);

/// Errors: as `open_postgres_journal`.
[[nodiscard]] result<std::unique_ptr<journal>> open_journal(const journal_place& where,
                                                            teller tell,
                                                            const std::atomic<bool>* stop);

}  // namespace dibs::work
