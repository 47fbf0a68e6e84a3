/// Real lease systems as presets: what each does by default, as values of fields.
#pragma once

#include "scenario/diagnostics.hpp"
#include "scenario/field_description.hpp"
#include "scenario/tree.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dibs::scenario {

struct profile {
  std::string_view name;
  std::string_view source;  ///< what it copies
  /// `path=value`, as for `--set`; `TTL` stands for the TTL of the scenario.
  std::vector<std::string_view> settings;
};

/// In the order of their names.
[[nodiscard]] std::span<const profile> profiles();

/// Writes into the tree what the profile that it names says, where the scenario says nothing. A
/// field that has parts counts as a whole. Complains as source `source` and those after it; the
/// texts of these sources are added to `texts`.
void apply_profile(node& root,
                   const field_description& table,
                   int source,
                   diagnostic_log& log,
                   std::vector<std::string>& texts);

}  // namespace dibs::scenario
