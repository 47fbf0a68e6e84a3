#include "sweep/constraint_margin.hpp"

#include "stats/sample_mean.hpp"

#include <algorithm>
#include <vector>

namespace dibs::sweep {

std::optional<constraint_margin> constraint_margin_of(const metric_formula& condition,
                                                      std::span<const sample> runs,
                                                      double tail) {
  const std::vector<double> each = condition.pseudo_values(runs);
  const auto room = condition.of(runs);
  if (each.size() < 2 || !room) {
    return std::nullopt;
  }
  stats::sample_mean seen = stats::mean_of(each);
  seen.unsure = condition.unsure(runs);
  const auto unseen = *condition.with_unseen(runs, tail);
  constraint_margin s{
      *room, std::min(seen.below(tail), unseen.low), std::max(seen.above(tail), unseen.high)};
  if (condition.asks_for_none()) {
    s.only_refutable = *room == 0;
    s.most = std::min(s.most, *room);
  }
  return s;
}

}  // namespace dibs::sweep
