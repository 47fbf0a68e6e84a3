// Around the best value: the trade-off, what is as good, what common seeds did, and the bounds.

#include "report/verdict.hpp"
#include "study/interval.hpp"
#include "study/verdict.hpp"
#include "study/verdict_parts.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace dibs::study {
namespace {

constexpr double tail_of_bound = 0.05;

}  // namespace

/// Fewer missed accepts cost more hidden supply. Which rows are the best trade-off for some weight
/// of a missed accept, and for which: the lower left hull.
void verdict::find_front() {
  std::vector<std::size_t> some;
  for (std::size_t r = 0; r < out_.rows.size(); ++r) {
    const row& each = out_.rows[r];
    if (each.standing != standing::unusable && each.missed_per_ride && each.hidden_per_ride) {
      some.push_back(r);
    }
  }
  const auto missed = [&](std::size_t r) { return out_.rows[r].missed_per_ride->value; };
  const auto hidden = [&](std::size_t r) { return out_.rows[r].hidden_per_ride->value; };
  std::sort(some.begin(), some.end(), [&](std::size_t a, std::size_t b) {
    return std::pair(hidden(a), missed(a)) < std::pair(hidden(b), missed(b));
  });
  std::vector<std::size_t> hull;
  double least_missed = std::numeric_limits<double>::infinity();
  const auto rate = [&](std::size_t a, std::size_t b) {
    return (hidden(b) - hidden(a)) / (missed(a) - missed(b));
  };
  for (const std::size_t r : some) {
    if (missed(r) >= least_missed) {
      continue;
    }
    least_missed = missed(r);
    out_.rows[r].on_front = true;
    while (hull.size() > 1 && rate(hull[hull.size() - 2], hull.back()) >= rate(hull.back(), r)) {
      hull.pop_back();
    }
    hull.push_back(r);
  }
  for (std::size_t i = 0; i < hull.size(); ++i) {
    exchange e{hull[i], i == 0 ? 0 : rate(hull[i - 1], hull[i]), {}};
    if (i + 1 < hull.size()) {
      e.to = rate(hull[i], hull[i + 1]);
    }
    out_.exchanges.push_back(e);
  }
}

void verdict::find_neighbours() {
  const parameter& p = quest_.where.parameters()[0];
  std::optional<std::size_t> last;
  for (std::size_t r = 0; r < out_.rows.size(); ++r) {
    const choice& c = out_.rows[r].values;
    const bool profile = std::equal(c.begin() + 1, c.end(), out_.best.begin() + 1);
    if (!p.range || !profile || contenders_[r].costs.size() < 2 || !p.share_of(c[0])) {
      continue;
    }
    if (last) {
      const std::size_t n = std::min(out_.rows[*last].seeds, out_.rows[r].seeds);
      const auto a = quest_.what.costs(quest_.runs.of(contenders_[*last].point, fresh_seeds), n);
      const auto b = quest_.what.costs(quest_.runs.of(contenders_[r].point, fresh_seeds), n);
      const double apart = variance_of(a) + variance_of(b);
      const double together = variance_of(minus(b, a));
      const double low = p.range->at(*p.share_of(out_.rows[*last].values[0]));
      const double high = p.range->at(*p.share_of(c[0]));
      out_.common_seeds.push_back(
          {*last,
           r,
           low > 0 ? high / low : 0,
           together > 0 ? apart / together : std::numeric_limits<double>::infinity()});
    }
    last = r;
  }
}

void verdict::check_bounds() {
  const std::uint32_t best = contenders_[out_.best_row].point;
  const auto runs = quest_.runs.of(best, fresh_seeds);
  for (const formula& f : quest_.what.constraints) {
    const auto room = figure_of(f, best);
    const auto found = standing_of(f, runs, tail_of_bound);
    if (room && found) {
      out_.constraints.push_back({f.text(), f.unit(), *room, found->least, found->only_refutable});
    }
  }
  for (std::size_t i = 0; i < quest_.what.thresholds.size(); ++i) {
    const scenario::bound& b = quest_.what.thresholds[i];
    const auto found = figure_of(quest_.what.bounded[i], best);
    out_.thresholds.push_back({b.metric,
                               b.text,
                               metrics::find(b.metric)->unit,
                               found.value_or(figure{}),
                               found && report::meets(found->value, b)});
  }
}

}  // namespace dibs::study
