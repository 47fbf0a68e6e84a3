/// `dibs conform --durations`: how long leases stand in a store, against what a profile says.
#pragma once

#include "commands/requests.hpp"

namespace dibs::commands {

/// Requires: some durations. Exit code 4 if a lease ended before its holder was told.
[[nodiscard]] int conform_durations(const conform_request& r);

}  // namespace dibs::commands
