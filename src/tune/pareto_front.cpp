#include "tune/pareto_front.hpp"

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

namespace dibs::tune {
namespace {

struct mean_harms {
  double hidden = 0;
  double missed = 0;
  std::size_t row = 0;
};

/// By hidden supply, and only what misses less than all that hide less.
std::vector<mean_harms> descending(std::span<const harm_samples> rows) {
  std::vector<mean_harms> all;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    all.push_back({stats::mean_of(rows[r].hidden).mean, stats::mean_of(rows[r].missed).mean, r});
  }
  std::ranges::sort(all, [](const mean_harms& a, const mean_harms& b) {
    return std::tuple(a.hidden, a.missed, a.row) < std::tuple(b.hidden, b.missed, b.row);
  });
  double least = std::numeric_limits<double>::infinity();
  std::erase_if(all, [&](const mean_harms& m) {
    return m.missed >= std::exchange(least, std::min(least, m.missed));
  });
  return all;
}

double weight_between(const mean_harms& a, const mean_harms& b) {
  return (b.hidden - a.hidden) / (a.missed - b.missed);
}

}  // namespace

std::vector<bool> non_dominated(std::span<const harm_samples> rows) {
  std::vector<bool> on(rows.size(), false);
  for (const mean_harms& m : descending(rows)) {
    on[m.row] = true;
  }
  return on;
}

std::vector<std::size_t> pareto_hull(std::span<const harm_samples> rows) {
  std::vector<mean_harms> hull;
  for (const mean_harms& m : descending(rows)) {
    while (hull.size() > 1 &&
           weight_between(hull[hull.size() - 2], hull.back()) >= weight_between(hull.back(), m)) {
      hull.pop_back();
    }
    hull.push_back(m);
  }
  std::vector<std::size_t> front;
  for (const mean_harms& m : hull) {
    front.push_back(m.row);
  }
  return front;
}

std::vector<trade_off_weight> trade_off_weights(std::span<const harm_samples> rows,
                                                std::span<const std::size_t> front) {
  std::vector<trade_off_weight> turns;
  for (std::size_t i = 0; i + 1 < front.size(); ++i) {
    const harm_samples& here = rows[front[i]];
    const harm_samples& next = rows[front[i + 1]];
    const auto more_hidden = stats::paired_differences(next.hidden, here.hidden);
    const auto less_missed = stats::paired_differences(here.missed, next.missed);
    trade_off_weight t;
    t.at = stats::mean_of(more_hidden).mean / stats::mean_of(less_missed).mean;
    t.within = stats::fieller_interval(more_hidden, less_missed);
    t.within.low = std::max(0.0, t.within.low);
    turns.push_back(t);
  }
  return turns;
}

}  // namespace dibs::tune
