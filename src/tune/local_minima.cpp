#include "tune/local_minima.hpp"

#include "stats/sample_mean.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace dibs::tune {
namespace {

constexpr double errors_of_a_ridge = 4;

/// A value of the grid that way, with what it cost.
struct step {
  std::string value;
  std::vector<double> costs;
};

/// From the winner, which is the first, to the end of the grid, without what cannot be chosen.
std::vector<step> steps_from(const search_context& q,
                             std::uint32_t winner,
                             std::size_t i,
                             bool up) {
  const std::vector<std::string>& values = q.where.parameters()[i].values;
  sweep::parameter_values c = q.where.choice_of(winner);
  const auto at = std::ranges::find(values, c[i]);
  const std::vector<std::string> onward =
      up ? std::vector<std::string>(at, values.end())
         : std::vector<std::string>(values.rend() - (at - values.begin()) - 1, values.rend());
  std::vector<step> steps;
  for (const std::string& value : onward) {
    c[i] = value;
    const auto point = q.where.point_of(c);
    if (!point || !q.what.rejection_reason(q.runs, *point, sweep::seed_block::first).empty()) {
      continue;
    }
    const auto runs = q.runs.of(*point, sweep::seed_block::first);
    steps.push_back({value, q.what.costs(runs, runs.size())});
  }
  return steps;
}

/// By how much one costs more than the other, on the seeds that both were run on.
stats::sample_mean excess_of(const step& more, const step& less) {
  const auto d = stats::paired_differences(more.costs, less.costs);
  return d.size() < 2 ? stats::sample_mean{} : stats::mean_of(d);
}

bool costs_clearly_more(const step& more, const step& less) {
  const stats::sample_mean by = excess_of(more, less);
  return by.mean > errors_of_a_ridge * by.error;
}

/// Whether it goes up from here to a neighbour by as much as the winner is better: between the two
/// it may then go down by as much.
bool may_hide_a_better_one(const std::vector<step>& steps, std::size_t valley) {
  double rise = excess_of(steps[valley - 1], steps[valley]).mean;
  if (valley + 1 < steps.size()) {
    rise = std::max(rise, excess_of(steps[valley + 1], steps[valley]).mean);
  }
  return excess_of(steps[valley], steps[0]).mean <= rise;
}

/// The least that is clearly below the highest before it; nothing if it goes up all the way, or if
/// what lies beside the least would have to be too far below it.
std::optional<std::string> valley_among(const std::vector<step>& steps) {
  std::size_t ridge = 0;
  std::size_t valley = 0;
  for (std::size_t i = 1; i < steps.size(); ++i) {
    if (ridge > 0 && costs_clearly_more(steps[ridge], steps[i])) {
      valley = valley == 0 || excess_of(steps[valley], steps[i]).mean > 0 ? i : valley;
    } else if (valley == 0 && (ridge == 0 || excess_of(steps[i], steps[ridge]).mean > 0)) {
      ridge = i;
    }
  }
  const bool is_one = valley > 0 && may_hide_a_better_one(steps, valley);
  return is_one ? std::optional(steps[valley].value) : std::nullopt;
}

}  // namespace

std::vector<std::string> other_local_minima(const search_context& q, std::uint32_t winner) {
  std::vector<std::string> all;
  for (const std::size_t i : sweep::ranged_of(q.where.parameters())) {
    for (const bool up : {false, true}) {
      if (const auto valley = valley_among(steps_from(q, winner, i, up))) {
        all.push_back(fmt::format(
            "{}={} lies in a valley of its own, beyond values that cost more; only the values of "
            "the grid were tried there, and the best may lie between them: search there alone, or "
            "give the values in a list",
            q.where.parameters()[i].path,
            *valley));
      }
    }
  }
  return all;
}

}  // namespace dibs::tune
