#include "results/paired_difference.hpp"

#include "base/ensure.hpp"
#include "metrics/catalogue.hpp"
#include "metrics/possible_range.hpp"
#include "stats/confidence_interval.hpp"
#include "stats/pooled_quantile.hpp"
#include "stats/sample_mean.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <vector>

namespace dibs::results {
namespace {

constexpr std::string_view bound_name = "double.commits_bound";

struct ratio_sums {
  double over = 0;
  double per = 0;
};

bool is_ratio(std::span<const metric_sample* const> runs) {
  return std::any_of(
      runs.begin(), runs.end(), [](const metric_sample* m) { return m != nullptr && m->per; });
}

ratio_sums sums_of(const metric_sample* m) {
  return m != nullptr && m->per ? ratio_sums{*m->over, *m->per} : ratio_sums{};
}

ratio_sums total(std::span<const metric_sample* const> runs) {
  ratio_sums all;
  for (const metric_sample* m : runs) {
    const ratio_sums own = sums_of(m);
    all.over += own.over;
    all.per += own.per;
  }
  return all;
}

/// The ratios that leave one replication out each; fewer than there are runs where one is 0/0.
std::vector<double> left_out(std::span<const metric_sample* const> runs, const ratio_sums& all) {
  std::vector<double> ratios;
  for (const metric_sample* m : runs) {
    const ratio_sums own = sums_of(m);
    if (const double rest = all.per - own.per; rest > 0) {
      ratios.push_back((all.over - own.over) / rest);
    }
  }
  return ratios;
}

std::size_t with_value(std::span<const metric_sample* const> runs) {
  return static_cast<std::size_t>(std::count_if(
      runs.begin(), runs.end(), [](const metric_sample* m) { return m != nullptr && m->value; }));
}

stats::estimate possible_interval(const stats::estimate& by_student,
                                  std::string_view metric,
                                  double per) {
  const metrics::entry* entry = metrics::find(metric);
  ensure(entry != nullptr, "a figure is one of the catalogue");
  return stats::possible_interval(by_student, metrics::limits_of(*entry, by_student.samples, per));
}

std::optional<stats::estimate> ratio_of_sums(std::string_view metric,
                                             std::span<const metric_sample* const> runs) {
  const ratio_sums all = total(runs);
  if (!(all.per > 0)) {
    return std::nullopt;
  }
  stats::estimate e{all.over / all.per};
  const std::vector<double> without = left_out(runs, all);
  if (runs.size() > 1 && without.size() == runs.size()) {
    e = possible_interval(stats::jackknife_interval(e.value, without), metric, all.per);
  }
  e.samples = with_value(runs);
  return e;
}

std::optional<stats::estimate> mean_of_runs(std::string_view metric,
                                            std::span<const metric_sample* const> runs) {
  std::vector<double> samples;
  double sum = 0;
  for (const metric_sample* m : runs) {
    if (m != nullptr && m->value) {
      samples.push_back(*m->value);
      sum += *m->value;
    }
  }
  if (samples.empty()) {
    return std::nullopt;
  }
  if (samples.size() > 1 && samples.size() == runs.size()) {
    return possible_interval(stats::t_interval(samples), metric, 0);
  }
  return stats::estimate{sum / static_cast<double>(samples.size()), {}, samples.size()};
}

bool is_quantile(std::span<const metric_sample* const> runs) {
  return std::any_of(
      runs.begin(), runs.end(), [](const metric_sample* m) { return m != nullptr && m->values; });
}

std::optional<stats::pooled_quantile> pooled(std::string_view metric,
                                             std::span<const metric_sample* const> runs) {
  std::vector<const stats::sparse_histogram*> values;
  for (const metric_sample* m : runs) {
    values.push_back(m != nullptr ? m->values.get() : nullptr);
  }
  return stats::quantile_of(values, *metrics::percentile_in(metric));
}

std::optional<stats::estimate> quantile_of_all(std::string_view metric,
                                               std::span<const metric_sample* const> runs) {
  auto all = pooled(metric, runs);
  if (!all) {
    return std::nullopt;
  }
  all->of.samples = with_value(runs);
  return all->of;
}

/// Bounds do not add: all replications together saw none, or there is no bound.
std::optional<stats::estimate> pooled_bound(std::span<const metric_sample* const> runs) {
  if (runs.size() == 1) {
    return mean_of_runs(bound_name, runs);
  }
  double seen = 0;
  double commits = 0;
  for (const metric_sample* m : runs) {
    seen += sums_of(m).over;
    commits += sums_of(m).per;
  }
  if (seen > 0 || !(commits > 0)) {
    return std::nullopt;
  }
  return stats::estimate{stats::zero_event_bound(commits), {}, with_value(runs)};
}

/// The pairs in which both sides have the metric.
struct pairs {
  std::vector<const metric_sample*> a;
  std::vector<const metric_sample*> b;
};

pairs common(std::span<const metric_sample* const> a, std::span<const metric_sample* const> b) {
  ensure(a.size() == b.size(), "pairs are of equal seeds");
  const auto has = [](const metric_sample* m) { return m != nullptr && (m->value || m->per); };
  pairs both;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (has(a[i]) && has(b[i])) {
      both.a.push_back(a[i]);
      both.b.push_back(b[i]);
    }
  }
  return both;
}

/// The values of one side, or the pseudo-values of its ratio or quantile; nothing if it has none.
std::vector<double> samples_of(std::string_view metric,
                               std::span<const metric_sample* const> runs,
                               double whole) {
  std::vector<double> samples;
  if (is_quantile(runs)) {
    auto all = pooled(metric, runs);
    return all && all->bounded ? std::move(all->pseudo) : samples;
  }
  if (!is_ratio(runs)) {
    for (const metric_sample* m : runs) {
      samples.push_back(*m->value);
    }
    return samples;
  }
  const auto without = left_out(runs, total(runs));
  if (without.size() != runs.size()) {
    return {};
  }
  const double count = static_cast<double>(runs.size());
  for (const double each : without) {
    samples.push_back(count * whole - (count - 1) * each);
  }
  return samples;
}

bool all_equal(const pairs& p) {
  for (std::size_t i = 0; i < p.a.size(); ++i) {
    if (*p.a[i] != *p.b[i]) {
      return false;
    }
  }
  return true;
}

}  // namespace

