#include "results/run_record.hpp"

#include "base/append.hpp"
#include "metrics/catalogue.hpp"
#include "results/atomic_file.hpp"
#include "stats/pooled_quantile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace dibs::results {
namespace {

std::optional<double> sum_of(const metrics::report& r, std::string_view name) {
  const auto found = r.sums.find(name);
  return found == r.sums.end() ? std::nullopt : std::optional(found->second);
}

/// The two sums of a ratio, the scale in the upper one.
void add_sums(metric_sample& m, const metrics::entry& e, const metrics::report& r) {
  if (e.is_family()) {
    const auto values = r.histograms.find(e.prefix().substr(0, e.prefix().size() - 1));
    if (m.metric.ends_with(".mean") && values != r.histograms.end()) {
      const double count = static_cast<double>(values->second.count());
      m.per = count;
      m.over = count > 0 ? values->second.mean() * count : 0;
    }
    return;
  }
  if (e.per.empty()) {
    return;
  }
  const auto over = sum_of(r, e.over.empty() ? e.name : e.over);
  const auto per = sum_of(r, e.per);
  if (over && per) {
    m.over = *over * e.scale;
    m.per = *per;
  }
}

}  // namespace

const metric_sample* run_record::find(std::string_view metric) const {
  const auto it = std::ranges::find(measures, metric, &metric_sample::metric);
  return it == measures.end() ? nullptr : &*it;
}

const std::vector<std::string>& metric_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const metrics::entry& e : metrics::catalogue()) {
      if (!e.is_family()) {
        all.emplace_back(e.name);
        continue;
      }
      for (const std::string_view stat : metrics::shown_stats()) {
        all.push_back(e.with(stat));
      }
    }
    return all;
  }();
  return names;
}

bool operator==(const metric_sample& a, const metric_sample& b) {
  const bool alike = a.values == b.values || (a.values && b.values && *a.values == *b.values);
  return alike &&
         std::tie(a.metric, a.value, a.over, a.per) == std::tie(b.metric, b.value, b.over, b.per);
}

std::string family_of(std::string_view metric) {
  return metrics::percentile_in(metric)
             ? std::string(metric.substr(0, metrics::find(metric)->prefix().size() - 1))
             : std::string();
}

run_values values_of(const metrics::report& r) {
  run_values all;
  for (const auto& [family, h] : r.histograms) {
    if (h.count() > 0) {
      all.emplace(family, std::make_shared<const stats::sparse_histogram>(stats::sparse_of(h)));
    }
  }
  return all;
}

run_values values_of(const run_record& r) {
  run_values all;
  for (const metric_sample& m : r.measures) {
    if (m.values) {
      all.emplace(family_of(m.metric), m.values);
    }
  }
  return all;
}

metric_sample measure_of(const std::string& metric,
                         const metrics::report& r,
                         const run_values& values) {
  metric_sample m{metric, r.value(metric), {}, {}};
  add_sums(m, *metrics::find(metric), r);
  if (const auto own = values.find(family_of(metric)); own != values.end()) {
    m.values = own->second;
  }
  return m;
}

std::string violation_of(const engine::run_result& r) {
  if (r.checks.violations.empty()) {
    return {};
  }
  const checkers::violation& v = r.checks.violations.front();
  return fmt::format("{} ({}) at t={:.3f} s: {}",
                     lease::code_of(v.broken),
                     lease::sentence_of(v.broken),
                     in_seconds(v.t),
                     v.what);
}

bool is_stuck(const run_record& r) {
  return std::ranges::find(r.measures, stuck_measure, &metric_sample::metric) != r.measures.end();
}

std::vector<std::string> idle_faults_of(std::span<const run_record> runs) {
  std::vector<std::string> idle;
  for (const metric_sample& m : runs.empty() ? std::vector<metric_sample>() : runs[0].measures) {
    const bool is_everywhere =
        m.metric.starts_with(idle_fault_measure) &&
        std::ranges::all_of(runs, [&](const run_record& r) { return r.find(m.metric) != nullptr; });
    if (is_everywhere) {
      idle.push_back(m.metric.substr(idle_fault_measure.size()));
    }
  }
  return idle;
}

run_record record_of(const engine::run_result& r) {
  run_record out;
  out.seed = r.seed;
  out.history = r.history;
  out.facts = r.facts;
  out.events = r.events;
  out.violations = r.checks.violation_count;
  out.violation = violation_of(r);
  const run_values values = values_of(r.metrics);
  for (const std::string& name : metric_names()) {
    metric_sample m = measure_of(name, r.metrics, values);
    if (m.value || m.over) {
      out.measures.push_back(std::move(m));
    }
  }
  if (r.stuck) {
    out.measures.push_back({std::string(stuck_measure), 1, {}, {}});
  }
  for (const std::string& id : r.idle_faults) {
    out.measures.push_back({std::string(idle_fault_measure) + id, 1, {}, {}});
  }
  return out;
}

std::string round_trip_number(double x) { return fmt::format("{}", x); }

std::string hash_of(const run_record& r) {
  const auto or_none = [](const std::optional<double>& x) {
    return x ? round_trip_number(*x) : "-";
  };
  std::string text = fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n",
                                 r.point,
                                 r.replication,
                                 r.seed,
                                 r.scenario_hash,
                                 r.history,
                                 r.facts,
                                 r.events,
                                 r.violations,
                                 r.violation);
  for (const metric_sample& m : r.measures) {
    append(text, "{}\n{} {} {}\n", m.metric, or_none(m.value), or_none(m.over), or_none(m.per));
  }
  for (const auto& [family, values] : values_of(r)) {
    append(text, "{}\n{}\n", family, stats::text_of(*values));
  }
  return hash_of(text);
}

}  // namespace dibs::results
