#include "check/own_flaws.hpp"

#include "check/mend_cost.hpp"
#include "check/own_settings.hpp"
#include "check/weighing.hpp"
#include "scenario/field_paths.hpp"
#include "text/escape.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

namespace dibs::check {
namespace {

using incidents::incident_outcome;
using incidents::paired_change;

/// A change that gains something as the scenario stands is told from so many units on (`in_units`):
/// putting back a setting, something new, another TTL, which moves much anyway.
constexpr double gain_of_setting = 1;
constexpr double gain_of_feature = 2;
constexpr double gain_of_ttl = 3;
/// And so large a part of what is lacking.
constexpr double share_of_setting = 0.25;
constexpr double share_of_others = 0.4;
/// What it makes worse counts as the price, up to so much of the gain.
constexpr double price_share = 0.5;
/// What takes away trips too many may cost so many units.
constexpr double price_of_safety = 10;
/// Of riders matched: a design that serves no more is none.
constexpr double hardly_any = 0.05;
/// Another change is preferred to an earlier one if it gains so many times as much.
constexpr double much_more = 1.25;
constexpr double a_little_more = 1.05;

double most_units(const row& r) {
  double most = 0;
  for (const paired_change& each : r.worse) {
    most = std::max(most, in_units(each));
  }
  return most;
}

/// Of the scenario as it stands.
struct flaw {
  row told;
  double gain = 0;     ///< by the mend, in units
  double matched = 0;  ///< how many more riders, in units

