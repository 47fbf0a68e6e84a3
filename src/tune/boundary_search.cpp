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
std::string joined(const std::vector<sweep::formula>& constraints) {
  std::string text;
  for (const sweep::formula& f : constraints) {
    text += (text.empty() ? "" : " and ") + f.text();
  }
  return text;
}

}  // namespace

edge_search::edge_search(const quest& q, const edge_options& how) : quest_(q), how_(how) {
  out_.point = how_.from;
}

result<edge_found> edge_search::run() {
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

result<void> edge_search::towards(bool up) {
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
  } else if (const std::string harm = quest_.what.harm_of(quest_.runs, *point_at(bad));
             !harm.empty()) {
    note_harm(*point_at(bad), harm);
    return {};
  } else if (quest_.what.constraints.empty() && !has_no_value(*point_at(bad))) {
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

std::optional<double> edge_search::neighbour(bool up) const {
  const sweep::parameter& p = quest_.where.parameters()[how_.parameter];
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

std::optional<std::uint32_t> edge_search::point_at(double share) {
  sweep::choice c = quest_.where.choice_of(out_.point);
  c[how_.parameter] = quest_.where.parameters()[how_.parameter].text_at(share);
  return quest_.where.point_of(c);
}

/// Such as a time to match where nobody is matched. Of what was not run it is not known.
bool edge_search::has_no_value(std::uint32_t point) const {
  const auto runs = quest_.runs.of(point, sweep::block::first);
  return runs.size() > 1 && quest_.what.costs(runs, runs.size()).empty();
}

double edge_search::share_of(std::uint32_t point) const {
  const sweep::parameter& p = quest_.where.parameters()[how_.parameter];
  return *p.share_of(quest_.where.choice_of(point)[how_.parameter]);
}

/// Strictly, once values are rounded as they are written.
bool edge_search::between(double low, double high, double share) const {
  const sweep::parameter& p = quest_.where.parameters()[how_.parameter];
  const std::string text = p.text_at(share);
  return text != p.text_at(low) && text != p.text_at(high);
}

/// The share up to which no condition forbids anything, to the last digit.
double edge_search::last_valid(double good, double bad) {
  while (between(good, bad, (good + bad) / 2)) {
    const double middle = (good + bad) / 2;
    (point_at(middle) ? good : bad) = middle;
  }
  return good;
}

/// Whether a value may be chosen, and costs less than the best so far, or more by less than so many
/// standard errors; it replaces the best then.
result<edge_search::trial> edge_search::attempt(std::uint32_t point, double errors) {
  const std::array both{out_.point, point};
  const auto ran = quest_.runs.extend(both, sweep::block::first, how_.seeds, how_.reserve);
  if (!ran) {
    return tl::unexpected<error>(ran.error());
  }
  if (!*ran) {
    return trial::unaffordable;
  }
  const auto runs = quest_.runs.of(point, sweep::block::first);
  if (!quest_.what.flaw_of(quest_.runs, point, sweep::block::first).empty() ||
      !quest_.what.is_met(runs, goal::tail_at_edge)) {
    return trial::forbidden;
  }
  const std::size_t n =
      std::min(runs.size(), quest_.runs.of(out_.point, sweep::block::first).size());
  const auto mine = quest_.what.costs(runs, n);
  const auto others = quest_.what.costs(quest_.runs.of(out_.point, sweep::block::first), n);
  const auto worse = stats::minus(mine, others);
  if (worse.size() < 2 || stats::mean_of(worse).mean >= errors * stats::mean_of(worse).error) {
    return trial::no_better;
  }
  out_.point = point;
  return trial::better;
}

/// No nearer to what harms: there the harm is rare before it is gone, and some seeds without it
/// would prove little. The best is cut off by it if what harms would be better.
void edge_search::note_harm(std::uint32_t harmful, const std::string& harm) {
  const auto there = quest_.runs.of(harmful, sweep::block::first);
  const auto mine = quest_.runs.of(out_.point, sweep::block::first);
  const std::size_t n = std::min(there.size(), mine.size());
  const auto costs_there = quest_.what.costs(there, n);
  const auto costs_here = quest_.what.costs(mine, n);
  if (costs_there.size() < 2 || costs_here.size() < 2 ||
      stats::mean_of(costs_there).mean >= stats::mean_of(costs_here).mean) {
    return;
  }
  const sweep::parameter& p = quest_.where.parameters()[how_.parameter];
  out_.why = fmt::format("{}={} is the best that is allowed: {} would be better, but for {}",
                         p.path,
                         quest_.where.choice_of(out_.point)[how_.parameter],
                         quest_.where.choice_of(harmful)[how_.parameter],
                         harm);
}

void edge_search::note(double forbidden, bool by_condition) {
  const sweep::parameter& p = quest_.where.parameters()[how_.parameter];
  const std::string best = quest_.where.choice_of(out_.point)[how_.parameter];
  const std::string beyond =
      by_condition ? "a condition forbids what lies beyond"
      : has_no_value(*point_at(forbidden))
          ? fmt::format("at {} the objective has no value", p.text_at(forbidden))
          : fmt::format("at {} {} is not shown to be met",
                        p.text_at(forbidden),
                        joined(quest_.what.constraints));
  out_.why = fmt::format("{}={} is the best that is allowed: {}", p.path, best, beyond);
}

}  // namespace dibs::tune
