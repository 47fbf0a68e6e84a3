#include "metrics/catalogue.hpp"
#include "metrics/metrics.hpp"
#include "metrics/worst_harms.hpp"

#include <algorithm>
#include <cstddef>

namespace dibs::metrics {
namespace {

std::optional<double> sum_of(const report& r, std::string_view name) {
  const auto found = r.sums.find(name);
  return found == r.sums.end() ? std::nullopt : std::optional(found->second);
}

std::optional<double> statistic_of(const report& r, std::string_view name) {
  // A percentile may hold a point: `ttm.p99.9`.
  std::size_t dot = name.rfind('.');
  auto found = r.histograms.find(name.substr(0, dot));
  if (found == r.histograms.end() && dot != std::string_view::npos && dot > 0) {
    dot = name.rfind('.', dot - 1);
    found = r.histograms.find(name.substr(0, dot));
  }
  if (dot == std::string_view::npos || found == r.histograms.end() || found->second.count() == 0) {
    return std::nullopt;
  }
  const stats::histogram& values = found->second;
  const std::string_view stat = name.substr(dot + 1);
  if (stat == "mean") {
    return values.mean();
  }
  if (stat == "min" || stat == "max") {
    return static_cast<double>((stat == "min" ? values.min() : values.max()).count()) / 1e9;
  }
  const auto share = percentile_of(stat);
  return share ? std::optional(values.quantile(*share)) : std::nullopt;
}

}  // namespace

std::optional<double> report::value(std::string_view name) const {
  const entry* e = find(name);
  if (e == nullptr) {
    return std::nullopt;
  }
  if (e->is_family()) {
    return statistic_of(*this, name);
  }
  if (e->name == "double.commits_bound") {
    const auto seen = sum_of(*this, "double.commits");
    const auto commits = sum_of(*this, e->per);
    const bool is_bound = seen == 0.0 && commits.value_or(0) > 0;
    return is_bound ? std::optional(std::min(1.0, e->scale / *commits)) : std::nullopt;
  }
  const auto over = sum_of(*this, e->over.empty() ? e->name : e->over);
  if (!over || e->per.empty()) {
    return over;
  }
  const auto per = sum_of(*this, e->per);
  return per && *per > 0 ? std::optional(*over / *per * e->scale) : std::nullopt;
}

std::vector<std::pair<std::string, double>> report::values() const {
  std::vector<std::pair<std::string, double>> all;
  const auto add = [&](std::string name) {
    if (const auto v = value(name)) {
      all.emplace_back(std::move(name), *v);
    }
  };
  for (const entry& e : catalogue()) {
    if (!e.is_family()) {
      add(std::string(e.name));
      continue;
    }
    for (const std::string_view stat : shown_stats()) {
      add(e.with(stat));
    }
  }
  return all;
}

report merge(const report& a, const report& b) {
  report both;
  both.sums = a.sums;
  for (const auto& [name, sum] : b.sums) {
    both.sums[name] += sum;
  }
  both.histograms = a.histograms;
  for (const auto& [name, values] : b.histograms) {
    both.histograms[name].merge(values);
  }
  both.notables = a.notables;
  both.notables.insert(both.notables.end(), b.notables.begin(), b.notables.end());
  rank(both.notables);
  return both;
}

report recompute(std::span<const events::event> history, const options& what, sim_time end) {
  collector again(what);
  again.observe(history);
  return again.finish(end);
}

}  // namespace dibs::metrics
