/// Incidents by the words that people call them by, and those that ship.
#pragma once

#include "base/result.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace dibs::commands {

/// In the order of their numbers. Errors: the folder is not found.
[[nodiscard]] result<std::vector<std::filesystem::path>> shipped_incidents();

/// Files, names and numbers; all that ship if there are no words. `command`: for its refusals.
[[nodiscard]] result<std::vector<std::filesystem::path>> incident_files(
    const std::string& command, const std::vector<std::string>& words);

}  // namespace dibs::commands
