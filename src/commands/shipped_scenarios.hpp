/// Where the scenarios are that ship with dibs.
#pragma once

#include "base/result.hpp"

#include <filesystem>
#include <vector>

namespace dibs::commands {

/// As the user says in DIBS_SCENARIOS, else `scenarios` here, else above the program's own place,
/// in `scenarios` of a checkout or `share/dibs/scenarios` of an installation.
[[nodiscard]] result<std::filesystem::path> scenarios_folder();

/// The YAML files right in a folder, in the order of their names.
[[nodiscard]] result<std::vector<std::filesystem::path>> files_in(
    const std::filesystem::path& folder);

}  // namespace dibs::commands
