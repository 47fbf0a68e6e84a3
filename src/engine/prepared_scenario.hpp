/// What all replications of a scenario share: read once, never changed.
#pragma once

#include "base/result.hpp"
#include "engine/run.hpp"
#include "scenario/scenario.hpp"
#include "world/demand.hpp"
#include "world/geography.hpp"

#include <cstdint>
#include <vector>

namespace dibs::engine {

struct prepared_scenario {
  world::geography map;
  world::demand_options demand;
  std::uint64_t trace_rows_dropped = 0;
};

/// Reads the demand's traces, unless the scenario holds their rows. Errors: a file that cannot be
/// read, with its place.
[[nodiscard]] result<prepared_scenario> prepare(const scenario::scenario& s);

/// One replication of a scenario that was prepared: for callers with many of them, on any thread.
/// Errors: whatever was thrown on the way (memory that ran out), with the line that repeats the
/// run.
[[nodiscard]] result<run_result> run(const scenario::scenario& s,
                                     const prepared_scenario& shared,
                                     const run_options& how);

/// `run_many` (engine/run.hpp) of a scenario that was prepared.
[[nodiscard]] result<std::vector<run_result>> run_many(const scenario::scenario& s,
                                                       const prepared_scenario& shared,
                                                       const run_options& how,
                                                       std::uint32_t runs,
                                                       std::uint32_t jobs);

/// The same for `memory_estimate`, which then reads nothing.
[[nodiscard]] std::uint64_t memory_estimate(const scenario::scenario& s,
                                            const prepared_scenario& shared);

}  // namespace dibs::engine
