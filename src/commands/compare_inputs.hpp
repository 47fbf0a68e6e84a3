/// What `dibs compare` is given: scenarios to run, run directories to repeat, sweeps to read.
#pragma once

#include "base/result.hpp"
#include "results/run_record.hpp"
#include "scenario/field_paths.hpp"
#include "scenario/read.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace dibs::commands {

/// One side of a comparison: its runs, or what they are made from.
struct compare_input {
  std::string label;
  std::string file{};  ///< of a scenario that is run, as it was named; with what was set in it
  std::vector<scenario::override_value> overrides{};
  std::optional<scenario::scenario> scenario;      ///< to be run
  std::optional<scenario::field_values> fields{};  ///< of what was run already, if they are known
  std::vector<std::string> histories;              ///< that a repetition must have; empty if any
  std::optional<std::uint64_t> seed;  ///< the root; nothing leaves it to the other side
  std::uint32_t count = 0;            ///< of seeds; 0 leaves it to the other side
  std::vector<results::run_record> runs;
};

/// What one argument stands for: several sides for a sweep's directory without `:POINT`. Errors
/// (exit 2 or 3): neither file nor directory, an unfinished or interrupted run, no such point,
/// overrides for what was run already; diagnostics about a scenario are said on standard error.
[[nodiscard]] result<std::vector<compare_input>> compare_inputs_of(
    const std::string& argument, const std::vector<scenario::override_value>& overrides);

/// Fills in the runs of a side that is a scenario; a part of them if it was stopped. Errors: a kept
/// run that comes out differently (exit 5).
[[nodiscard]] result<void> run_side(compare_input& s, std::uint32_t jobs, bool quiet);

}  // namespace dibs::commands
