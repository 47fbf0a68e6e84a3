/// The bearer token that callers of a lease service show.
#pragma once

#include "base/result.hpp"

#include <string>

namespace dibs::commands {

/// The first line of a file. Errors (exit code 3): it cannot be read, or is no token: 16 to 512
/// letters, digits or signs.
[[nodiscard]] result<std::string> bearer_token_in(const std::string& file);

}  // namespace dibs::commands
