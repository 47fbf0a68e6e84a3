/// Puts the parts of a sweep together that were run apart.
#pragma once

#include "base/result.hpp"
#include "sweep/journal.hpp"
#include "sweep/plan.hpp"

#include <filesystem>
#include <vector>

namespace dibs::sweep {

/// The parts as they were read, and the plan of the whole.
struct parts_read {
  std::vector<journal> journals;
  plan whole;
};

/// Errors (exit 3): a journal that cannot be read or is of no part; parts of several sweeps, or of
/// another build than this; a part that is missing.
[[nodiscard]] result<parts_read> read_parts(const std::vector<std::filesystem::path>& directories,
                                            const results::build_info& b);

/// Copies all runs. Errors: a run that is missing (exit 3); one that two parts have, and that
/// differs (5).
[[nodiscard]] result<void> copy_runs(const parts_read& parts, journal& into);

}  // namespace dibs::sweep
