/// Where a journal is, as users write it.
#pragma once

#include "store/address.hpp"
#include "work/journal.hpp"

#include <atomic>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace dibs::work {

/// `postgres://user@host:port/database`, or `sqlite:FILE`.
struct journal_place {
  std::optional<store::address> server;
  std::filesystem::path file;  ///< where there is no server
};

/// Errors (exit code 2): no such form, or a password in it.
[[nodiscard]] result<journal_place> read_journal_place(std::string_view text);

/// Errors: as `open_postgres_journal` and `open_sqlite_journal`.
[[nodiscard]] result<std::unique_ptr<journal>> open_journal(const journal_place& where,
                                                            teller tell,
                                                            const std::atomic<bool>* stop);

}  // namespace dibs::work
