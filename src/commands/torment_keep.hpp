/// Keeps a run on real servers as a run directory, so that `explain` and `report` take it as any
/// other.
#pragma once

#include "base/result.hpp"
#include "torment/run.hpp"

#include <filesystem>
#include <string>

namespace dibs::commands {

/// Errors: the directory is there already, or cannot be written.
[[nodiscard]] result<void> keep_real_run(const std::filesystem::path& directory,
                                         const torment::real_case& c,
                                         const torment::real_run& run,
                                         sim_duration length,
                                         const std::string& program);

}  // namespace dibs::commands
