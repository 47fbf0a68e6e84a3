/// Version, compiler and hash of this program.
#pragma once

#include "results/manifest.hpp"

#include <string>

namespace dibs::commands {

/// Version, compiler, and the hash of the executable itself, which no stale number can belie.
[[nodiscard]] results::build_info this_build();

/// `dibs 0.1.0`.
[[nodiscard]] std::string name_and_version();

/// What `--version` prints.
[[nodiscard]] std::string version_text();

}  // namespace dibs::commands
