/// What the parts of one check share.
#pragma once

#include "base/result.hpp"
#include "check/check.hpp"
#include "check/runs_of_variants.hpp"

#include <vector>

namespace dibs::check {

struct study {
  const scenario::scenario& mine;
  variant_runs& runs;
  std::vector<mend> mends;     ///< that there are to try
  std::vector<mend> settings;  ///< that put back what the scenario sets of its own
};

/// A cause, how it was put into the scenario, and what it did.
struct befallen {
  const cause* by = nullptr;
  transplant how;
  row told;
  /// Its rule is one that the scenario says nothing of: what it is known for counts alone.
  bool is_unsaid = false;
};

/// Whether the cause breaks a variant of the scenario: its runs with and without it.
[[nodiscard]] result<bool> breaks_by(const study& of,
                                     const befallen& b,
                                     const scenario::scenario& with,
                                     const scenario::scenario& without);

/// Of the run that has most of the row's worst harm.
[[nodiscard]] std::uint64_t worst_seed(const row& r, const incidents::replicated& with);

}  // namespace dibs::check
