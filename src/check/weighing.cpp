#include "check/weighing.hpp"

#include "metrics/catalogue.hpp"
#include "results/assessment.hpp"
#include "results/paired_difference.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>
#include <map>
#include <string>
#include <tuple>
#include <utility>

namespace dibs::check {
namespace {

using incidents::incident_outcome;
using incidents::paired_change;

constexpr std::array<std::string_view, 4> safety{
    "double.commits", "double.rides", "promises.broken", "confirms.stale_accepted"};
/// Less is no harm that anybody would see.
constexpr double points_min = 0.2;
constexpr double margin = 0.1;
/// In units: what a rule makes so much worse counts, whatever it is known for.
constexpr double much_worse = 5;
constexpr double points_of_second = 1.0 / 6;

bool is_more_better(std::string_view metric) {
  const metrics::entry* e = metrics::find(metric);
  return e != nullptr && e->meaning.direction == metrics::direction::more_is_better;
}

bool has_points(std::string_view metric) {
  const text::unit u = metrics::unit_of(metric);
  return u == text::unit::share || u == text::unit::seconds;
}

bool is_seen(const paired_change& c) {
  // Of a share near 1 a tenth is never lost, though those who go without may be thrice as many: of
  // figures that are measured in points `lacking` decides.
  const bool is_worse =
      has_points(c.metric) ? points(c) > 0 : c.status == incidents::change_status::worse;
  if (!is_worse) {
    return false;
  }
  // A busy second hurts nobody who has room for it: it counts from twice as many requests on.
  if (c.metric == "leases.peak_requests" && c.with_cause < 2 * c.without) {
    return false;
  }
  const bool is_clear = c.change.low() > 0 || c.change.high() < 0;
  return (is_of_safety(c.metric) && c.status == incidents::change_status::worse) ||
         (!is_of_safety(c.metric) && is_clear &&
          std::fabs(c.with_cause - c.without) > margin * lacking(c) &&
          (!has_points(c.metric) || points(c) >= points_min));
}

std::size_t rank(std::string_view metric) {
  return static_cast<std::size_t>(std::ranges::find(safety, metric) - safety.begin());
}

bool is_before(const paired_change& a, const paired_change& b) {
  // That leases expire is felt by others only through what stands behind it.
  const auto key = [](const paired_change& c) {
    return std::tuple(
        rank(c.metric), c.metric.starts_with("leases."), !has_points(c.metric), -points(c));
  };
  return key(a) < key(b);
}

}  // namespace

double lacking(const paired_change& c) {
  const bool is_part_of_all =
      metrics::unit_of(c.metric) == text::unit::share && is_more_better(c.metric);
  return is_part_of_all ? std::max(1 - c.with_cause, 1 - c.without)
                        : std::max(std::fabs(c.with_cause), std::fabs(c.without));
}

bool is_of_safety(std::string_view metric) { return rank(metric) < safety.size(); }

double points(const paired_change& c) {
  const double by = (c.with_cause - c.without) * (is_more_better(c.metric) ? -1 : 1);
  const text::unit u = metrics::unit_of(c.metric);
  return u == text::unit::share ? 100 * by : u == text::unit::seconds ? points_of_second * by : 0;
}

bool is_large_loss(const paired_change& c) {
  constexpr double large = 5;
  return !is_of_safety(c.metric) && points(c) >= large;
}

double in_units(const paired_change& c) {
  static const std::map<std::string, double, std::less<>> points_each{{"accepts.missed_rate", 4},
                                                                      {"supply.hidden_share", 0.15},
                                                                      {"ttm.p90", 0.5},
                                                                      {"pickup.mean", 10.0 / 3}};
  const auto one = points_each.find(c.metric);
  return points(c) / (one == points_each.end() ? 1 : one->second);
}

bool is_of_matched(std::string_view metric) {
  return metric.starts_with("ttm.") || metric == "pickup.mean";
}

bool may_break(const incidents::replicated& with) {
  return with.broken() > 0 || std::ranges::any_of(with.figures(), [](const auto& of_run) {
           return std::ranges::any_of(
               safety, [&](std::string_view m) { return of_run(m).value_or(0) > 0; });
         });
}

void weigh(row& r,
           const incidents::replicated& with,
           const incidents::replicated& without,
           const std::vector<std::string>& harms,
           bool harms_alone) {
  const incidents::assessment found = incidents::judge(with, without, harms);
  r.worse.clear();
  const auto is_named = [&](const paired_change& c) {
    return is_of_safety(c.metric) || std::ranges::find(harms, c.metric) != harms.end();
  };
  std::ranges::copy_if(found.all, std::back_inserter(r.worse), [&](const paired_change& c) {
    // Of a rule only the harm counts that it is known for, unless something else is much worse: any
    // change moves service a little.
    return is_seen(c) && (r.from == origin::environment || is_named(c) ||
                          (!harms_alone && in_units(c) >= much_worse));
  });
  std::ranges::stable_sort(r.worse, is_before);
  r.broken = with.broken();
  const auto breaks = [](const paired_change& c) { return is_of_safety(c.metric); };
  // A sum of time hurts nobody by itself, as that leases are kept a second past their end; nor does
  // it that requests come at once.
  const auto hurts = [](const paired_change& c) {
    return !c.metric.ends_with("_s") && c.metric != "leases.peak_requests";
  };
  if (std::ranges::none_of(r.worse, hurts)) {
    r.worse.clear();
  }
  r.outcome = with.is_same_as(without) ? incident_outcome::untouched
              : std::ranges::any_of(r.worse, breaks) || r.broken > without.broken()
                  ? incident_outcome::breaks
              : !r.worse.empty() ? incident_outcome::degrades
                                 : incident_outcome::survives;
}

bool is_worse(const row& a, const row& b) {
  const auto key = [](const row& r) {
    const double most = r.worse.empty() ? 0 : points(r.worse.front());
    return std::tuple(!r.counts(),
                      !(r.is_own() && r.is_harmed()),
                      -static_cast<int>(r.outcome),
                      r.from != origin::own_rule,
                      r.worse.empty() ? safety.size() : rank(r.worse.front().metric),
                      r.worse.empty() ? 0 : -std::fabs(r.worse.front().with_cause) * (most == 0),
                      -most,
                      !r.mended.has_value());
  };
  return key(a) < key(b);
}

std::vector<std::string> missed_by(const incidents::replicated& runs, const scenario::scenario& s) {
  std::vector<std::string> all;
  for (const scenario::bound& b : s.thresholds) {
    const auto found = results::estimate_of(b.metric, runs.runs);
    if (!found || !results::meets(found->value, b)) {
      all.push_back(b.metric + " " + b.text);
    }
  }
  return all;
}

}  // namespace dibs::check
