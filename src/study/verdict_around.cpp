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

/// The ends where regret comes to delta by a parabola through what was tried (around an optimum it
/// grows like a square), or before: each is run on the fresh seeds too, and taken once it is shown
/// to be within delta.
result<void> verdict::find_set() {
  if (out_.paths.size() != 1 || !quest_.where.parameters()[0].range) {
    return {};
  }
  const parameter& p = quest_.where.parameters()[0];
  std::array<std::string, 2> ends;
  for (const bool upper : {false, true}) {
    const double best = *p.share_of(out_.best[0]);
    const double end = end_by_parabola(upper ? 1 : -1);
    std::string& shown = ends[upper ? 1 : 0] = out_.best[0];
    // At the end itself half of all samples say that it is beyond.
    for (const double part : {0.85, 0.7, 0.5, 0.3}) {
      const std::string tried = p.text_at(best + part * (end - best));
      const auto within = is_within(tried);
      if (!within) {
        return tl::unexpected<error>(within.error());
      }
      if (*within) {
        shown = tried;
        break;
      }
    }
  }
  out_.set = ends;
  measure_rows();
  compare_rows();
  return {};
}

double verdict::end_by_parabola(std::ptrdiff_t step) const {
  const parameter& p = quest_.where.parameters()[0];
  const auto share = [&](std::size_t r) { return *p.share_of(out_.rows[r].values[0]); };
  const auto root = [&](std::size_t r) {
    return std::sqrt(std::max(0.0, out_.rows[r].regret->value));
  };
  const double limit = std::sqrt(quest_.how.delta);
  auto inner = static_cast<std::ptrdiff_t>(out_.best_row);
  for (std::ptrdiff_t r = inner + step; r >= 0 && r < std::ssize(out_.rows); r += step) {
    const auto outer = static_cast<std::size_t>(r);
    if (!out_.rows[outer].searched) {
      continue;
    }
    if (!out_.rows[outer].regret) {
      break;
    }
    const double low = root(static_cast<std::size_t>(inner));
    const double high = root(outer);
    if (high > limit) {
      const double at = share(static_cast<std::size_t>(inner));
      return at + (share(outer) - at) * std::clamp((limit - low) / (high - low), 0.0, 1.0);
    }
    inner = r;
  }
  return share(static_cast<std::size_t>(inner));
}

/// Whether a value is shown not to be worse than the best by more than delta, on as many seeds as
/// the best was run on, or as it takes to see a third of delta.
result<bool> verdict::is_within(const std::string& value) {
  if (value == out_.best[0]) {
    return true;
  }
  const auto point = quest_.where.point_of({value});
  if (!point) {
    return false;
  }
  const std::uint32_t best = contenders_[out_.best_row].point;
  const std::array both{best, *point};
  std::size_t n = quest_.runs.of(best, fresh_seeds).size();
  const auto worse = [&]() -> std::optional<mean_of_samples> {
    const auto d = minus(quest_.what.costs(quest_.runs.of(*point, fresh_seeds), n),
                         quest_.what.costs(quest_.runs.of(best, fresh_seeds), n));
    return d.size() > 1 ? std::optional(mean_of(d)) : std::nullopt;
  };
  if (auto ran = quest_.runs.extend(both, fresh_seeds, n, 0); !ran || !*ran) {
    return ran;
  }
  constexpr double most = 4;
  const auto first = worse();
  const double blur = first ? 3 * first->half_width() / delta() : 0;
  if (blur > 1) {
    const auto more =
        static_cast<std::size_t>(std::min(blur * blur, most) * static_cast<double>(n));
    if (auto ran = quest_.runs.extend(both, fresh_seeds, more, 0); !ran) {
      return ran;
    } else if (*ran) {
      n = more;
    }
  }
  const auto last = worse();
  return last && quest_.what.flaw_of(quest_.runs, *point, fresh_seeds).empty() &&
         last->above(tail) <= delta();
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
    if (room) {
      out_.constraints.push_back(
          {f.text(), f.unit(), *room, mean_of(f.pseudo_values(runs)).below(tail_of_bound)});
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
