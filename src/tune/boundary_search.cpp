#include "tune/boundary_search.hpp"

#include "stats/sample_mean.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace dibs::tune {
namespace {

constexpr int halvings_max = 12;
/// In standard errors: to take what lies nearer to a constraint it has to look better; what lies at
/// a condition's edge, where the fit has the best beyond it, need only not be shown to be worse.
constexpr double has_to_look_better = 0;
constexpr double not_shown_worse = 2;

/// `ttm.p95 <= 45s and rides.match_rate >= 0.85`
std::string joined(const std::vector<sweep::metric_formula>& constraints) {
  std::string text;
  for (const sweep::metric_formula& f : constraints) {
    text += (text.empty() ? "" : " and ") + f.text();
  }
  return text;
}

}  // namespace

boundary_search::boundary_search(const search_context& q, const boundary_search_options& how)
    : context_(q), how_(how) {
  out_.point = how_.from;
}

result<boundary_found> boundary_search::run() {
  for (const bool up : {true, false}) {
    if (auto done = towards(up); !done) {
      return tl::unexpected<error>(done.error());
    }
    if (!out_.why.empty()) {
      break;
    }
  }
  return out_;
}

result<void> boundary_search::towards(bool up) {
  const auto beside = neighbour(up);
  if (!beside) {
    return {};
  }
  double good = share_of(out_.point);
  double bad = *beside;
  if (!point_at(bad)) {
    const double last = last_valid(good, bad);
    bad = last;
    const auto point = point_at(last);
    const auto there =
        point && *point != out_.point ? attempt(*point, not_shown_worse) : trial::better;
    if (!there) {
      return tl::unexpected<error>(there.error());
    }
    if (*there == trial::better) {
      note(*beside, true);
    }
    if (*there != trial::forbidden) {
      return {};
    }
  } else if (const std::string harm = context_.what.harm_of(context_.runs, *point_at(bad));
             !harm.empty()) {
    note_harm(*point_at(bad), harm);
    return {};
  } else if (context_.what.constraints.empty() && !has_no_value(*point_at(bad))) {
    return {};
  } else if (const auto there = attempt(*point_at(bad), has_to_look_better);
             !there || *there != trial::forbidden) {
    return there ? result<void>() : tl::unexpected<error>(there.error());
  }
  for (int i = 0; i < halvings_max; ++i) {
    const double middle = (good + bad) / 2;
    const auto point = point_at(middle);
    if (!point || !between(good, bad, share_of(*point))) {
      break;
    }
    const auto there = attempt(*point, has_to_look_better);
    if (!there) {
      return tl::unexpected<error>(there.error());
    }
    if (*there == trial::forbidden) {
      bad = share_of(*point);
    } else if (*there == trial::better) {
      good = share_of(*point);
    } else {
      return {};
    }
  }
  note(bad, false);
  return {};
}

std::optional<double> boundary_search::neighbour(bool up) const {
  const sweep::parameter& p = context_.where.parameters()[how_.parameter];
  const double at = share_of(out_.point);
  std::optional<double> nearest;
  constexpr double rounding = 1e-6;
  for (const std::string& value : p.values) {
    const double there = *p.share_of(value);
    const bool beyond = up ? there > at + rounding : there < at - rounding;
    if (beyond && (!nearest || std::abs(there - at) < std::abs(*nearest - at))) {
      nearest = there;
    }
  }
  return nearest;
}

std::optional<std::uint32_t> boundary_search::point_at(double share) {
  sweep::parameter_values c = context_.where.choice_of(out_.point);
  c[how_.parameter] = context_.where.parameters()[how_.parameter].text_at(share);
  return context_.where.point_of(c);
}

/// Such as a time to match where nobody is matched. Of what was not run it is not known.
bool boundary_search::has_no_value(std::uint32_t point) const {
  const auto runs = context_.runs.of(point, sweep::seed_block::first);
  return runs.size() > 1 && context_.what.costs(runs, runs.size()).empty();
}

