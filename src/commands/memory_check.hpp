/// How much memory a run may take here: the least of what the machine has left, what the control
/// groups of this process allow, and its own limit.
#pragma once

#include "base/result.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace dibs::commands {

struct memory_limit {
  std::uint64_t bytes = UINT64_MAX;
  std::string of;  ///< "this machine", "the control group", "the limit of this process (ulimit -v)"
};

/// `root` is `/` but for tests.
[[nodiscard]] memory_limit memory_available(const std::filesystem::path& root = "/");

/// Errors: `needed` does not fit; the message begins with `what_needs`, and has both numbers and
/// what to do.
[[nodiscard]] result<void> check_memory(
    std::uint64_t needed,
    const memory_limit& available,
    std::string_view what_needs = "the run needs",
    std::string_view advice = "make it smaller, lower --jobs, or try all the same with --force");

}  // namespace dibs::commands
