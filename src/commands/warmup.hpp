/// `--warmup auto`: pilot runs say how much of the beginning to leave out.
#pragma once

#include "base/result.hpp"
#include "scenario/read.hpp"

#include <cstdint>
#include <filesystem>
#include <vector>

namespace dibs::commands {

/// Adds what sets the warm-up to the overrides, and says on standard error what it is. An invalid
/// scenario is left to whoever reads it next. Returns how many pilots ran. Errors: it does not
/// settle (exit 7); it was stopped.
[[nodiscard]] result<std::uint32_t> resolve_warmup(const std::filesystem::path& file,
                                                   std::vector<scenario::override_value>& overrides,
                                                   std::uint32_t jobs,
                                                   bool quiet);

}  // namespace dibs::commands
