/// What a sweep says once all of its runs are there.
#pragma once

#include "base/stopwatch.hpp"
#include "commands/requests.hpp"
#include "sweep/journal.hpp"
#include "sweep/plan.hpp"
#include "sweep/stopping_rule.hpp"
#include "sweep/sweep_directory.hpp"

#include <string>

namespace dibs::commands {

/// Where a sweep is kept if nothing is said.
inline constexpr const char* sweeps_folder = "sweeps";

/// Writes the tables of a sweep that is whole, tells of them, and returns the exit code.
[[nodiscard]] int conclude_sweep(const sweep_request& r,
                                 const std::string& program,
                                 const sweep::sweep_directory& d,
                                 const sweep::plan& p,
                                 const sweep::journal& j,
                                 const sweep::replication_targets& wanted,
                                 const stopwatch& watch);

}  // namespace dibs::commands
