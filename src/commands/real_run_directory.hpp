/// Keeps what happened on real servers as a run directory, so that `explain` and `report` take it
/// as any other run.
#pragma once

#include "base/result.hpp"
#include "checkers/run_checker.hpp"
#include "events/facts.hpp"
#include "scenario/scenario.hpp"

#include <filesystem>
#include <span>
#include <string>

namespace dibs::commands {

struct real_run_record {
  scenario::scenario scenario;  ///< what is shown of it; not to be run
  std::string real_case;        ///< as the manifest names it
  std::string command;          ///< that does the same again: `torment NAME`
  std::span<const events::event> events;
  sim_time end{};
  checkers::options judged_by;
  double wall_s = 0;
  bool interrupted = false;
};

/// Errors: the directory is there already, or cannot be written.
[[nodiscard]] result<void> keep_real_run(const std::filesystem::path& directory,
                                         const real_run_record& run,
                                         const std::string& program);

}  // namespace dibs::commands
