/// Other ways to keep leases in PostgreSQL and Redis, as documents and projects have them, so that
/// dibs can show on a real server what is wrong with each.
#pragma once

#include "store/address.hpp"

#include <cstdint>
#include <span>
#include <string_view>

namespace dibs::store {

enum class variant : std::uint8_t {
  functions,
  conditional_update,
  now,
  on_conflict,
  by_holder,
  set_nx,
};

struct variant_entry {
  store::variant which{};
  store::kind of{};
  std::string_view name;     ///< as users type it
  std::string_view summary;  ///< what it does otherwise
  std::string_view script;   ///< SQL that replaces functions of the schema, or Lua for all commands
};

/// The first one is dibs's own, without a change, of every kind.
[[nodiscard]] std::span<const variant_entry> variants();

}  // namespace dibs::store
