/// SQLite as values and results: the only place that knows its API.
///
/// An error says which file and why, with the exit code that it leads to: 3 for a file that is no
/// database or is damaged, 1 for everything else (a full disk, another process at work).
#pragma once

#include "base/result.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace dibs::sqlite {

class database;

/// One statement with its parameters; numbers of parameters and columns are from 1 and from 0, as
/// SQLite has them. Lives no longer than its database.
class statement {
 public:
  statement& bind(int index, std::int64_t value);
  statement& bind(int index, std::string_view text);
  statement& bind(int index, const std::optional<double>& value);

  /// Whether there is a row to read.
  [[nodiscard]] result<bool> step();
  /// Calls `take()` at each row that is left.
  template <class Take>
  [[nodiscard]] result<void> each_row(Take take) {
    auto row = step();
    for (; row && *row; row = step()) {
      take();
    }
    return row ? result<void>() : tl::unexpected<error>(row.error());
  }
  /// Runs a statement that yields no rows, and makes it ready to run again.
  [[nodiscard]] result<void> run();
  /// Ready to run again, from its first row.
  void reset();

  [[nodiscard]] std::int64_t integer(int column) const;
  [[nodiscard]] std::string text(int column) const;
  [[nodiscard]] std::optional<double> real(int column) const;

 private:
  friend class database;

  struct finaliser {
    void operator()(sqlite3_stmt* s) const;
  };

  statement(const database& owner, sqlite3_stmt* s) : owner_(&owner), statement_(s) {}

  const database* owner_;
  std::unique_ptr<sqlite3_stmt, finaliser> statement_;
};

class database {
 public:
  enum class access : std::uint8_t { read, write };

  /// Opens a file; with `access::write` it is made if it is not there. Nothing is read yet.
  [[nodiscard]] static result<database> open(const std::filesystem::path& file, access how);
  /// One that is only in memory.
  [[nodiscard]] static result<database> in_memory();

  database(database&&) noexcept = default;
  database& operator=(database&&) noexcept = default;

  /// Statements without parameters and rows.
  [[nodiscard]] result<void> execute(const std::string& sql);
  [[nodiscard]] result<statement> prepare(std::string_view sql) const;
  /// Whether what failed last failed since another program is at work.
  [[nodiscard]] bool is_busy() const;
  /// The integer that a query gives.
  [[nodiscard]] result<std::int64_t> number(std::string_view sql) const;

  /// Whether it cannot be written to, though it was opened for that.
  [[nodiscard]] bool is_read_only() const;

  /// What the last call ran into.
  [[nodiscard]] error why() const;

 private:
  [[nodiscard]] static result<database> open_at(const std::filesystem::path& path,
                                                std::string name,
                                                int flags);
  struct closer {
    void operator()(sqlite3* d) const;
  };

  database(std::string name, sqlite3* d) : name_(std::move(name)), database_(d) {}

  std::string name_;
  std::unique_ptr<sqlite3, closer> database_;
};

}  // namespace dibs::sqlite