  /// Of two changes the one that serves more riders is preferred, whatever else they gain.
  [[nodiscard]] double worth() const {
    constexpr double of_riders = 5;
    return std::max(gain, of_riders * matched);
  }
};

/// What sets right the rules of its own that do harm under a cause.
std::vector<scenario::override_value> cure_of(std::span<const befallen> known) {
  std::vector<scenario::override_value> all;
  for (const befallen& b : known) {
    if (!b.told.is_own() || !b.told.is_harmed()) {
      continue;
    }
    for (const scenario::override_value& each : b.how.cure) {
      if (std::ranges::find(all, each.path, &scenario::override_value::path) == all.end()) {
        all.push_back(each);
      }
    }
  }
  return all;
}

/// What a change has to gain, in units.
double least_gain(const mend& m) {
  return m.is_of_ttl ? gain_of_ttl : m.flaw.empty() ? gain_of_feature : gain_of_setting;
}

/// Of trips too many, in units; 0 of another figure.
double gain_of_safety(const paired_change& c) {
  return is_of_safety(c.metric) ? 1 + std::fabs(c.with_cause - c.without) : 0;
}

/// What the scenario as it stands lacks of what the mend gives, in units. 0 where it is too little,
/// or costs too much.
double gain_of(const row& lacks, const row& loses, const mend& m) {
  if (lacks.worse.empty() || loses.outcome == incident_outcome::breaks) {
    return 0;
  }
  const double least = least_gain(m);
  const paired_change& first = lacks.worse.front();
  if (is_of_safety(first.metric)) {
    // One trip too many in four runs is enough to ask for another design; that some setting had
    // none of it may be chance.
    const bool is_clear = first.change.low() > 0 || first.change.high() < 0;
    const bool is_of_design = m.flaw.empty() && !m.is_of_ttl;
    // No trip is worth that service ends.
    const bool is_dear = most_units(loses) > price_of_safety;
    return (is_clear || is_of_design) && !is_dear ? gain_of_safety(first) : 0;
  }
  const double share = m.flaw.empty() ? share_of_others : share_of_setting;
  double most = 0;
  for (const paired_change& each : lacks.worse) {
    const bool is_large = in_units(each) >= least &&
                          std::fabs(each.with_cause - each.without) >= share * lacking(each);
    most = is_large ? std::max(most, in_units(each)) : most;
  }
  return most_units(loses) <= price_share * most ? most : 0;
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

/// How a change leaves riders out who would be matched late, or whose drivers come from afar.
struct matches_less {
  bool gives_up = false;      ///< sooner
  bool looks_nearer = false;  ///< within a smaller radius: the way is shorter, a wait is no gain
};

/// What the scenario lacks of what the mend gives, by runs of both.
flaw weighed(const incidents::replicated& base,
             const incidents::replicated& mended,
             const mend& m,
             const matches_less& by) {
  flaw f;
  row loses;
  weigh(f.told, base, mended, figures_of_changes());
  weigh(loses, mended, base, figures_of_changes());
  const auto all = incidents::judge(mended, base, {}).all;
  const auto matched = std::ranges::find(all, "rides.match_rate", &paired_change::metric);
  const auto is_of_late_ones = [](const paired_change& c) { return is_of_matched(c.metric); };
  if (by.looks_nearer) {
    std::erase_if(f.told.worse,
                  [](const paired_change& c) { return c.metric.starts_with("ttm."); });
  }
  if (by.gives_up || (matched != all.end() &&
                      (matched->change.high() < 0 || in_units(*matched) >= gain_of_setting))) {
    // Without the late ones the rest waits less, which is no gain.
    std::erase_if(f.told.worse, is_of_late_ones);
  } else if (matched != all.end() && matched->change.low() > 0) {
    // Nor is it a loss that those wait who were not matched before.
    std::erase_if(loses.worse, is_of_late_ones);
  }
  f.gain = gain_of(f.told, loses, m);
  f.matched = matched != all.end() && matched->change.low() > 0 ? -in_units(*matched) : 0;
  if (matched != all.end() && matched->with_cause < hardly_any) {
    f.gain = 0;  // whatever else is better, nobody is served
  }
  return f;
}

/// Whether the first runs tell that something new, or another TTL, gains far too little. A trip too
/// many is rare, so where there is one, all runs are asked.
result<bool> gains_too_little(const study& of, const incidents::replicated& base, const mend& m) {
  if (!m.flaw.empty() || may_break(base)) {
    return false;
  }
  const auto mended = changed(of.mine, m.set);
  const auto few = of.runs.of_few(of.mine, "as it stands");
  const auto now = mended && few ? of.runs.of_few(*mended, m.feature) : few;
  if (!mended || !now) {
    return tl::unexpected<error>(mended ? now.error() : mended.error());
  }
  const auto all = incidents::judge(**few, **now, figures_of_changes()).all;
  return std::ranges::none_of(
      all, [&](const paired_change& c) { return in_units(c) >= least_gain(m) / 2; });
}

/// Whether something looks much better with the mend, though a few runs do not show it.
bool is_unclear(const incidents::replicated& base, const incidents::replicated& mended) {
  constexpr double units_that_matter = 2;
  const auto all = incidents::judge(base, mended, figures_of_changes()).all;
  return std::ranges::any_of(all, [](const paired_change& c) {
    return c.status == incidents::change_status::unclear && in_units(c) >= units_that_matter;
  });
}

/// What of the scenario as it stands one change would mend; nothing where it gains too little.
result<std::optional<flaw>> flaw_mended_by(const study& of, const mend& m) {
  auto base = of.runs.of(of.mine, "as it stands");
  const auto hopeless = base ? gains_too_little(of, **base, m) : tl::unexpected(base.error());
  if (!hopeless || *hopeless) {
    return hopeless ? result<std::optional<flaw>>() : tl::unexpected<error>(hopeless.error());
  }
  auto cost = base ? cost_of(of, m) : tl::unexpected(base.error());
  auto mended = cost ? of.runs.of(cost->mended, m.feature) : tl::unexpected(cost.error());
  if (!mended) {
    return tl::unexpected<error>(mended.error());
  }
  const matches_less by{
      .gives_up = gives_up_sooner(of.mine, cost->mended),
      .looks_nearer = cost->mended.matchers.policy.radius_m < of.mine.matchers.policy.radius_m};
  flaw f = weighed(**base, **mended, m, by);
  const bool may_be_safer = !m.flaw.empty() && may_break(**base) && !may_break(**mended);
  if (f.gain <= 0 && (may_be_safer || is_unclear(**base, **mended))) {
    base = of.runs.of_more(of.mine, "as it stands");
    mended = base ? of.runs.of_more(cost->mended, m.feature) : tl::unexpected(base.error());
    if (!mended) {
      return tl::unexpected<error>(mended.error());
    }
    // Others are weighed on the first runs, so what shows on all counts as on these.
    const double at_first = f.told.worse.empty() ? 0 : gain_of_safety(f.told.worse.front());
    f = weighed(**base, **mended, m, by);
    f.gain = f.gain > 0 ? std::max(f.gain, at_first) : f.gain;
  }
  if (f.gain <= 0) {
    return std::optional<flaw>();
  }
  std::ranges::stable_sort(f.told.worse, [](const paired_change& a, const paired_change& b) {
    return std::pair(!is_of_safety(a.metric), -in_units(a)) <
           std::pair(!is_of_safety(b.metric), -in_units(b));
  });
  f.told.from = origin::own_rule;
  f.told.without = m.set;
  name_flaw(f.told, of, m);
  f.told.seed = worst_seed(f.told, **base);
  cost->told.undone = 1;
  f.told.mended = std::move(cost->told);
  return std::optional(std::move(f));
}

/// Whether one amount is put back: of several settings that do as much, an odd number is rather a
/// mistake than a rule that has a name.
bool is_amount(const mend& m) {
  return m.set.size() == 1 && !m.flaw.empty() &&
         m.set.front().value.find_first_of("0123456789") == 0;
}

/// The first, unless a later one gains much more; with other settings that gain as much.
row best_of(const std::vector<flaw>& all) {
  auto best = all.begin();
  for (auto each = best; each != all.end(); ++each) {
    // The steps of the TTL are coarse, so the best of them is told.
    const bool are_ttls = each->told.mended->what.is_of_ttl && best->told.mended->what.is_of_ttl;
    const double more = are_ttls ? a_little_more : much_more;
    best = each->worth() > more * best->worth() ? each : best;
  }
  const double least = best->worth() / much_more;
  const auto amount = std::ranges::find_if(
      all, [&](const flaw& f) { return f.worth() >= least && is_amount(f.told.mended->what); });
  if (amount != all.end() && !best->told.mended->what.flaw.empty()) {
    best = amount;
  }
  row r = best->told;
  const auto touches = [](const mend& m, const mend& other) {
    return std::ranges::any_of(m.set, [&](const scenario::override_value& o) {
      return std::ranges::find(other.set, o.path, &scenario::override_value::path) !=
             other.set.end();
    });
  };
  for (const flaw& each : all) {
    mend m = each.told.mended->what;
    m.flaw = m.is_of_ttl ? each.told.name : m.flaw;
    const bool is_new = !touches(m, r.mended->what) &&
                        std::ranges::none_of(r.also, [&](const mend& k) { return touches(m, k); });
    if (!m.flaw.empty() && is_new && much_more * each.worth() >= best->worth()) {
      r.also.push_back(m);
    }
  }
  return r;
}

}  // namespace

result<std::vector<row>> flaws_as_it_stands(const study& whole, std::span<const befallen> known) {
  // Of what a rule of its own does, another change may take away a part: that is no second flaw. So
  // the rest is looked for where the rules are right.
  std::vector<scenario::override_value> cure = effective(whole.mine, cure_of(known));
  auto cured = changed(whole.mine, cure);
  if (!cured) {
    cure.clear();
    cured = whole.mine;
  }
  const study of{*cured, whole.runs, mends_of(*cured), own_settings(*cured)};
  std::vector<flaw> safety;
  std::vector<flaw> service;
  std::vector<mend> all = of.settings;
  all.insert(all.end(), of.mends.begin(), of.mends.end());
  for (const mend& m : all) {
    auto found = flaw_mended_by(of, m);
    if (!found) {
      return tl::unexpected<error>(found.error());
    }
    if (!*found) {
      continue;
    }
    (is_of_safety((*found)->told.worse.front().metric) ? safety : service)
        .push_back(std::move(**found));
  }
  std::vector<row> rows;
  for (std::vector<flaw>* each : {&safety, &service}) {
    if (!each->empty()) {
      row& r = rows.emplace_back(best_of(*each));
      r.tried = static_cast<std::uint32_t>(all.size());
      r.set = cure;
      r.without.insert(r.without.begin(), cure.begin(), cure.end());
      if (!cure.empty()) {
        r.sentence += ", with its rules above set right";
      }
    }
  }
  return rows;
}

}  // namespace dibs::check
