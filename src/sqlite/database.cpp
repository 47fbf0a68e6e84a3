#include "sqlite/database.hpp"

#include "base/regular_file.hpp"
#include "text/escape.hpp"

#include <fmt/format.h>

#include <sqlite3.h>

namespace dibs::sqlite {
namespace {

constexpr int busy_ms = 2000;  // another program may look at the file for a moment

/// All statements are ours and were tried: what does not fit them is the file's fault.
bool is_bad_file(int code) {
  switch (code) {
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
    case SQLITE_ERROR:
    case SQLITE_FORMAT:
    case SQLITE_MISMATCH:
    case SQLITE_CONSTRAINT:
    case SQLITE_TOOBIG:
    case SQLITE_NOTFOUND:
    case SQLITE_EMPTY:
      return true;
    default:
      return false;
  }
}

/// The library's own words are for those who program with it.
std::string words_of(int code) {
  switch (code) {
    case SQLITE_CANTOPEN:
      return "it cannot be opened; is its folder there, and may it be read?";
    case SQLITE_PERM:
    case SQLITE_AUTH:
    case SQLITE_READONLY:
      return "it may not be written to";
    case SQLITE_FULL:
      return "the disk is full";
    case SQLITE_IOERR:
      return "reading or writing it failed";
    case SQLITE_NOMEM:
      return "memory is used up";
    default:
      return fmt::format("error {} of SQLite", code);
  }
}

}  // namespace

void statement::finaliser::operator()(sqlite3_stmt* s) const { sqlite3_finalize(s); }

void database::closer::operator()(sqlite3* d) const { sqlite3_close_v2(d); }

statement& statement::bind(int index, std::int64_t value) {
  sqlite3_bind_int64(statement_.get(), index, value);
  return *this;
}

statement& statement::bind(int index, std::string_view text) {
  sqlite3_bind_text64(
      statement_.get(), index, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
  return *this;
}

statement& statement::bind(int index, const std::optional<double>& value) {
  if (value) {
    sqlite3_bind_double(statement_.get(), index, *value);
  } else {
    sqlite3_bind_null(statement_.get(), index);
  }
  return *this;
}

result<bool> statement::step() {
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW || code == SQLITE_DONE) {
    return code == SQLITE_ROW;
  }
  return tl::unexpected<error>(owner_->why());
}

result<void> statement::run() {
  const auto stepped = step();
  reset();
  return stepped.map([](bool) {});
}

void statement::reset() { sqlite3_reset(statement_.get()); }

std::int64_t statement::integer(int column) const {
  return sqlite3_column_int64(statement_.get(), column);
}

std::string statement::text(int column) const {
  const auto* bytes = sqlite3_column_blob(statement_.get(), column);
  const int size = sqlite3_column_bytes(statement_.get(), column);
  return bytes == nullptr
             ? std::string()
             : std::string(static_cast<const char*>(bytes), static_cast<std::size_t>(size));
}

std::optional<double> statement::real(int column) const {
  if (sqlite3_column_type(statement_.get(), column) == SQLITE_NULL) {
    return std::nullopt;
  }
  return sqlite3_column_double(statement_.get(), column);
}

result<database> database::open(const std::filesystem::path& file, access how) {
  const int flags =
      how == access::read ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  // SQLite would wait for ever for who writes into a pipe, also for one in the place of its logs.
  for (const char* suffix : {"", "-journal", "-wal", "-shm"}) {
    const std::string part = file.string() + suffix;
    if (std::error_code none; std::filesystem::exists(part, none)) {
      if (const auto no = objection_to_file(part)) {
        return failure(exit_code::invalid_input,
                       fmt::format("cannot read {}: {}", text::display_text(part, 400), *no));
      }
    }
  }
  // Plain `file:...` and `:memory:` would be no files to SQLite.
  return open_at(file.is_absolute() ? file : std::filesystem::path(".") / file,
                 text::display_text(file.string(), 400),
                 flags);
}

result<database> database::open_at(const std::filesystem::path& path, std::string name, int flags) {
  sqlite3* raw = nullptr;
  const int code = sqlite3_open_v2(path.c_str(), &raw, flags, nullptr);
  database d(std::move(name), raw);
  if (code != SQLITE_OK) {
    return tl::unexpected<error>(d.why());
  }
  sqlite3_busy_timeout(raw, busy_ms);
  sqlite3_extended_result_codes(raw, 0);
  // What a foreign file brings along must not run.
  sqlite3_db_config(raw, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  return d;
}

result<database> database::in_memory() {
  return open_at(":memory:", "a database in memory", SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
}

result<void> database::execute(const std::string& sql) {
  if (sqlite3_exec(database_.get(), sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) {
    return tl::unexpected<error>(why());
  }
  return {};
}

result<statement> database::prepare(std::string_view sql) const {
  sqlite3_stmt* made = nullptr;
  if (sqlite3_prepare_v2(
          database_.get(), sql.data(), static_cast<int>(sql.size()), &made, nullptr) != SQLITE_OK) {
    return tl::unexpected<error>(why());
  }
  return statement(*this, made);
}

result<std::int64_t> database::number(std::string_view sql) const {
  return prepare(sql).and_then([](statement query) {
    return query.step().map([&](bool is_there) { return is_there ? query.integer(0) : 0; });
  });
}

bool database::is_read_only() const { return sqlite3_db_readonly(database_.get(), "main") == 1; }

bool database::is_busy() const {
  const int code = sqlite3_errcode(database_.get());
  return code == SQLITE_BUSY || code == SQLITE_LOCKED;
}

error database::why() const {
  const int code = sqlite3_errcode(database_.get());
  if (is_bad_file(code)) {
    return {exit_code::invalid_input, fmt::format("{} is damaged or no database", name_)};
  }
  if (is_busy()) {
    return {exit_code::internal_error, fmt::format("{} is in use by another program", name_)};
  }
  return {exit_code::internal_error, fmt::format("cannot use {}: {}", name_, words_of(code))};
}

}  // namespace dibs::sqlite
