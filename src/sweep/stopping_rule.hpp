/// How many replications each point of a sweep is to have, by what the journal holds.
///
/// Without a wanted precision, as many as there are seeds. With one, the first look takes the
/// seeds, and each further look half as many again, until the interval is narrow enough. The answer
/// depends on the replications before it alone, so a sweep that was stopped and resumed runs the
/// same ones.
///
/// A figure that is 0 in all runs has no share that could be known. Its point is given up once even
/// the rule of three (95 % sure, what n runs did not show comes less than 3 times in n) leaves too
/// far to go: to know a Poisson count to a share s takes (1.96 / s)^2 of them, so (1.96 / s)^2 n /
/// 3 runs, and that is more than the point may have.
#pragma once

#include "base/result.hpp"
#include "results/run_record.hpp"
#include "sweep/journal.hpp"
#include "sweep/plan.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace dibs::sweep {

struct replication_targets {
  std::vector<std::uint32_t> replications;  ///< of each point
  std::uint32_t unprecise = 0;  ///< points that are not precise, and get no more replications
  std::uint32_t unseen = 0;     ///< of these, those given up because the figure is 0 in all runs

  [[nodiscard]] std::uint64_t all() const;
};

/// Of one point with these runs, in the order of their replications and without gaps.
[[nodiscard]] std::uint32_t target_replications(const plan& p,
                                                std::span<const results::run_record> runs);

/// Errors: those of the journal.
[[nodiscard]] result<replication_targets> wanted_by(const plan& p, const journal& j);

}  // namespace dibs::sweep
