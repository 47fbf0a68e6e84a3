/// Ctrl-C and SIGTERM: the first asks the run to stop at its next event, and ends the program if it
/// is not over within a second, whatever it is at; the second ends at once. What a run directory
/// holds then is whole or not there.
#pragma once

#include "base/result.hpp"

#include <atomic>
#include <optional>

namespace dibs::commands {

/// From here on; SIGPIPE is ignored, so a closed pipe is an error of `write`.
void watch_signals();

/// What the engine looks at between events.
[[nodiscard]] const std::atomic<bool>* stop_flag();

/// How to end after a signal: 130 or 143; nothing if none came.
[[nodiscard]] std::optional<exit_code> stopped_by();

}  // namespace dibs::commands
