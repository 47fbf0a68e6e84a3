#include "check/mending.hpp"

#include "check/mend_cost.hpp"
#include "check/scale.hpp"
#include "check/weighing.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

namespace dibs::check {
namespace {

using incidents::incident_outcome;
using incidents::paired_change;
using incidents::replicated;

constexpr double undone_min = 0.5;
/// A mend that costs less costs nothing that anybody sees.
constexpr double cost_seen = 0.2;
/// So many of the rows that degrade are tried with mends.
constexpr std::size_t degraded_max = 5;

double mean_of(const replicated& runs, const std::string& metric) {
  double sum = 0;
  for (const auto& each : runs.figures()) {
    sum += each(metric).value_or(0);
  }
  return sum / static_cast<double>(runs.runs.size());
}

/// How much of the row's worst harm the mend takes away; nothing if it still breaks.
result<std::optional<double>> undone_by(const study& of, const befallen& b, const mend_cost& c) {
  const transplant t = transplanted(*b.by, c.mended, scale_of(*b.by, of.mine));
  if (!t.why_not.empty()) {
    return std::optional<double>();
  }
  const auto with = of.runs.of(t.with.value, b.told.name);
  const auto without = with ? of.runs.of(t.without.value, b.told.name) : with;
  if (!without) {
    return tl::unexpected<error>(without.error());
  }
  row probe;
  probe.from = b.told.from;
  weigh(probe, **with, **without, b.by->harms);
  if (probe.outcome == incident_outcome::breaks) {
    return std::optional<double>();
  }
  if (b.told.worse.empty()) {
    return std::optional<double>(1);  // a promise was broken, and is not any more
  }
  const paired_change& worst = b.told.worse.front();
  const double whole = worst.with_cause - worst.without;
  return std::optional((worst.with_cause - mean_of(**with, worst.metric)) / whole);
}

/// Whether it takes more from service than it gives back.
bool is_dear(const row& r, const mend_cost& c, double undone) {
  return r.outcome == incident_outcome::degrades && c.seen() > 0 &&
         c.seen() >= undone * points(r.worse.front());
}

result<void> mend_row(const study& of, befallen& b, std::vector<mend>& order) {
  std::optional<double> least;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (order[i].is_of_ttl && b.told.outcome == incident_outcome::breaks && least) {
      continue;
    }
    auto cost = cost_of(of, order[i]);
    if (!cost) {
      return tl::unexpected<error>(cost.error());
    }
    ++b.told.tried;
    if (cost->breaks || (least && cost->seen() >= *least)) {
      continue;
    }
    const auto undone = undone_by(of, b, *cost);
    if (!undone) {
      return tl::unexpected<error>(undone.error());
    }
    if (!*undone || **undone < undone_min || is_dear(b.told, *cost, **undone)) {
      continue;
    }
    cost->told.undone = std::min(**undone, 1.0);
    least = cost->seen();
    b.told.mended = std::move(cost->told);
    if (*least < cost_seen) {
      // What helped here is likely to help the next row.
      std::rotate(order.begin(),
                  order.begin() + static_cast<std::ptrdiff_t>(i),
                  order.begin() + static_cast<std::ptrdiff_t>(i) + 1);
      return {};
    }
  }
  return {};
}

result<void> cure_row(const study& of, befallen& b) {
  auto cost = cost_of(of, {"", effective(of.mine, b.how.cure)});
  if (!cost) {
    return tl::unexpected<error>(cost.error());
  }
  cost->told.undone = 1;
  b.told.tried = 1;
  b.told.mended = std::move(cost->told);
  return {};
}

}  // namespace

std::uint64_t worst_seed(const row& r, const replicated& with) {
  std::uint64_t seed = with.runs.front().seed;
  double most = 0;
  for (std::size_t i = 0; i < with.runs.size() && !r.worse.empty(); ++i) {
    const double its = with.figures()[i](r.worse.front().metric).value_or(0);
    if (its > most) {
      most = its;
      seed = with.runs[i].seed;
    }
  }
  return seed;
}

result<void> mend_all(const study& of, std::span<befallen> all) {
  std::vector<mend> order = of.mends;
  std::size_t degraded = 0;
  for (befallen& b : all) {
    const bool breaks = b.told.outcome == incident_outcome::breaks;
    const bool degrades = b.told.outcome == incident_outcome::degrades;
    if (!b.told.counts() || !b.told.why_not.empty() || !(breaks || degrades)) {
      continue;
    }
    if (b.told.from != origin::own_rule && degrades && ++degraded > degraded_max) {
      continue;
    }
    auto done = b.told.from == origin::own_rule ? cure_row(of, b) : mend_row(of, b, order);
    if (!done) {
      return done;
    }
  }
  return {};
}

}  // namespace dibs::check
