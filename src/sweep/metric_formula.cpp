#include "sweep/metric_formula.hpp"

#include "base/ensure.hpp"
#include "base/real.hpp"
#include "metrics/catalogue.hpp"
#include "metrics/possible_range.hpp"
#include "stats/pooled_quantile.hpp"
#include "sweep/expression.hpp"
#include "text/escape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

namespace dibs::sweep {
namespace {

constexpr double ns_per_s = 1e9;
constexpr double s_per_h = 3600;

/// A metric's value as a quantity that can be reckoned with.
text::dimensioned_value amount_of(double value, text::unit unit) {
  switch (unit) {
    case text::unit::count:
    case text::unit::share:
    case text::unit::ratio:
      return {value, text::dimension::number};
    case text::unit::seconds:
    case text::unit::driver_s:
    case text::unit::rider_s:
      return {value * ns_per_s, text::dimension::time};
    case text::unit::per_hour:
      return {value / s_per_h, text::dimension::rate};
  }
  return {};
}

double in_unit(const text::dimensioned_value& a) {
  return a.what == text::dimension::time   ? a.value / ns_per_s
         : a.what == text::dimension::rate ? a.value * s_per_h
                                           : a.value;
}

/// Some value of each metric, to try an expression out: apart enough that no sensible difference of
/// two of them is 0.
double trial_value(std::size_t nth) { return 1 + 0.61803398875 * static_cast<double>(nth + 1); }

evaluation_scope among_metrics(
    std::function<std::optional<text::dimensioned_value>(const std::string&)> quantity) {
  evaluation_scope in;
  in.quantity = std::move(quantity);
  in.nearest = [](const std::string& name) { return metrics::nearest(name); };
  in.noun = "metric (`dibs metrics` lists them)";
  return in;
}

result<text::dimensioned_value> value_of(const std::string& text,
                                         bool condition,
                                         const evaluation_scope& in) {
  if (!condition) {
    return evaluate_quantity(text, in);
  }
  auto both = weigh(text, in);
  if (!both) {
    return tl::unexpected<error>(both.error());
  }
  if (both->sign == "==" || both->sign == "!=") {
    return failure(
        exit_code::usage,
        fmt::format("the condition `{}` needs <, <=, > or >=", text::display_text(text)));
  }
  const bool at_most = both->sign[0] == '<';
  return text::dimensioned_value{
      at_most ? both->right.value - both->left.value : both->left.value - both->right.value,
      both->left.what};
}

/// A metric over all runs, and over all but each; no number where it has no value.
struct with_and_without {
  double whole = 0;
  std::vector<double> without;
  stats::margins unsure{};
};

double ratio_of(double over, double per) {
  return per > 0 ? over / per : std::numeric_limits<double>::quiet_NaN();
}

with_and_without of_sums(std::size_t number, std::span<const sample> runs) {
  double over = 0;
  double per = 0;
  for (const sample& run : runs) {
    over += run[number].over;
    per += run[number].per;
  }
  with_and_without m{ratio_of(over, per), {}, {}};
  for (const sample& run : runs) {
    m.without.push_back(ratio_of(over - run[number].over, per - run[number].per));
  }
  return m;
}

/// By what each run contributes to the percentile of all values. Requires: two runs, one with
/// values.
with_and_without of_values(const std::string& metric,
                           std::size_t number,
                           std::span<const sample> runs) {
  std::vector<const stats::sparse_histogram*> values;
  for (const sample& run : runs) {
    values.push_back(run[number].values.get());
  }
  const auto all = stats::quantile_of(values, *metrics::percentile_in(metric));
  ensure(all.has_value(), "some run has values");
  with_and_without m{all->of.value, {}, all->of.unsure};
  for (const double pseudo : all->pseudo) {
    m.without.push_back(m.whole - (pseudo - m.whole) / static_cast<double>(runs.size() - 1));
  }
  return m;
}

double counted_among(std::size_t number, std::span<const sample> runs) {
  return std::accumulate(runs.begin(), runs.end(), 0.0, [&](double sum, const sample& run) {
    return sum + run[number].per;
  });
}

/// What a metric may truly be, if events that make it so were never seen among so many.
double with_unseen_events(double seen, text::unit unit, double among, double tail) {
  const double unseen = -real::log(tail) / among;
  if (unit == text::unit::count && seen == 0) {
    return unseen;
  }
  if (unit == text::unit::share && (seen == 0 || seen == 1)) {
    return seen == 0 ? std::min(1.0, unseen) : std::max(0.0, 1 - unseen);
  }
  return seen;
}

with_and_without over_all(const std::string& metric,
                          std::size_t number,
                          std::span<const sample> runs) {
  const bool pooled = runs.size() > 1 && std::ranges::any_of(runs, [&](auto& run) {
                        return run[number].values != nullptr;
                      });
  return pooled ? of_values(metric, number, runs) : of_sums(number, runs);
}

template <class Parts>
std::vector<with_and_without> each_over_all(const Parts& parts, std::span<const sample> runs) {
  std::vector<with_and_without> all;
  for (const auto& each : parts) {
    all.push_back(over_all(each.name, each.number, runs));
  }
  return all;
}

std::vector<double> wholes_of(const std::vector<with_and_without>& metrics) {
  std::vector<double> values;
  for (const with_and_without& each : metrics) {
    values.push_back(each.whole);
  }
  return values;
}

}  // namespace

std::size_t metric_index::number_of(const std::string& metric) {
  const auto known = std::ranges::find(names_, metric);
  if (known != names_.end()) {
    return static_cast<std::size_t>(known - names_.begin());
  }
  names_.push_back(metric);
  return names_.size() - 1;
}

result<metric_formula> metric_formula::sum(const std::string& text, metric_index& index) {
  return read(text, false, index);
}

result<metric_formula> metric_formula::margin(const std::string& text, metric_index& index) {
  return read(text, true, index);
}

result<metric_formula> metric_formula::read(const std::string& text,
                                            bool condition,
                                            metric_index& index) {
  metric_formula f;
  f.text_ = text;
  f.condition_ = condition;
  f.strict_ =
      condition && text.find("<=") == std::string::npos && text.find(">=") == std::string::npos;
  const auto found = value_of(
      text,
      condition,
      among_metrics([&](const std::string& name) -> std::optional<text::dimensioned_value> {
        const metrics::entry* e = metrics::find(name);
        if (e == nullptr) {
          return std::nullopt;
        }
        const auto known = std::ranges::find(f.parts_, name, &part::name);
        const auto nth = static_cast<std::size_t>(known - f.parts_.begin());
        if (known == f.parts_.end()) {
          f.parts_.push_back({name, e});
        }
        return amount_of(trial_value(nth), e->unit);
      }));
  if (!found) {
    return tl::unexpected<error>(found.error());
  }
  if (f.parts_.empty()) {
    return failure(exit_code::usage,
                   fmt::format("the expression `{}` names no metric, so no field could change it",
                               text::display_text(text, 200)));
  }
  f.what_ = found->what;
  for (part& each : f.parts_) {
    each.number = index.number_of(each.name);
  }
  f.find_unit();
  if (const std::string why = condition ? f.why_decided() : std::string(); !why.empty()) {
    return failure(exit_code::usage,
                   fmt::format("the condition `{}` {}", text::display_text(text), why));
  }
  return f;
}

/// Of a bound on one metric that lies beyond what the metric can be: no metric is below 0, and no
/// share above 1. Empty if it depends on the metric, or is no such bound.
std::string metric_formula::why_decided() const {
  if (only() == nullptr) {
    return {};
  }
  const auto room = [&](double value) { return at(std::array{value}); };
  const auto at_none = room(0);
  const auto between = room(0.25);
  const auto at_one = room(1);
  if (!at_none || !between || !at_one) {
    return {};
  }
  const double slope = *at_one - *at_none;
  const double bend = std::abs(*between - (*at_none + 0.25 * slope));
  constexpr double rounding = 1e-9;
  if (bend > rounding * (std::abs(*at_none) + std::abs(*at_one)) || slope == 0) {
    return {};
  }
  const double bound = -*at_none / slope;
  const std::string verdict = is_met(*at_none) ? "always holds: " : "can never hold: ";
  if (bound < 0 || (slope < 0 && !is_met(*at_none))) {
    return verdict + fmt::format("{} is never below 0", only()->name);
  }
  const bool alike = is_met(*at_none) == is_met(*at_one);
  if (only()->about->unit != text::unit::share || !alike || bound < 1 ||
      (bound == 1 && slope < 0)) {
    return {};
  }
  constexpr double percent_max = 100;
  return verdict + "a share is at most 1" +
         (bound > 1 && bound <= percent_max ? fmt::format("; did you mean {:.6g} %?", bound) : "");
}

void metric_formula::find_unit() {
  const metrics::entry* one = only() == nullptr ? nullptr : only()->about;
  const bool bare = one != nullptr && text_ == only()->name;
  wants_more_ = bare && one->meaning.direction == metrics::direction::more_is_better;
  if (bare || (condition_ && one != nullptr && one->unit == text::unit::share)) {
    unit_ = one->unit;
  } else if (what_ == text::dimension::time) {
    unit_ = text::unit::seconds;
  } else if (what_ == text::dimension::rate) {
    unit_ = text::unit::per_hour;
  }
}

std::optional<double> metric_formula::at(std::span<const double> values) const {
  bool whole = true;
  const auto in =
      among_metrics([&](const std::string& name) -> std::optional<text::dimensioned_value> {
        std::size_t i = 0;
        while (parts_[i].name != name) {
          ++i;
        }
        const double x = values[i];
        whole = whole && !std::isnan(x);
        return amount_of(std::isnan(x) ? 0 : x, parts_[i].about->unit);
      });
  const auto value = value_of(text_, condition_, in);
  if (!value || !whole || !std::isfinite(value->value)) {
    return std::nullopt;
  }
  return in_unit(*value);
}

bool metric_formula::asks_for_none() const {
  if (!condition_ || only() == nullptr || !is_met(0)) {
    return false;
  }
  const text::unit unit = only()->about->unit;
  const auto room = [&](double value) { return at(std::array{value}); };
  const auto some = room(0.5);
  const bool some_is_too_much = some && *some < 0;
  const bool none = unit == text::unit::count || unit == text::unit::share;
  return some_is_too_much &&
         ((none && room(0) == 0) || (unit == text::unit::share && room(1) == 0));
}

std::optional<double> metric_formula::of(std::span<const sample> runs) const {
  return at(wholes_of(each_over_all(parts_, runs)));
}

double metric_formula::unsure(std::span<const sample> runs) const {
  const auto metrics = each_over_all(parts_, runs);
  std::vector<double> values = wholes_of(metrics);
  const auto whole = at(values);
  double all = 0;
  for (std::size_t i = 0; whole && i < parts_.size(); ++i) {
    double own = 0;
    for (const double by : {-metrics[i].unsure.below, metrics[i].unsure.above}) {
      values[i] = metrics[i].whole + by;
      own = std::max(own, std::abs(at(values).value_or(*whole) - *whole));
    }
    values[i] = metrics[i].whole;
    all += own;
  }
  return all;
}

std::optional<metric_formula::reach> metric_formula::with_unseen(std::span<const sample> runs,
                                                                 double tail) const {
  std::vector<double> values = wholes_of(each_over_all(parts_, runs));
  const auto whole = at(values);
  if (!whole) {
    return std::nullopt;
  }
  reach r{*whole, *whole};
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const double seen = values[i];
    values[i] = with_unseen_events(
        seen, parts_[i].about->unit, counted_among(parts_[i].number, runs), tail);
    if (const auto then = at(values)) {
      r.low = std::min(r.low, *then);
      r.high = std::max(r.high, *then);
    }
    values[i] = seen;
  }
  return r;
}

stats::possible_range metric_formula::limits(std::span<const sample> runs) const {
  ensure(only() != nullptr && only()->name == text_, "limits are those of a metric");
  const metrics::entry& metric = *only()->about;
  const double per = metric.per.empty() ? 0 : counted_among(only()->number, runs);
  return metrics::limits_of(metric, runs.size(), per);
}

std::vector<double> metric_formula::pseudo_values(std::span<const sample> runs) const {
  const auto metrics = each_over_all(parts_, runs);
  std::vector<double> values = wholes_of(metrics);
  const auto whole = at(values);
  const double n = static_cast<double>(runs.size());
  std::vector<double> pseudo;
  for (std::size_t r = 0; r < runs.size(); ++r) {
    for (std::size_t i = 0; i < metrics.size(); ++i) {
      values[i] = metrics[i].without[r];
    }
    const auto without = at(values);
    if (!whole || !without) {
      return {};
    }
    pseudo.push_back(n * *whole - (n - 1) * *without);
  }
  return pseudo;
}

}  // namespace dibs::sweep
