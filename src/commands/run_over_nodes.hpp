/// `dibs run --live --nodes`: a live run that others join.
#pragma once

#include "commands/requests.hpp"
#include "engine/live_run.hpp"
#include "processes/run.hpp"
#include "results/run_results.hpp"

#include <optional>
#include <vector>

namespace dibs::commands {

/// A live run, and what became of those that joined it.
struct ended_run {
  engine::live_result live;
  std::vector<processes::process_account> nodes{};
  std::optional<processes::placement> who{};
  result<void> kept{};  ///< the run directory, if one was asked for
};

/// Runs it with the nodes that join, and keeps it if asked. The scenario that is kept has what
/// happened to the nodes among its faults.
[[nodiscard]] result<ended_run> run_over_nodes(const run_request& r,
                                               const results::run_results& a,
                                               engine::run_options how,
                                               const engine::live_options& live);

}  // namespace dibs::commands
