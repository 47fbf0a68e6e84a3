/// A session with PostgreSQL for those who wait for each answer.
///
/// Once an answer does not come in time, or the connection breaks, the session is over: what was
/// asked last may have had its effect or not.
#pragma once

#include "base/result.hpp"
#include "store/address.hpp"

#include <chrono>
#include <memory>
#include <string>
#include <vector>

namespace dibs::store {

/// The rows of an answer, each value as text; null is empty.
using sql_rows = std::vector<std::vector<std::string>>;

/// Not copied, not moved.
class postgres_session {
 public:
  /// Errors: it cannot be reached (exit code 6), or the library is missing (2).
  [[nodiscard]] static result<std::unique_ptr<postgres_session>> open(
      const address& where, std::chrono::milliseconds patience);

  postgres_session(const postgres_session&) = delete;
  postgres_session& operator=(const postgres_session&) = delete;
  ~postgres_session();

  /// One statement, `$1` and so on for its parameters. It takes effect as a whole or not at all.
  /// Errors (exit code 6): the server refused it, or the session is over.
  [[nodiscard]] result<sql_rows> run(const std::string& sql,
                                     const std::vector<std::string>& parameters = {});
  /// Whether it can be asked more.
  [[nodiscard]] bool is_open() const;

 private:
  struct parts;
  explicit postgres_session(std::unique_ptr<parts> p);

  std::unique_ptr<parts> parts_;
};

/// Errors (exit code 3): the server answers before what it answered is on the disk, so that a crash
/// forgets it. (6): it does not answer.
[[nodiscard]] result<void> check_durability(postgres_session& s);

/// Errors (exit code 3): the server keeps text in another encoding than UTF-8. (6): as above.
[[nodiscard]] result<void> check_encoding(postgres_session& s, const address& where);

}  // namespace dibs::store
