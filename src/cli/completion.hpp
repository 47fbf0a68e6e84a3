/// `dibs completion`.
#pragma once

#include "commands/requests.hpp"

namespace dibs::cli {

/// Prints the script for a shell and returns the exit code.
[[nodiscard]] int completion(const commands::completion_request& r);

}  // namespace dibs::cli
