/// Real lease systems as presets: what each does by default, as values of fields.
#pragma once

#include "scenario/diagnostics.hpp"
#include "scenario/field_description.hpp"
#include "scenario/scenario.hpp"
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

/// The paths of those fields that some profile may fill and that a written scenario gives at their
/// defaults. Where a file gives them, it leaves nothing for a profile to fill.
[[nodiscard]] std::vector<std::string> left_to_profiles(const node& written);

/// The paths of what the profile of a scenario says otherwise than the scenario, which gives these
/// fields by itself.
[[nodiscard]] std::vector<std::string> kept_from_profile(const scenario& s);

}  // namespace dibs::scenario
