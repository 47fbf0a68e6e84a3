#include "results/metric_estimates.hpp"

#include "metrics/catalogue.hpp"
#include "metrics/possible_range.hpp"
#include "stats/confidence_interval.hpp"
#include "stats/pooled_quantile.hpp"

#include <set>

namespace dibs::results {
namespace {

/// The extremes of a family belong to one replication.
bool is_extreme(std::string_view name) { return name.ends_with(".min") || name.ends_with(".max"); }

/// Whether the metric of all replications together is the sum of theirs.
bool is_additive(const metrics::entry& e) { return e.per.empty() && !e.is_family(); }

metrics::report all_but(const metrics::report& pooled, const metrics::report& left_out) {
  metrics::report rest;
  rest.sums = pooled.sums;
  for (const auto& [name, value] : left_out.sums) {
    rest.sums[name] -= value;
  }
  return rest;
}

/// The mean of a histogram family without one replication's values.
std::optional<double> mean_without(const stats::histogram& pooled,
                                   const stats::histogram* left_out) {
  if (left_out == nullptr || left_out->count() == 0) {
    return pooled.mean();
  }
  if (left_out->count() == pooled.count()) {
    return std::nullopt;
  }
  const double n = static_cast<double>(pooled.count());
  const double m = static_cast<double>(left_out->count());
  return (pooled.mean() * n - left_out->mean() * m) / (n - m);
}

/// An additive quantity of one replication; 0 where it has no value.
double total_of(const metrics::report& r, const std::vector<std::string>& names) {
  double sum = 0;
  for (const std::string& name : names) {
    if (const auto own = r.sums.find(name); own != r.sums.end()) {
      sum += own->second;
    } else {
      sum += r.value(name).value_or(0);
    }
  }
  return sum;
}

/// Of a quantile of more values than are kept.
stats::estimate as_unsure_as(double value, const stats::margins& by) {
  stats::estimate e{value};
  if (by.half_width() > 0) {
    e.unsure = by;
    e.margin = by;
  }
  return e;
}

std::string_view family_of(std::string_view name, const metrics::entry& e) {
  return name.substr(0, e.prefix().size() - 1);
}

}  // namespace

metric_estimates::metric_estimates(const run_results& a) {
  for (const engine::run_result& run : a.runs) {
    if (!run.interrupted) {
      counted_.push_back(&run.metrics);
    }
  }
  complete_ = !counted_.empty();
  if (!complete_) {
    for (const engine::run_result& run : a.runs) {
      counted_.push_back(&run.metrics);
    }
  }
  for (const metrics::report* r : counted_) {
    pooled_ = metrics::merge(pooled_, *r);
  }
  if (complete_ && counted_.size() > 1) {
    for (const metrics::report* r : counted_) {
      without_.push_back(all_but(pooled_, *r));
    }
  }
  std::set<std::string> names;
  for (const metrics::report* r : counted_) {
    for (const auto& [name, value] : r->values()) {
      names.insert(name);
    }
  }
  for (const std::string& name : names) {
    if (const auto f = estimate_metric(name)) {
      all_.emplace(name, *f);
    }
  }
}

std::optional<metric_estimate> metric_estimates::find(std::string_view name) const {
  if (const auto known = all_.find(name); known != all_.end()) {
    return known->second;
  }
  return estimate_metric(name);
}

double metric_estimates::total(const std::vector<std::string>& names) const {
  double sum = 0;
  for (const metrics::report* r : counted_) {
    sum += total_of(*r, names);
  }
  return sum;
}

std::optional<metric_estimate> metric_estimates::ratio(
    const std::vector<std::string>& numerators,
    const std::vector<std::string>& denominators) const {
  const double above = total(numerators);
  const double below = total(denominators);
  if (below == 0) {
    return std::nullopt;
  }
  metric_estimate f{{above / below}, text::unit::ratio};
  std::vector<double> left_out;
  for (const metrics::report* r : counted_) {
    if (const double rest = below - total_of(*r, denominators); rest > 0) {
      left_out.push_back((above - total_of(*r, numerators)) / rest);
    }
  }
  if (complete_ && counted_.size() > 1 && left_out.size() == counted_.size()) {
    f = {stats::possible_interval(stats::jackknife_interval(f.value, left_out),
                                  metrics::limits_of_ratio(numerators, denominators, below)),
         f.unit};
  }
  return f;
}

std::optional<metric_estimate> metric_estimates::estimate_metric(std::string_view name) const {
  const metrics::entry* entry = metrics::find(name);
  if (entry == nullptr || counted_.empty()) {
    return std::nullopt;
  }
  if (counted_.size() == 1) {
    const auto value = counted_.front()->value(name);
    if (!value) {
      return std::nullopt;
    }
    if (const auto share = metrics::percentile_in(name)) {
      const auto values = counted_.front()->histograms.find(family_of(name, *entry));
      const auto [from, to] = values->second.around(*share);
      return metric_estimate{as_unsure_as(*value, {*value - from, to - *value, true}), entry->unit};
    }
    return metric_estimate{{*value}, entry->unit};
  }
  if (entry->name == "double.commits_bound") {
    // Bounds do not add: all replications together saw none, or there is no bound.
    const double commits = total({"rides.committed"});
    return total({"double.commits"}) == 0 && commits > 0
               ? std::optional(metric_estimate{{stats::zero_event_bound(commits)}, entry->unit})
               : std::nullopt;
  }
  if (const auto share = metrics::percentile_in(name)) {
    return from_all_values(family_of(name, *entry), *share, entry->unit);
  }
  return is_additive(*entry) || is_extreme(name) ? mean_over_runs(name, *entry)
                                                 : from_all_sums(name, *entry);
}

std::optional<metric_estimate> metric_estimates::from_all_values(std::string_view family,
                                                                 double share,
                                                                 text::unit u) const {
  std::vector<stats::sparse_histogram> spreads;
  std::vector<const stats::sparse_histogram*> runs;
  spreads.reserve(counted_.size());
  for (const metrics::report* r : counted_) {
    const auto own = r->histograms.find(family);
    spreads.push_back(own == r->histograms.end()
                          ? stats::sparse_histogram{}
                          : stats::sparse_of(own->second, stats::histogram::exact_max));
    runs.push_back(&spreads.back());
  }
  const auto pooled = stats::quantile_of(runs, share);
  if (!pooled) {
    return std::nullopt;
  }
  return metric_estimate{complete_ ? pooled->of : as_unsure_as(pooled->of.value, pooled->of.unsure),
                         u};
}

std::optional<metric_estimate> metric_estimates::mean_over_runs(std::string_view name,
                                                                const metrics::entry& e) const {
  std::vector<double> samples;
  double sum = 0;
  for (const metrics::report* r : counted_) {
    if (const auto value = r->value(name)) {
      samples.push_back(*value);
      sum += *value;
    }
  }
  if (samples.empty()) {
    return std::nullopt;
  }
  if (complete_ && samples.size() == counted_.size()) {
    return metric_estimate{stats::possible_interval(stats::t_interval(samples),
                                                    metrics::limits_of(e, samples.size(), 0)),
                           e.unit};
  }
  return metric_estimate{{sum / static_cast<double>(samples.size())}, e.unit};
}

std::optional<metric_estimate> metric_estimates::from_all_sums(std::string_view name,
                                                               const metrics::entry& e) const {
  const auto whole = pooled_.value(name);
  if (!whole) {
    return std::nullopt;
  }
  std::vector<double> left_out;
  const std::string_view family = name.substr(0, name.rfind('.'));
  const auto histogram = pooled_.histograms.find(family);
  for (std::size_t i = 0; i < without_.size(); ++i) {
    std::optional<double> value;
    if (histogram != pooled_.histograms.end()) {
      const auto own = counted_[i]->histograms.find(family);
      value = mean_without(histogram->second,
                           own == counted_[i]->histograms.end() ? nullptr : &own->second);
    } else {
      value = without_[i].value(name);
    }
    if (value) {
      left_out.push_back(*value);
    }
  }
  if (complete_ && left_out.size() == counted_.size()) {
    const double per = e.per.empty() ? 0 : total({std::string(e.per)});
    return metric_estimate{stats::possible_interval(stats::jackknife_interval(*whole, left_out),
                                                    metrics::limits_of(e, counted_.size(), per)),
                           e.unit};
  }
  return metric_estimate{{*whole}, e.unit};
}

}  // namespace dibs::results
