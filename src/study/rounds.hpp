/// How many replications each point of a sweep is to have, by what the journal holds.
///
/// Without a wanted precision, as many as there are seeds. With one, the first look takes the
/// seeds, and each further look half as many again, until the interval is narrow enough. The answer
/// depends on the replications before it alone, so a sweep that was stopped and resumed runs the
/// same ones.
#pragma once

#include "base/result.hpp"
#include "study/journal.hpp"
#include "study/plan.hpp"
#include "study/record.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace dibs::study {

struct wanted_runs {
  std::vector<std::uint32_t> replications;  ///< of each point
  std::uint32_t unprecise = 0;  ///< points that are not precise at the most replications

  [[nodiscard]] std::uint64_t all() const;
};

/// Of one point with these runs, in the order of their replications and without gaps.
[[nodiscard]] std::uint32_t wanted_of(const plan& p, std::span<const run_record> runs);

/// Errors: those of the journal.
[[nodiscard]] result<wanted_runs> wanted_by(const plan& p, const journal& j);

}  // namespace dibs::study
