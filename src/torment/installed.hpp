/// What torment needs of the machine, each with the Debian package that has it.
///
/// Errors of all (exit code 6): it is not there, with the name of its package.
#pragma once

#include "base/result.hpp"

#include <string>

namespace dibs::torment {

/// The folder with PostgreSQL's programs, of the newest version.
[[nodiscard]] result<std::string> postgres_programs();
[[nodiscard]] result<std::string> redis_program();
[[nodiscard]] result<std::string> etcd_program();
/// The program that makes networks.
[[nodiscard]] result<std::string> ip_program();
/// The library that moves PostgreSQL's clock.
[[nodiscard]] result<std::string> faketime_library();

}  // namespace dibs::torment
