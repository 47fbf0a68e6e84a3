/// The runs of one `dibs run` and their results: all reports are made from it.
#pragma once

#include "engine/run.hpp"
#include "results/atomic_file.hpp"
#include "scenario/read.hpp"
#include "scenario/scenario.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace dibs::results {

struct run_results {
  scenario::scenario scenario;   ///< effective: overrides applied
  std::string program = "dibs";  ///< as the user typed it, for commands that can be pasted
  std::string file;              ///< the same
  std::vector<scenario::override_value> overrides;
  std::string how;                ///< further words of the command, as ` --live --speed 100`
  std::string real_case;          ///< on real servers: of `dibs torment`, or a load
  std::string real_command;       ///< then, without program and seed
  std::string file_hash;          ///< of the file as it was when it was read
  std::vector<file_record> data;  ///< what the scenario reads; names as in the scenario
  std::uint64_t seed = 0;         ///< of the first replication; the others derive from it
  std::uint32_t runs_asked = 1;
  std::vector<engine::run_result> runs;  ///< in the order of their seeds
  double wall_s = 0;                     ///< for all of them together
  std::vector<std::string> in_vain{};    ///< sentences on what was set and changed nothing

  [[nodiscard]] bool interrupted() const {
    return runs.size() < runs_asked ||
           std::any_of(runs.begin(), runs.end(), [](const auto& r) { return r.interrupted; });
  }
};

struct idle_fault {
  std::string id;
  enum class reason : std::uint8_t {
    too_late,  ///< it begins when the run is over
    waited,    ///< for what never came
    chance,    ///< its rate came to nothing
    unfelt,    ///< no message was lost to it or held up by it
  };
  reason why = reason::waited;
};

/// The faults that struck in no run; none if any run was cut short.
[[nodiscard]] std::vector<idle_fault> idle_faults_of(const run_results& a);

/// What was set and changes nothing, with the reason: a sentence each.
[[nodiscard]] std::vector<std::string> settings_in_vain(const run_results& a);

/// What was asked for in vain, as sentences: what the scenario says of itself, and fields that were
/// set and cannot have changed anything. From scenario and overrides alone.
[[nodiscard]] std::vector<std::string> notes_of(const run_results& a);

/// The command that repeats one replication alone, quoted for a shell: by its seed, or the k-th.
[[nodiscard]] std::string replay_line_of_seed(const run_results& a, std::uint64_t seed);
[[nodiscard]] std::string replay_line(const run_results& a, std::size_t k);

}  // namespace dibs::results
