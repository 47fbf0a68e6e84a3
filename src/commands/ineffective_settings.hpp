/// Finds the values of `--set` that changed nothing in a finished run.
#pragma once

#include "commands/requests.hpp"
#include "results/run_results.hpp"

#include <string>
#include <vector>

namespace dibs::commands {

/// As sentences; those of which the table of fields says so are left to `results::notes_of`. Where
/// the table cannot tell, a short run is done again without each of them, and its history compared.
/// A long run is not, so that a run takes no longer for having been set: nothing is said then.
[[nodiscard]] std::vector<std::string> sets_in_vain(const run_request& r,
                                                    const results::run_results& a);

}  // namespace dibs::commands
