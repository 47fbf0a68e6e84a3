/// A scenario as it is written: the tree of its keys with overrides in their places, and nothing
/// that stands for a default. For who changes the text of a scenario, and not its values.
#pragma once

#include "scenario/read.hpp"
#include "scenario/tree.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace dibs::scenario {

struct written_tree {
  node root;                            ///< meaningful only without diagnostics
  std::vector<diagnostic> diagnostics;  ///< of the text and the overrides, not of the values

  [[nodiscard]] bool ok() const { return diagnostics.empty(); }
};

/// The tree of a file. Whether its values make a scenario is for `read_text` to say.
[[nodiscard]] written_tree written_in(const std::filesystem::path& file,
                                      const std::vector<override_value>& overrides = {});

/// The same of a text; `name` stands for the file in diagnostics.
[[nodiscard]] written_tree written_in_text(std::string_view text,
                                           std::string_view name,
                                           const std::vector<override_value>& overrides = {});

/// YAML as a person would write it: the sections in the order of the table, and each on one line
/// where it fits. Reads back to the same values.
[[nodiscard]] std::string readable_yaml(const node& root);

}  // namespace dibs::scenario