bool has_interval(std::string_view metric) { return metric != bound_name; }

std::optional<stats::estimate> estimate_of(std::string_view metric,
                                           std::span<const metric_sample* const> runs) {
  if (metric == bound_name) {
    return pooled_bound(runs);
  }
  if (runs.size() > 1 && is_quantile(runs)) {
    return quantile_of_all(metric, runs);
  }
  return is_ratio(runs) ? ratio_of_sums(metric, runs) : mean_of_runs(metric, runs);
}

std::optional<stats::estimate> estimate_of(std::string_view metric,
                                           std::span<const run_record> runs) {
  std::vector<const metric_sample*> column;
  for (const run_record& r : runs) {
    column.push_back(r.find(metric));
  }
  return estimate_of(metric, column);
}

double paired_difference::t_ratio() const {
  if (what == difference_status::alike) {
    return 0;
  }
  const double by = change.value;
  const double towards_0 = !change.margin ? 0
                           : by > 0       ? change.margin->below
                                          : change.margin->above;
  if (towards_0 > 0) {
    return std::abs(by) / (towards_0 / stats::student_t_quantile(change.samples - 1));
  }
  return by == 0 ? 0 : std::numeric_limits<double>::infinity();
}

double paired_difference::relative() const {
  if (a != 0) {
    return std::abs(change.value / a);
  }
  return change.value == 0 ? 0 : std::numeric_limits<double>::infinity();
}

