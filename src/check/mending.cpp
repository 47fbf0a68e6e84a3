#include "check/mending.hpp"

#include "check/own_settings.hpp"
#include "check/scale.hpp"
#include "check/weighing.hpp"
#include "scenario/field_paths.hpp"
#include "text/escape.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <map>
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
/// A change that gains something as the scenario stands is told if it gains so many times what is
/// worth telling: putting back a setting, something new, another TTL, which moves much anyway.
constexpr double gain_of_setting = 1;
constexpr double gain_of_feature = 2;
constexpr double gain_of_ttl = 3;
/// And so large a part of what is lacking.
constexpr double share_of_setting = 0.25;
constexpr double share_of_others = 0.4;
/// What it makes worse counts as the price, up to so much of the gain.
constexpr double price_share = 0.5;
/// Another change is preferred to an earlier one if it gains so many times as much.
constexpr double much_more = 1.25;

const std::vector<std::string>& with_missed_accepts() {
  static const std::vector<std::string> names{"accepts.missed_rate", "pickup.mean"};
  return names;
}

/// In how many times what is worth telling: of riders matched or accepts lost one point, of accepts
/// missed four, of drivers hidden 0.15, of a wait 3 s, of the way to the pick-up 20 s.
double worth(const paired_change& c) {
  static const std::map<std::string, double, std::less<>> points_each{{"accepts.missed_rate", 4},
                                                                      {"supply.hidden_share", 0.15},
                                                                      {"ttm.p90", 0.5},
                                                                      {"pickup.mean", 10.0 / 3}};
  const auto one = points_each.find(c.metric);
  return points(c) / (one == points_each.end() ? 1 : one->second);
}

double most_worth(const row& r) {
  double most = 0;
  for (const paired_change& each : r.worse) {
    most = std::max(most, worth(each));
  }
  return most;
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

/// Of the scenario as it stands.
struct flaw {
  row told;
  double gain = 0;  ///< by the mend, in times of what is worth telling
};

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

/// What the scenario as it stands lacks of what the mend gives, in times of what is worth telling.
/// 0 where it is too little, or costs too much.
double gain_of(const row& lacks, const row& loses, const mend& m) {
  if (lacks.worse.empty() || loses.outcome == incident_outcome::breaks) {
    return 0;
  }
  const double least = m.is_of_ttl      ? gain_of_ttl
                       : m.flaw.empty() ? gain_of_feature
                                        : gain_of_setting;
  const paired_change& first = lacks.worse.front();
  if (is_of_safety(first.metric)) {
    // One trip too many in four runs is enough to ask for another design; that some setting had
    // none of it may be chance.
    const bool is_clear = first.change.low() > 0 || first.change.high() < 0;
    const bool is_of_design = m.flaw.empty() && !m.is_of_ttl;
    return is_clear || is_of_design ? least + std::fabs(first.with_cause - first.without) : 0;
  }
  const double share = m.flaw.empty() ? share_of_others : share_of_setting;
  double most = 0;
  for (const paired_change& each : lacks.worse) {
    const bool is_large =
        worth(each) >= least && std::fabs(each.with_cause - each.without) >= share * lacking(each);
    most = is_large ? std::max(most, worth(each)) : most;
  }
  return most_worth(loses) <= price_share * most ? most : 0;
}

/// The settings that the mend changes, as they are.
std::string flaw_of(const study& of, const mend& m) {
  if (!m.flaw.empty()) {
    return m.flaw;
  }
  const scenario::field_values now(of.mine);
  const std::string& path = m.set.front().path;
  return path + "=" + text::display_text(now.find(path).value_or("none"), 60);
}

void name_flaw(row& r, const study& of, const mend& m) {
  r.as_it_stands = true;
  r.name = flaw_of(of, m);
  r.sentence = "nothing is added: this is the scenario as it is";
  if (m.is_of_ttl) {
    const auto mended = changed(of.mine, m.set);
    const bool is_longer = mended && mended->lease.ttl > of.mine.lease.ttl;
    r.sentence = !is_longer ? "the TTL of the scenario hides drivers who will not answer"
                 : of.mine.riders.confirm
                     ? "the TTL of the scenario is too short for its drivers and its riders, who "
                       "confirm"
                     : "the TTL of the scenario is too short for its drivers";
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

namespace {

/// What of the scenario as it stands one change would mend; nothing where it gains too little.
result<std::optional<flaw>> flaw_mended_by(const study& of, const mend& m) {
  const auto base = of.runs.of(of.mine, "as it stands");
  auto cost = base ? cost_of(of, m) : tl::unexpected(base.error());
  const auto mended = cost ? of.runs.of(cost->mended, m.feature) : tl::unexpected(cost.error());
  if (!mended) {
    return tl::unexpected<error>(mended.error());
  }
  flaw f;
  row loses;
  weigh(f.told, **base, **mended, with_missed_accepts());
  weigh(loses, **mended, **base, with_missed_accepts());
  f.gain = gain_of(f.told, loses, m);
  if (f.gain <= 0) {
    return std::optional<flaw>();
  }
  std::ranges::stable_sort(f.told.worse, [](const paired_change& a, const paired_change& b) {
    return std::pair(!is_of_safety(a.metric), -worth(a)) <
           std::pair(!is_of_safety(b.metric), -worth(b));
  });
  f.told.from = origin::own_rule;
  name_flaw(f.told, of, m);
  f.told.seed = worst_seed(f.told, **base);
  cost->told.undone = 1;
  f.told.mended = std::move(cost->told);
  return std::optional(std::move(f));
}

}  // namespace

result<std::vector<row>> flaws_as_it_stands(const study& of, std::span<const befallen> known) {
  std::optional<flaw> safety;
  std::optional<flaw> service;
  std::vector<mend> all = own_settings(of.mine);
  const auto tried = static_cast<std::uint32_t>(all.size() + of.mends.size());
  all.insert(all.end(), of.mends.begin(), of.mends.end());
  for (const mend& m : all) {
    if (std::ranges::any_of(known, [&](const befallen& b) { return mends_the_same(m, b); })) {
      continue;
    }
    auto found = flaw_mended_by(of, m);
    if (!found) {
      return tl::unexpected<error>(found.error());
    }
    if (!*found) {
      continue;
    }
    std::optional<flaw>& best =
        is_of_safety((*found)->told.worse.front().metric) ? safety : service;
    if (!best || (*found)->gain > much_more * best->gain) {
      best = std::move(**found);
    }
  }
  std::vector<row> rows;
  for (std::optional<flaw>* each : {&safety, &service}) {
    if (*each) {
      (*each)->told.tried = tried;
      rows.push_back(std::move((*each)->told));
    }
  }
  return rows;
}

}  // namespace dibs::check