double boundary_search::share_of(std::uint32_t point) const {
  const sweep::parameter& p = context_.where.parameters()[how_.parameter];
  return *p.share_of(context_.where.choice_of(point)[how_.parameter]);
}

/// Strictly, once values are rounded as they are written.
bool boundary_search::between(double low, double high, double share) const {
  const sweep::parameter& p = context_.where.parameters()[how_.parameter];
  const std::string text = p.text_at(share);
  return text != p.text_at(low) && text != p.text_at(high);
}

/// The share up to which no condition forbids anything, to the last digit.
double boundary_search::last_valid(double good, double bad) {
  while (between(good, bad, (good + bad) / 2)) {
    const double middle = (good + bad) / 2;
    (point_at(middle) ? good : bad) = middle;
  }
  return good;
}

/// Whether a value may be chosen, and costs less than the best so far, or more by less than so many
/// standard errors; it replaces the best then.
result<boundary_search::trial> boundary_search::attempt(std::uint32_t point, double errors) {
  const std::array both{out_.point, point};
  const auto ran = context_.runs.extend(both, sweep::seed_block::first, how_.seeds, how_.reserve);
  if (!ran) {
    return tl::unexpected<error>(ran.error());
  }
  if (!*ran) {
    return trial::unaffordable;
  }
  const auto runs = context_.runs.of(point, sweep::seed_block::first);
  if (!context_.what.rejection_reason(context_.runs, point, sweep::seed_block::first).empty() ||
      !context_.what.is_met(runs, objective_spec::tail_at_range_end)) {
    return trial::forbidden;
  }
  const std::size_t n =
      std::min(runs.size(), context_.runs.of(out_.point, sweep::seed_block::first).size());
  const auto mine = context_.what.costs(runs, n);
  const auto others =
      context_.what.costs(context_.runs.of(out_.point, sweep::seed_block::first), n);
  const auto worse = stats::paired_differences(mine, others);
  if (worse.size() < 2 || stats::mean_of(worse).mean >= errors * stats::mean_of(worse).error) {
    return trial::no_better;
  }
  out_.point = point;
  return trial::better;
}

/// No nearer to what harms: there the harm is rare before it is gone, and some seeds without it
/// would prove little. The best is cut off by it if what harms would be better.
void boundary_search::note_harm(std::uint32_t harmful, const std::string& harm) {
  const auto there = context_.runs.of(harmful, sweep::seed_block::first);
  const auto mine = context_.runs.of(out_.point, sweep::seed_block::first);
  const std::size_t n = std::min(there.size(), mine.size());
  const auto costs_there = context_.what.costs(there, n);
  const auto costs_here = context_.what.costs(mine, n);
  if (costs_there.size() < 2 || costs_here.size() < 2 ||
      stats::mean_of(costs_there).mean >= stats::mean_of(costs_here).mean) {
    return;
  }
  const sweep::parameter& p = context_.where.parameters()[how_.parameter];
  out_.why = fmt::format("{}={} is the best that is allowed: {} would be better, but for {}",
                         p.path,
                         context_.where.choice_of(out_.point)[how_.parameter],
                         context_.where.choice_of(harmful)[how_.parameter],
                         harm);
}

void boundary_search::note(double forbidden, bool by_condition) {
  const sweep::parameter& p = context_.where.parameters()[how_.parameter];
  const std::string best = context_.where.choice_of(out_.point)[how_.parameter];
  const std::string beyond =
      by_condition ? "a condition forbids what lies beyond"
      : has_no_value(*point_at(forbidden))
          ? fmt::format("at {} the objective has no value", p.text_at(forbidden))
          : fmt::format("at {} {} is not shown to be met",
                        p.text_at(forbidden),
                        joined(context_.what.constraints));
  out_.why = fmt::format("{}={} is the best that is allowed: {}", p.path, best, beyond);
}

}  // namespace dibs::tune
