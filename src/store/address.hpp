/// Where a store is, as users write it: `postgres://user@host:port/database`,
/// `redis://host:port/0`, `etcd://host:port`.
#pragma once

#include "base/result.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace dibs::store {

enum class kind : std::uint8_t { memory, postgres, redis, etcd };

struct address {
  store::kind kind = store::kind::memory;
  std::string text;  ///< as it was written
  std::string user;
  std::string host = "127.0.0.1";
  std::uint16_t port = 0;
  std::string database;  ///< of Redis a number
};

/// Errors (exit code 2): another kind of store, no such form, or a password in it. A password comes
/// from the environment only: PGPASSWORD, or a .pgpass file, REDIS_PASSWORD and ETCD_PASSWORD.
[[nodiscard]] result<address> read_address(std::string_view text);

/// "PostgreSQL", "Redis", "etcd", "the lease machine".
[[nodiscard]] std::string_view name_of(kind k);

}  // namespace dibs::store