namespace {

/// Of b - a, from the intervals of both and the correlation of their pairs.
stats::margins combined(const stats::estimate& a, const stats::estimate& b, double correlation) {
  const double below_a = a.value - a.low();
  const double above_a = a.high() - a.value;
  const double below_b = b.value - b.low();
  const double above_b = b.high() - b.value;
  const auto side = [&](double of_b, double of_a) {
    return std::sqrt(std::max(of_b * of_b + of_a * of_a - 2 * correlation * of_b * of_a, 0.0));
  };
  return {side(below_b, above_a), side(above_b, below_a), true};
}

/// How many cases one side counts; infinite where it counts none but measures.
double cases_of(const metrics::entry& e, std::span<const metric_sample* const> runs, double value) {
  const auto limits = metrics::limits_of(e, runs.size(), is_ratio(runs) ? total(runs).per : 0);
  if (is_quantile(runs) || !limits.chances) {
    return std::numeric_limits<double>::infinity();
  }
  return (limits.most ? std::min(value, *limits.most - value) : value) * *limits.chances;
}

/// Of pairs; 0 where one side does not vary. `together` is the variance of their differences.
double correlation_of(double variance_a, double variance_b, double together) {
  const double both = std::sqrt(variance_a * variance_b);
  return both > 0 ? (variance_a + variance_b - together) / (2 * both) : 0;
}

}  // namespace

std::optional<paired_difference> difference_of(std::string_view metric,
                                               std::span<const metric_sample* const> a,
                                               std::span<const metric_sample* const> b) {
  const metrics::entry* entry = metrics::find(metric);
  const pairs p = common(a, b);
  if (entry == nullptr || metric == bound_name || p.a.size() < 2) {
    return std::nullopt;
  }
  const auto of_a = estimate_of(metric, p.a);
  const auto of_b = estimate_of(metric, p.b);
  if (!of_a || !of_b) {
    return std::nullopt;
  }
  paired_difference d{metric, entry->unit, of_a->value, of_b->value};
  stats::estimate& change = d.change;
  change = stats::within(of_b->value - of_a->value, 0, p.a.size());
  if (all_equal(p)) {
    change.value = 0;
    d.what = difference_status::same;
    // None seen does not show that there is none.
    if (of_a->margin && of_a->margin->lopsided && cases_of(*entry, p.a, d.a) == 0) {
      change.margin = combined(*of_a, *of_b, 0);
    }
    return d;
  }
  const std::vector<double> ones = samples_of(metric, p.a, d.a);
  const std::vector<double> others = samples_of(metric, p.b, d.b);
  const std::vector<double> samples = stats::paired_differences(others, ones);
  if (samples.size() < 2) {
    return std::nullopt;
  }
  change.margin = stats::t_interval(samples).margin;
  if (of_a->unsure.half_width() + of_b->unsure.half_width() > 0) {
    change.unsure = {of_b->unsure.below + of_a->unsure.above,
                     of_b->unsure.above + of_a->unsure.below};
    const double half_width = change.half_width();
    change.margin = {half_width + of_b->unsure.below + of_a->unsure.above,
                     half_width + of_b->unsure.above + of_a->unsure.below,
                     true};
  }
  if (change.value == 0 && change.half_width() == 0) {
    d.what = difference_status::same;
    return d;
  }
  if (change.half_width() == 0 && change.samples < stats::agreeing_to_be_certain) {
    d.what = difference_status::alike;
    change.margin.reset();
    return d;
  }
  const double together = stats::variance_of(samples);
  const double variance_a = stats::variance_of(ones);
  const double variance_b = stats::variance_of(others);
  if (together > 0) {
    d.variance_ratio = (variance_a + variance_b) / together;
  }
  const double most_cases = std::max(cases_of(*entry, p.a, d.a), cases_of(*entry, p.b, d.b));
  if (together > 0 && most_cases < stats::normal_cases_min && of_a->margin && of_b->margin) {
    change.margin = combined(*of_a, *of_b, correlation_of(variance_a, variance_b, together));
  }
  d.what = change.low() > 0 || change.high() < 0 ? difference_status::changed
                                                 : difference_status::unseen;
  return d;
}

bool is_before(const paired_difference& x, const paired_difference& y) {
  return std::tuple(-x.t_ratio(), -x.relative(), x.metric) <
         std::tuple(-y.t_ratio(), -y.relative(), y.metric);
}

}  // namespace dibs::results
