/// What a run directory holds: its scenario, to be run again, and its history.
#pragma once

#include "base/result.hpp"
#include "history/recorded_run.hpp"
#include "results/manifest.hpp"
#include "scenario/scenario.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace dibs::commands {

/// The effective scenario of a kept run, with the data that it read then. Errors (exit 3): this
/// program does not take it, or the data was changed; diagnostics are said on standard error.
[[nodiscard]] result<scenario::scenario> scenario_of(const std::filesystem::path& directory,
                                                     const results::manifest& m);

/// Where a kept run has its events, if it kept them. Errors (exit 3): what is there is no file.
[[nodiscard]] result<std::optional<std::filesystem::path>> recorded_events(
    const std::filesystem::path& directory, const results::manifest& m);

/// One replication of a kept run, whole: from `events.jsonl` where events were kept, else run
/// again; its hash must be the one in the manifest. `seed` chooses among replications, the first if
/// absent. Errors: as above, no such seed (exit 2), another history (exit 5), interrupted.
[[nodiscard]] result<history::recorded_run> history_of(const std::filesystem::path& directory,
                                                       std::optional<std::uint64_t> seed,
                                                       bool quiet);

/// What `metrics.json` holds, with intervals. Those of a single run come out of its history, for
/// which it may have to be run again; where that cannot be, there are none, and it is said why.
/// Errors: a directory that cannot be read, interrupted.
[[nodiscard]] result<nlohmann::ordered_json> figures_of(const std::filesystem::path& directory,
                                                        bool quiet);

}  // namespace dibs::commands
