/// A scenario that is written elsewhere must find the files that it names.
#pragma once

#include "scenario/tree.hpp"

#include <filesystem>
#include <string>

namespace dibs::commands {

struct moved_scenario {
  scenario::node root;  ///< with paths that are right from its new folder
  /// For files that no path in a scenario may name from there: ` --set demand.1.file=/...`.
  std::string options;
};

/// The scenario of a tree that was read in one folder, for another. Empty paths are the folder in
/// which dibs runs.
[[nodiscard]] moved_scenario moved(scenario::node root,
                                   const std::filesystem::path& from,
                                   const std::filesystem::path& to);

}  // namespace dibs::commands
