#include "survive/judge.hpp"

#include "base/ensure.hpp"
#include "metrics/catalogue.hpp"
#include "report/interval.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace dibs::survive {
namespace {

constexpr std::array<std::string_view, 4> always_harms{
    "double.commits", "double.rides", "promises.broken", "confirms.stale_accepted"};
constexpr std::array<std::string_view, 4> service{
    "rides.match_rate", "ttm.p90", "accepts.lost_rate", "supply.hidden_share"};
constexpr double service_margin = 0.1;

double mean_of(const std::vector<double>& samples) {
  double sum = 0;
  for (const double s : samples) {
    sum += s;
  }
  return sum / static_cast<double>(samples.size());
}

bool is_more_better(std::string_view metric) {
  const metrics::entry* entry = metrics::find(metric);
  return entry != nullptr && entry->direction == metrics::direction::more_is_better;
}

/// The metric in each run; one that has no value (a ratio over nothing) counts as 0.
std::vector<double> values_of(std::span<const metrics::report> runs, std::string_view metric) {
  std::vector<double> values;
  values.reserve(runs.size());
  for (const metrics::report& r : runs) {
    values.push_back(r.value(metric).value_or(0));
  }
  return values;
}

/// Whether the paired differences are above 0, as far as they can tell.
bool is_above_zero(const std::vector<double>& differences) {
  const double mean = mean_of(differences);
  if (mean <= 0 || differences.size() < 2) {
    return mean > 0;
  }
  return mean > report::mean_interval(differences).half_width;
}

std::optional<difference> worse(std::string_view metric,
                                std::span<const metrics::report> with_cause,
                                std::span<const metrics::report> without,
                                double margin) {
  const auto with = values_of(with_cause, metric);
  const auto base = values_of(without, metric);
  const double sign = is_more_better(metric) ? -1 : 1;
  std::vector<double> differences;
  for (std::size_t i = 0; i < with.size(); ++i) {
    differences.push_back(sign * (with[i] - base[i]));
  }
  const difference found{std::string(metric), mean_of(with), mean_of(base)};
  const bool is_new = std::all_of(base.begin(), base.end(), [](double v) { return v == 0; }) &&
                      found.with_cause > 0 && sign > 0;
  const bool is_large =
      std::fabs(found.with_cause - found.without) > margin * std::fabs(found.without);
  const bool is_worse =
      margin > 0 ? is_above_zero(differences) && is_large : is_new || is_above_zero(differences);
  return is_worse ? std::optional(found) : std::nullopt;
}

}  // namespace

std::string_view name_of(verdict v) {
  constexpr std::array<std::string_view, 3> names{"survives", "degrades", "breaks"};
  return names[static_cast<std::size_t>(v)];
}

finding judge(std::span<const metrics::report> with_cause,
              std::span<const metrics::report> without,
              std::span<const std::string> harms) {
  ensure(with_cause.size() == without.size() && !without.empty(), "runs come in pairs");
  std::vector<std::string_view> all(always_harms.begin(), always_harms.end());
  all.insert(all.end(), harms.begin(), harms.end());
  finding result;
  for (const std::string_view metric : all) {
    if (auto found = worse(metric, with_cause, without, 0)) {
      result.worse.push_back(std::move(*found));
      result.verdict = verdict::breaks;
    }
  }
  if (result.verdict == verdict::breaks) {
    return result;
  }
  for (const std::string_view metric : service) {
    if (auto found = worse(metric, with_cause, without, service_margin)) {
      result.worse.push_back(std::move(*found));
      result.verdict = verdict::degrades;
    }
  }
  return result;
}

}  // namespace dibs::survive
