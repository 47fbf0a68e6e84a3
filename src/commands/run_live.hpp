/// `dibs run --live`: runs a scenario on the real clock and prints its summary. Keeps nothing.
#pragma once

#include "commands/requests.hpp"
#include "results/run_results.hpp"

namespace dibs::commands {

/// Runs the account's scenario live, prints what came of it and returns the exit code.
[[nodiscard]] int run_live(const run_request& r, results::run_results& a);

}  // namespace dibs::commands
