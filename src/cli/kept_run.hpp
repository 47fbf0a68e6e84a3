/// The scenario of a run directory, to be run again.
#pragma once

#include "base/result.hpp"
#include "report/manifest.hpp"
#include "scenario/scenario.hpp"

#include <filesystem>

namespace dibs::cli {

/// The effective scenario of a kept run, with the data that it read then. Errors (exit 3): this
/// program does not take it, or the data was changed; complaints are said on standard error.
[[nodiscard]] result<scenario::scenario> scenario_of(const std::filesystem::path& directory,
                                                     const report::manifest& m);

}  // namespace dibs::cli
