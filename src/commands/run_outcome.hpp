/// A run that another command needs: kept as `dibs run` keeps it, without a word.
#pragma once

#include "base/result.hpp"
#include "commands/requests.hpp"
#include "results/run_results.hpp"

#include <string>

namespace dibs::commands {

struct run_outcome {
  results::run_results all;
  exit_code code{};  ///< with which `dibs run` would end: a threshold missed is no error
};

/// Errors: whatever keeps it from being run, or kept; of a scenario that is invalid the first
/// diagnostic.
[[nodiscard]] result<run_outcome> run_and_keep(const run_request& r, const std::string& program);

}  // namespace dibs::commands
