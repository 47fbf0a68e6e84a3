#include "incidents/assessment.hpp"

#include "base/ensure.hpp"
#include "metrics/catalogue.hpp"
#include "stats/confidence_interval.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

namespace dibs::incidents {
namespace {

constexpr std::array<std::string_view, 4> always_harms{
    "double.commits", "double.rides", "promises.broken", "confirms.stale_accepted"};
constexpr std::array<std::string_view, 4> service_figures{
    "rides.match_rate", "ttm.p90", "accepts.lost_rate", "supply.hidden_share"};
constexpr double margin = 0.1;

double mean_of(const std::vector<double>& samples) {
  double sum = 0;
  for (const double s : samples) {
    sum += s;
  }
  return sum / static_cast<double>(samples.size());
}

bool is_more_better(std::string_view metric) {
  const metrics::entry* entry = metrics::find(metric);
  return entry != nullptr && entry->meaning.direction == metrics::direction::more_is_better;
}

/// The metric in each run; one that has no value (a ratio over nothing) counts as 0.
std::vector<double> values_of(std::span<const run_figures> runs, std::string_view metric) {
  std::vector<double> values;
  values.reserve(runs.size());
  for (const run_figures& r : runs) {
    values.push_back(r(metric).value_or(0));
  }
  return values;
}

bool is_zero_in_all(const std::vector<double>& values) {
  return std::ranges::all_of(values, [](double v) { return v == 0; });
}

enum class weight : std::uint8_t { harm, service };

paired_change compared(std::string_view metric,
                       weight counts,
                       std::span<const run_figures> with_cause,
                       std::span<const run_figures> without) {
  const auto with = values_of(with_cause, metric);
  const auto base = values_of(without, metric);
  std::vector<double> differences;
  for (std::size_t i = 0; i < with.size(); ++i) {
    differences.push_back(with[i] - base[i]);
  }
  paired_change found{std::string(metric), mean_of(with), mean_of(base)};
  found.change = differences.size() < 2 ? stats::estimate{mean_of(differences)}
                                        : stats::t_interval(differences);
  const bool is_more = is_more_better(metric);
  const double by = (found.with_cause - found.without) * (is_more ? -1 : 1);
  const bool is_clear = by > 0 && (is_more ? found.change.high() < 0 : found.change.low() > 0);
  const bool is_large = by > margin * std::fabs(found.without);
  const bool is_new = counts == weight::harm && !is_more && by > 0 && is_zero_in_all(base);
  const bool is_worse = is_new || (is_clear && (is_large || counts == weight::harm));
  found.status = is_worse   ? change_status::worse
                 : is_large ? change_status::unclear
                            : change_status::no_worse;
  return found;
}

std::vector<paired_change> of_standing(const std::vector<paired_change>& all, change_status s) {
  std::vector<paired_change> some;
  std::copy_if(all.begin(), all.end(), std::back_inserter(some), [s](const paired_change& d) {
    return d.status == s;
  });
  return some;
}

bool is_among(const std::vector<std::string_view>& metrics, std::string_view metric) {
  return std::ranges::find(metrics, metric) != metrics.end();
}

}  // namespace

std::string_view name_of(incident_outcome v) {
  constexpr std::array<std::string_view, 5> names{
      "untouched", "survives", "undecided", "degrades", "breaks"};
  return names[static_cast<std::size_t>(v)];
}

std::string_view name_of(change_status s) {
  constexpr std::array<std::string_view, 3> names{"no worse", "unclear", "worse"};
  return names[static_cast<std::size_t>(s)];
}

std::vector<std::string> metrics_looked_at(std::span<const std::string> harms) {
  std::vector<std::string> all(always_harms.begin(), always_harms.end());
  all.insert(all.end(), service_figures.begin(), service_figures.end());
  all.insert(all.end(), harms.begin(), harms.end());
  return all;
}

assessment judge(std::span<const metrics::report> with_cause,
                 std::span<const metrics::report> without,
                 std::span<const std::string> harms) {
  const auto figures_of = [](std::span<const metrics::report> runs) {
    std::vector<run_figures> all;
    for (const metrics::report& r : runs) {
      all.emplace_back([&r](std::string_view metric) { return r.value(metric); });
    }
    return all;
  };
  return judge(figures_of(with_cause), figures_of(without), harms);
}

assessment judge(std::span<const run_figures> with_cause,
                 std::span<const run_figures> without,
                 std::span<const std::string> harms) {
  ensure(with_cause.size() == without.size() && !without.empty(), "runs come in pairs");
  std::vector<std::string_view> named(always_harms.begin(), always_harms.end());
  for (const std::string& h : harms) {
    if (!is_among(named, h)) {
      named.push_back(h);
    }
  }
  std::vector<paired_change> harm;
  for (const std::string_view metric : named) {
    harm.push_back(compared(metric, weight::harm, with_cause, without));
  }
  std::vector<paired_change> suffering;
  for (const std::string_view metric : service_figures) {
    if (!is_among(named, metric)) {
      suffering.push_back(compared(metric, weight::service, with_cause, without));
    }
  }
  assessment result;
  result.all = harm;
  result.all.insert(result.all.end(), suffering.begin(), suffering.end());
  if (result.worse = of_standing(harm, change_status::worse); !result.worse.empty()) {
    result.outcome = incident_outcome::breaks;
  } else if (result.worse = of_standing(suffering, change_status::worse); !result.worse.empty()) {
    result.outcome = incident_outcome::degrades;
  } else if (result.worse = of_standing(result.all, change_status::unclear);
             !result.worse.empty()) {
    result.outcome = incident_outcome::undecided;
  }
  return result;
}

}  // namespace dibs::incidents
