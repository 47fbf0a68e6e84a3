/// The files of `scripts/`, embedded at build (`scripts/embed.cmake`): what the stores run.
#pragma once

#include <string_view>

namespace dibs::store::scripts {

extern const std::string_view leases;  ///< SQL
// Lua; `common` goes before each of the others.
extern const std::string_view common;
extern const std::string_view acquire;
extern const std::string_view confirm;
extern const std::string_view renew;
extern const std::string_view release;
extern const std::string_view expire;
extern const std::string_view trip_began;
extern const std::string_view trip_ended;

// See variants.hpp; SQL if not said otherwise.
extern const std::string_view variant_conditional_update;
extern const std::string_view variant_now;
extern const std::string_view variant_on_conflict;
extern const std::string_view variant_by_holder;
extern const std::string_view variant_set_nx;  ///< Lua

}  // namespace dibs::store::scripts
