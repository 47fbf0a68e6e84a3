#include "check/mending.hpp"

#include "check/scale.hpp"
#include "check/weighing.hpp"

#include <algorithm>
#include <cmath>
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
/// A gain as it stands: points, and the share of what was lacking.
constexpr double gain_points = 2;
constexpr double gain_share = 0.5;

const std::vector<std::string>& with_missed_accepts() {
  static const std::vector<std::string> names{"accepts.missed_rate"};
  return names;
}

double mean_of(const replicated& runs, const std::string& metric) {
  double sum = 0;
  for (const auto& each : runs.figures()) {
    sum += each(metric).value_or(0);
  }
  return sum / static_cast<double>(runs.runs.size());
}

/// What the change of the scenario costs where no cause is added.
struct base_cost {
  scenario::scenario mended;
  tried_mend told;
  bool breaks = false;

  /// In points, as far as the intervals leave no doubt.
  [[nodiscard]] double seen() const {
    return sure(told.service) + sure(told.hidden) + sure(told.missed);
  }

  static double sure(const paired_change& c) {
    const double doubt = 100 * c.change.half_width();
    return std::max(points(c) - doubt, 0.0);
  }
};

result<base_cost> cost_of(const study& of, const mend& m) {
  auto mended = changed(of.mine, m.set);
  const auto base = of.runs.of(of.mine, m.feature);
  if (!mended || !base) {
    return tl::unexpected<error>(mended ? base.error() : mended.error());
  }
  const auto runs = of.runs.of(*mended, m.feature);
  if (!runs) {
    return tl::unexpected<error>(runs.error());
  }
  base_cost c{.mended = std::move(*mended),
              .told = {.what = m, .service = {}, .hidden = {}, .missed = {}}};
  row probe;
  weigh(probe, **runs, **base, {});
  c.breaks = probe.outcome == incident_outcome::breaks;
  for (const paired_change& each : incidents::judge(**runs, **base, with_missed_accepts()).all) {
    if (each.metric == "rides.match_rate") {
      c.told.service = each;
    } else if (each.metric == "supply.hidden_share") {
      c.told.hidden = each;
    } else if (each.metric == "accepts.missed_rate") {
      c.told.missed = each;
    }
  }
  return c;
}

/// How much of the row's worst harm the mend takes away; nothing if it still breaks.
result<std::optional<double>> undone_by(const study& of, const befallen& b, const base_cost& c) {
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
bool is_dear(const row& r, const base_cost& c, double undone) {
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

bool mends_the_same(const mend& m, const befallen& b) {
  return b.told.from == origin::own_rule && b.told.outcome >= incident_outcome::degrades &&
         std::ranges::all_of(m.set, [&](const scenario::override_value& o) {
           return std::ranges::any_of(b.how.cure, [&](const scenario::override_value& c) {
             return o.path.starts_with(c.path) || c.path.starts_with(o.path);
           });
         });
}

/// Whether the scenario as it stands lacks what the mend gives, and nothing is lost by it.
bool is_gain(const row& lacks, const row& loses) {
  if (lacks.worse.empty() || loses.outcome == incident_outcome::breaks) {
    return false;
  }
  const paired_change& most = lacks.worse.front();
  const double of = std::max(std::fabs(most.with_cause), std::fabs(most.without));
  const bool is_large =
      points(most) >= gain_points && std::fabs(most.with_cause - most.without) >= gain_share * of;
  // Longer leases hide more: as long as that is a small part of what they gain, it is the price.
  constexpr double small_part = 0.25;
  const bool is_cheap = std::ranges::all_of(loses.worse, [&](const paired_change& c) {
    return c.metric == "supply.hidden_share" && points(c) < small_part * points(most);
  });
  return (is_of_safety(most.metric) || is_large) && is_cheap;
}

/// Whether it says more of what is wrong than the best so far: another TTL may help against much
/// that is not its fault.
bool is_better_known(const row& r, const mend& m, const row& best) {
  constexpr double much_more = 1.25;
  const bool is_of_other_kind = m.is_of_ttl && best.name == as_it_stands;
  return is_of_other_kind ? points(r.worse.front()) > much_more * points(best.worse.front())
                          : is_worse(r, best);
}

void name_flaw(row& r, const study& of, const mend& m) {
  r.name = as_it_stands;
  r.sentence = "nothing is added: this is the scenario as it is";
  if (m.is_of_ttl) {
    const auto mended = changed(of.mine, m.set);
    const bool is_longer = mended && mended->lease.ttl > of.mine.lease.ttl;
    r.name = is_longer ? "ttl-too-short-churn" : "ttl-too-long-supply-hiding";
    r.sentence = is_longer ? "the TTL of the scenario is too short for its drivers"
                           : "the TTL of the scenario hides drivers who will not answer";
  }
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

result<std::vector<row>> flaws_as_it_stands(const study& of, std::span<const befallen> known) {
  std::optional<row> safety;
  std::optional<row> service;
  const auto base = of.runs.of(of.mine, "as it stands");
  if (!base) {
    return tl::unexpected<error>(base.error());
  }
  for (const mend& m : of.mends) {
    if (std::ranges::any_of(known, [&](const befallen& b) { return mends_the_same(m, b); })) {
      continue;
    }
    auto cost = cost_of(of, m);
    const auto mended = cost ? of.runs.of(cost->mended, m.feature) : tl::unexpected(cost.error());
    if (!mended) {
      return tl::unexpected<error>(mended.error());
    }
    row lacks;
    row loses;
    weigh(lacks, **base, **mended, with_missed_accepts());
    weigh(loses, **mended, **base, with_missed_accepts());
    if (!is_gain(lacks, loses)) {
      continue;
    }
    lacks.from = origin::own_rule;
    name_flaw(lacks, of, m);
    lacks.tried = static_cast<std::uint32_t>(of.mends.size());
    lacks.seed = worst_seed(lacks, **base);
    cost->told.undone = 1;
    lacks.mended = std::move(cost->told);
    std::optional<row>& best = is_of_safety(lacks.worse.front().metric) ? safety : service;
    if (!best || is_better_known(lacks, m, *best)) {
      best = std::move(lacks);
    }
  }
  std::vector<row> all;
  for (std::optional<row>* each : {&safety, &service}) {
    if (*each) {
      all.push_back(std::move(**each));
    }
  }
  return all;
}

}  // namespace dibs::check
