/// Runs incidents under protocols: each cell with its cause and without, on the same seeds.
#pragma once

#include "base/result.hpp"
#include "incidents/assessment.hpp"
#include "lease/protocol.hpp"
#include "scenario/read.hpp"
#include "work/shared_study.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace dibs::incidents {

/// A scenario with an `incident` section, as read from its file.
struct incident {
  std::filesystem::path file;
  scenario::scenario with_cause;
  scenario::scenario without;
};

/// Reads the scenario twice: as it stands, and with `incident.without` on top.
struct incident_reading {
  incident value;                                 ///< meaningful only without diagnostics
  std::vector<scenario::diagnostic> diagnostics;  ///< also for a scenario that names no cause
};
[[nodiscard]] incident_reading read_incident(const std::filesystem::path& file);

struct incident_cell {
  lease::protocol protocol{};
  incidents::assessment assessment;
  std::uint32_t broken_promises = 0;  ///< runs in which a protocol broke what it promised
};

struct incident_row {
  std::string name;
  std::string cause;
  std::string source;
  std::vector<incident_cell> cells;  ///< one for each protocol that was asked for
  std::filesystem::path file{};
  std::vector<std::string> without{};  ///< `path=value`: takes the cause away
  std::uint64_t seed = 0;
  std::uint32_t runs = 0;  ///< of each cell, with and without

  /// Whether the cause changed no run of any protocol: a fault that never strikes, say.
  [[nodiscard]] bool is_idle() const {
    return std::ranges::all_of(cells, [](const incident_cell& c) {
      return c.assessment.outcome == incident_outcome::untouched;
    });
  }
};

/// Where the runs of an incident are shared with other processes.
struct shared_place {
  work::journal* journal = nullptr;  ///< null: nowhere
  work::decider_options how{};
  results::build_info build{};
};

struct incident_options {
  std::vector<lease::protocol> protocols;
  std::uint32_t runs = 10;  ///< of each cell, with and without; at least 2
  std::uint32_t jobs = 1;
  std::function<void()> on_cell{};  ///< called after each cell
  const std::atomic<bool>* stop = nullptr;
  shared_place shared{};
};

/// Errors: demand that cannot be read; `interrupted` if it was stopped.
[[nodiscard]] result<incident_row> run_incident(const incident& what, const incident_options& how);

}  // namespace dibs::incidents
