#include "check/check.hpp"

#include "check/joint_mend.hpp"
#include "check/mending.hpp"
#include "check/own_flaws.hpp"
#include "check/own_rules.hpp"
#include "check/own_settings.hpp"
#include "check/runs_of_variants.hpp"
#include "check/scale.hpp"
#include "check/ttl_range.hpp"
#include "check/weighing.hpp"
#include "scenario/field_paths.hpp"
#include "text/escape.hpp"
#include "text/number.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace dibs::check {
namespace {

using incidents::incident_outcome;
using incidents::replicated;

/// Of the two sides, those of the pair that a threshold tells apart.
std::vector<std::string> missed_more(const replicated& with,
                                     const replicated& without,
                                     const scenario::scenario& s) {
  const auto before = missed_by(without, s);
  std::vector<std::string> all;
  for (std::string& each : missed_by(with, s)) {
    if (std::ranges::find(before, each) == before.end()) {
      all.push_back(std::move(each));
    }
  }
  return all;
}

/// The sentence tells the incident as it ships; its times are counted in the TTL.
std::string times_told(double times) {
  return std::fabs(times - 1) < 0.01
             ? ""
             : fmt::format(" (times here are {} times as long)", text::significant(times, 2));
}

/// The rule as the scenario has it, which need not be as the incident tells it.
std::string own_told(const scenario::scenario& mine,
                     const std::vector<scenario::override_value>& cure) {
  const scenario::field_values fields(mine);
  std::string told;
  for (const scenario::override_value& each : cure) {
    told += fmt::format("{}{}={}",
                        told.empty() ? " (here " : " ",
                        each.path,
                        fields.find(each.path).value_or("none"));
  }
  return told.empty() ? told : text::display_text(told, 200) + ")";
}

/// Whether the scenario itself sets one of these fields.
bool says_of(const study& of, const std::vector<scenario::override_value>& fields) {
  const auto is_part = [](const std::string& a, const std::string& b) {
    return scenario::is_within(a, b) || scenario::is_within(b, a);
  };
  return std::ranges::any_of(of.settings, [&](const mend& m) {
    return std::ranges::any_of(m.set, [&](const scenario::override_value& own) {
      return std::ranges::any_of(fields,
                                 [&](const auto& each) { return is_part(own.path, each.path); });
    });
  });
}

/// Puts one cause into the scenario, and runs it with and without.
result<befallen> befall(const study& of, const cause& c) {
  const double times = scale_of(c, of.mine);
  befallen b{.by = &c, .how = transplanted(c, of.mine, times), .told = {}};
  row& r = b.told;
  r.name = c.name;
  r.from = b.how.from;
  r.sentence =
      c.sentence + (r.from == origin::own_rule ? own_told(of.mine, b.how.cure) : times_told(times));
  r.why_not = b.how.why_not;
  if (!r.why_not.empty()) {
    return b;
  }
  const auto with = of.runs.of(b.how.with.value, c.name);
  const auto without = with ? of.runs.of(b.how.without.value, c.name) : with;
  if (!without) {
    return tl::unexpected<error>(without.error());
  }
  b.is_unsaid = r.from != origin::environment && !says_of(of, b.how.cure);
  weigh(r, **with, **without, c.harms, b.is_unsaid);
  r.set = b.how.with.set;
  r.without = b.how.without.set;
  r.seed = worst_seed(r, **with);
  r.missed = missed_more(**with, **without, of.mine);
  if (r.outcome == incident_outcome::untouched) {
    r.why_not = "every run is the same with it as without";
  }
  return b;
}

/// The scenario with the TTL that mends it, where its own is a flaw: the range of TTLs is held
/// against a service that is as it should be.
scenario::scenario with_right_ttl(const scenario::scenario& mine, const std::vector<row>& own) {
  const auto flaw =
      std::ranges::find_if(own, [](const row& r) { return r.mended && r.mended->what.is_of_ttl; });
  const auto right = flaw == own.end() ? mine : changed(mine, flaw->mended->what.set);
  return right.value_or(mine);
}

}  // namespace

exit_code checked::code() const {
  const auto any = [this](auto has) {
    return std::ranges::any_of(rows, [&](const row& r) { return r.counts() && has(r); });
  };
  return broken > 0 || any([](const row& r) { return r.broken > 0; }) ? exit_code::invariant_broke
         : !missed.empty() || any([](const row& r) { return !r.missed.empty(); })
             ? exit_code::threshold_missed
             : exit_code::done;
}

result<checked> check_scenario(const scenario::scenario& mine,
                               const std::vector<cause>& causes,
                               const options& how) {
  variant_runs runs(how);
  const study of{mine, runs, mends_of(mine), own_settings(mine)};
  const auto base = runs.of(mine, "as it stands");
  if (!base) {
    return tl::unexpected<error>(base.error());
  }
  checked all;
  all.runs = how.runs;
  all.missed = missed_by(**base, mine);
  all.broken = (*base)->broken();
  all.promises_of = mine.lease.rules().name;
  for (const auto& of_run : (*base)->figures()) {
    const double rides = of_run("rides.requested").value_or(0);
    all.rides += rides;
    all.matched += rides * of_run("rides.match_rate").value_or(0);
  }
  all.matched /= std::max(all.rides, 1.0);
  std::vector<befallen> befell;
  for (const cause& each : causes) {
    auto b = befall(of, each);
    if (!b) {
      return tl::unexpected<error>(b.error());
    }
    befell.push_back(std::move(*b));
  }
  std::ranges::stable_sort(befell, is_worse, &befallen::told);
  if (auto done = tell_rules_apart(of, befell); !done) {
    return tl::unexpected<error>(done.error());
  }
  if (auto done = mend_all(of, befell); !done) {
    return tl::unexpected<error>(done.error());
  }
  auto own = flaws_as_it_stands(of, befell);
  auto together = own ? mends_together(of, befell) : tl::unexpected<error>(own.error());
  if (!together) {
    return tl::unexpected<error>(together.error());
  }
  all.together = std::move(*together);
  const bool breaks =
      std::ranges::any_of(*own, [](const row& r) { return r.outcome == incident_outcome::breaks; });
  const scenario::scenario right = with_right_ttl(mine, *own);
  auto ttls = breaks ? result<std::vector<ttl_trial>>() : ttl_range({right, runs, {}, {}}, befell);
  if (!ttls) {
    return tl::unexpected<error>(ttls.error());
  }
  all.has_ttl = has_ttl(mine);
  all.ttls = std::move(*ttls);
  all.rows = std::move(*own);
  for (befallen& b : befell) {
    (b.told.why_not.empty() ? all.rows : all.idle).push_back(std::move(b.told));
  }
  std::ranges::stable_sort(all.rows, is_worse);
  all.replications = runs.replications();
  return all;
}

}  // namespace dibs::check
