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

}  // namespace dibs::store::scripts
