#include "sweep/constraint_margin.hpp"

#include "stats/sample_mean.hpp"

#include <algorithm>
#include <vector>

namespace dibs::sweep {

std::optional<standing_of_condition> standing_of(const formula& condition,
                                                 std::span<const sample> runs,
                                                 double tail) {
  const std::vector<double> each = condition.pseudo_values(runs);
  const auto room = condition.of(runs);
  if (each.size() < 2 || !room) {
    return std::nullopt;
  }
  stats::mean_of_samples seen = stats::mean_of(each);
  seen.unsure = condition.unsure(runs);
  const auto unseen = *condition.with_unseen(runs, tail);
  standing_of_condition s{
      *room, std::min(seen.below(tail), unseen.low), std::max(seen.above(tail), unseen.high)};
  if (condition.asks_for_none()) {
    s.only_refutable = *room == 0;
    s.most = std::min(s.most, *room);
  }
  return s;
}

}  // namespace dibs::sweep
