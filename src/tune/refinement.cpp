#include "tune/refinement.hpp"

#include "stats/cubic_fit.hpp"
#include "stats/sample_mean.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace dibs::tune {
namespace {

/// Of the budget: what is left to the validation on fresh seeds at least.
constexpr double share_for_refinement = 0.7;
/// In standard errors: what noise alone will hardly bring about; a bend that places a least value.
constexpr double clearly = 4;
constexpr double bend_wanted = 8;
/// In standard errors too. The winner won by luck as well, so where a fit through many values
/// places the least one, it has to be shown to be worse to be left.
constexpr double better = 0;
constexpr double no_worse = 2;
/// And what a fit puts aside has to be shown to be better than what it places: a curve with a kink
/// has its least value where no cubic has it.
constexpr double shown_better = -3;
/// By so many standard errors the mean at some value is off a curve that does not fit. On smooth
/// curves 2 on the average, and hardly ever more than 4; by a kink up to dozens.
constexpr double misfit_max = 4;
/// Of one variable: how many steps the values of a design lie apart, and where the budget is small.
constexpr std::size_t steps_wanted = 6;
constexpr std::size_t steps_least = 4;
/// What fits nothing over the first brackets nearly does over narrower ones.
constexpr int looks = 2;
/// And where nothing fits the values that were run have to tell, nearer to each other.
constexpr int looks_at_misfits = 4;

bool is_placed(const stats::located_minimum& l) {
  const auto finite = [](double x) { return std::isfinite(x); };
  return l.inside && std::ranges::all_of(l.low, finite);
}

/// The places of a design, from -1 to 1: for one variable so many equal steps, for more of them the
/// middle, the middles of the sides and the corners.
std::vector<stats::place> design_of(std::size_t variables, std::size_t steps) {
  std::vector<stats::place> all;
  if (variables == 1) {
    for (std::size_t i = 0; i <= steps; ++i) {
      all.push_back({2 * static_cast<double>(i) / static_cast<double>(steps) - 1});
    }
    return all;
  }
  all.push_back(stats::place{});
  for (std::size_t i = 0; i < variables; ++i) {
    for (const double z : {-1.0, 1.0}) {
      stats::place p{};
      p[i] = z;
      all.push_back(p);
    }
  }
  for (unsigned corner = 0; corner < 1U << variables; ++corner) {
    stats::place p{};
    for (std::size_t i = 0; i < variables; ++i) {
      p[i] = (corner >> i & 1U) != 0 ? 1 : -1;
    }
    all.push_back(p);
  }
  return all;
}

}  // namespace

refinement::refinement(const search_context& q, std::uint32_t from, std::size_t seeds)
    : context_(q), seeds_(seeds), ranged_(sweep::ranged_of(q.where.parameters())) {
  found_.point = from;
  found_.interval.resize(context_.where.parameters().size());
}

result<refined> refinement::run() {
  std::vector<bracket> brackets = first_brackets();
  hold_fast(brackets);
  for (int look = 0; !ranged_.empty() && look < (found_.misfits ? looks_at_misfits : looks);
       ++look) {
    const auto fitted = refine_in(brackets);
    if (!fitted) {
      return tl::unexpected<error>(fitted.error());
    }
    if (!*fitted) {
      break;
    }
    brackets = narrowed(brackets, **fitted);
  }
  if (found_.misfits) {
    std::ranges::fill(found_.interval, std::nullopt);
  }
  return found_;
}

/// Around the winner, up to what is clearly worse: between the winner's neighbours on a dense grid
/// or a flat stretch nothing bends that could be seen, and the best may lie beyond them.
std::vector<refinement::bracket> refinement::first_brackets() const {
  std::vector<bracket> all;
  for (const std::size_t i : ranged_) {
    const sweep::parameter& p = context_.where.parameters()[i];
    const double low = *p.share_of(clearly_worse(i, -1));
    const double high = *p.share_of(clearly_worse(i, 1));
    all.push_back({low, (low + high) / 2, high});
  }
  return all;
}

/// A parameter of which two values lie there, such as a whole number from 1 to 2, stays as it is:
/// no curve goes through them, and the others would have none either.
void refinement::hold_fast(std::vector<bracket>& brackets) {
  std::vector<std::size_t> bending;
  std::vector<bracket> around;
  for (std::size_t i = 0; i < ranged_.size(); ++i) {
    const sweep::parameter& p = context_.where.parameters()[ranged_[i]];
    const std::string middle = p.text_at(brackets[i].middle);
    if (middle != p.text_at(brackets[i].low) && middle != p.text_at(brackets[i].high)) {
      bending.push_back(ranged_[i]);
      around.push_back(brackets[i]);
    }
  }
  ranged_ = std::move(bending);
  brackets = std::move(around);
}

/// The first value of the grid that way that costs clearly more than the winner, or that cannot be
/// chosen; the last one if none is. Nothing but the winner where it stands at the end.
std::string refinement::clearly_worse(std::size_t parameter, std::ptrdiff_t step) const {
  const std::vector<std::string>& values = context_.where.parameters()[parameter].values;
  sweep::parameter_values c = context_.where.choice_of(found_.point);
  auto at = std::ranges::find(values, c[parameter]) - values.begin();
  for (at += step; at >= 0 && at < std::ssize(values); at += step) {
    c[parameter] = values[static_cast<std::size_t>(at)];
    const auto point = context_.where.point_of(c);
    const bool is_last = at + step < 0 || at + step >= std::ssize(values);
    if (is_last || !point || costs_clearly_more(*point)) {
      break;
    }
  }
  return c[parameter];
}

/// On the seeds that both were run on; also what cannot be chosen.
bool refinement::costs_clearly_more(std::uint32_t point) const {
  const auto theirs = context_.runs.of(point, sweep::seed_block::first);
  const auto mine = context_.runs.of(found_.point, sweep::seed_block::first);
  const std::size_t n = std::min(theirs.size(), mine.size());
  const auto worse =
      stats::paired_differences(context_.what.costs(theirs, n), context_.what.costs(mine, n));
  if (worse.size() < 2 ||
      !context_.what.rejection_reason(context_.runs, point, sweep::seed_block::first).empty()) {
    return true;
  }
  const stats::sample_mean by = stats::mean_of(worse);
  return by.mean > clearly * by.error;
}

/// As far around the best as leaves a bend that can be seen, for it shrinks with the square; but so
/// much narrower that the two looks tell what the curve gets wrong.
std::vector<refinement::bracket> refinement::narrowed(const std::vector<bracket>& brackets,
                                                      const stats::located_minimum& fitted) const {
  constexpr double narrowest = 0.5;
  constexpr double widest = 0.75;
  std::vector<bracket> all;
  for (std::size_t i = 0; i < brackets.size(); ++i) {
    const double bend = std::max(fitted.bend[i], bend_wanted);
    const double share =
        fitted.inside ? std::clamp(std::sqrt(bend_wanted / bend), narrowest, widest) : narrowest;
    const double half = share * brackets[i].half();
    const double at = share_in(found_.point, ranged_[i]);
    const double low = std::max(0.0, at - half);
    const double high = std::min(1.0, at + half);
    all.push_back({low, (low + high) / 2, high});
  }
  return all;
}

/// The points of a design that can be run, each once.
refinement::points refinement::points_in(const std::vector<bracket>& brackets, std::size_t steps) {
  points some;
  for (const stats::place& z : design_of(ranged_.size(), steps)) {
    const auto point = point_in(brackets, z);
    if (point && std::ranges::find(some, *point) == some.end()) {
      some.push_back(*point);
    }
  }
  return some;
}

/// With fewer values where the budget does not allow all; none if it allows none.
result<refinement::points> refinement::run_design(const std::vector<bracket>& brackets) {
  const auto reserve =
      static_cast<std::uint64_t>((1 - share_for_refinement) *
                                 static_cast<double>(context_.runs.runs() + context_.runs.left()));
  for (const std::size_t steps : {steps_wanted, steps_least}) {
    points some = points_in(brackets, steps);
    const auto ran = context_.runs.extend(some, sweep::seed_block::first, seeds_, reserve);
    if (!ran) {
      return tl::unexpected<error>(ran.error());
    }
    if (*ran) {
      return some;
    }
  }
  return points{};
}

/// What an earlier look ran within the brackets tells of the curve there as well.
void refinement::add_tried(points& some, const std::vector<bracket>& brackets) const {
  for (const std::uint32_t p : tried_) {
    const stats::place z = place_in(brackets, p);
    const bool inside = std::ranges::all_of(z, [](double x) { return std::abs(x) <= 1; });
    if (inside && std::ranges::find(some, p) == some.end()) {
      some.push_back(p);
    }
  }
}

refinement::design refinement::usable_of(const points& some,
                                         const std::vector<bracket>& brackets) const {
  design d;
  for (const std::uint32_t p : some) {
    std::vector<double> c =
        context_.what.costs(context_.runs.of(p, sweep::seed_block::first), seeds_);
    if (context_.what.rejection_reason(context_.runs, p, sweep::seed_block::first).empty() &&
        !c.empty()) {
      d.what.push_back(p);
      d.where.push_back(place_in(brackets, p));
      d.costs.push_back(std::move(c));
    }
  }
  return d;
}

std::optional<stats::located_minimum> refinement::fit(const design& d) const {
  if (d.what.empty()) {
    return std::nullopt;
  }
  return ranged_.size() == 1 && d.what.size() >= stats::points_of_cubic
             ? stats::minimise_cubic(d.where, d.costs)
             : stats::minimise_quadratic(d.where, d.costs, ranged_.size());
}

/// Nothing: the budget or the design did not allow it.
result<std::optional<stats::located_minimum>> refinement::refine_in(
    const std::vector<bracket>& brackets) {
  auto ran = run_design(brackets);
  if (!ran) {
    return tl::unexpected<error>(ran.error());
  }
  if (ran->empty()) {
    found_.cut_short = true;
    return std::nullopt;
  }
  points& some = *ran;
  add_tried(some, brackets);
  tried_.insert(tried_.end(), some.begin(), some.end());
  const design d = usable_of(some, brackets);
  const bool is_free = d.what.size() == some.size() && all_meet_constraints(some);
  found_.hindered = found_.hindered || !is_free;
  if (!is_free) {
    if (auto taken = take_any(d.what, better); !taken) {
      return tl::unexpected<error>(taken.error());
    }
  }
  const auto least = fit(d);
  if (!least) {
    return std::nullopt;
  }
  note_interval(*least, brackets);
  const auto point = point_in(brackets, least->at);
  if (!point) {
    return std::nullopt;
  }
  if (auto taken = take(*point, is_free && is_placed(*least) ? no_worse : better); !taken) {
    return tl::unexpected<error>(taken.error());
  }
  if (auto taken = take_any(d.what, found_.misfits ? better : shown_better); !taken) {
    return tl::unexpected<error>(taken.error());
  }
  return least;
}

/// Then the least value that a fit places can be chosen as well.
bool refinement::all_meet_constraints(const points& some) const {
  return std::ranges::all_of(some, [&](std::uint32_t p) {
    return context_.what.is_met(context_.runs.of(p, sweep::seed_block::first));
  });
}

/// In place of the best so far, if on the seeds that both were run on it does not cost more by so
/// many standard errors.
result<void> refinement::take(std::uint32_t point, double errors) {
  const std::array one{point};
  const auto ran = context_.runs.extend(one, sweep::seed_block::first, seeds_, 0);
  if (!ran) {
    return tl::unexpected<error>(ran.error());
  }
  if (!*ran ||
      !context_.what.rejection_reason(context_.runs, point, sweep::seed_block::first).empty() ||
      !context_.what.is_met(context_.runs.of(point, sweep::seed_block::first))) {
    return {};
  }
  const auto mine = context_.what.costs(context_.runs.of(point, sweep::seed_block::first), seeds_);
  const auto others =
      context_.what.costs(context_.runs.of(found_.point, sweep::seed_block::first), seeds_);
  const stats::sample_mean worse = stats::mean_of(stats::paired_differences(mine, others));
  if (worse.mean < errors * worse.error) {
    found_.point = point;
  }
  return {};
}

result<void> refinement::take_any(const points& some, double errors) {
  for (const std::uint32_t p : some) {
    if (auto taken = take(p, errors); !taken) {
      return taken;
    }
  }
  return {};
}

void refinement::note_interval(const stats::located_minimum& least,
                               const std::vector<bracket>& brackets) {
  fitted_.resize(ranged_.size());
  for (std::size_t i = 0; i < ranged_.size(); ++i) {
    const sweep::parameter& p = context_.where.parameters()[ranged_[i]];
    const double half = brackets[i].half();
    const double at = brackets[i].middle + least.at[i] * half;
    const double misfit = misfit_of(i, at, half, least.order);
    const double below = std::hypot((least.at[i] - least.low[i]) * half, misfit);
    const double above = std::hypot((least.high[i] - least.at[i]) * half, misfit);
    found_.interval[ranged_[i]] = {p.end_at(at - below, -1), p.end_at(at + above, 1)};
    fitted_[i] = {at, half};
  }
  // Over a bracket so narrow that noise hides it a kink is still there.
  const bool has_misfitted = found_.fits >= looks && found_.misfits;
  found_.misfits = has_misfitted || least.misfit > misfit_max;
  ++found_.fits;
}

/// What a curve gets wrong beside the noise that the fit sees: what it lacks moves its least value
/// with a power of the bracket's width, so two brackets tell how far it still is (Richardson).
double refinement::misfit_of(std::size_t i, double at, double half, int order) const {
  if (found_.fits == 0) {
    return 0;
  }
  constexpr double narrower = 0.8;
  const double share = std::min(half / fitted_[i].half, narrower);
  double left = 1;
  for (int k = 0; k < order; ++k) {
    left *= share;
  }
  return (at - fitted_[i].at) * left / (1 - left);
}

std::optional<std::uint32_t> refinement::point_in(const std::vector<bracket>& brackets,
                                                  const stats::place& z) {
  sweep::parameter_values c = context_.where.choice_of(found_.point);
  for (std::size_t i = 0; i < ranged_.size(); ++i) {
    const double at = brackets[i].middle + z[i] * brackets[i].half();
    c[ranged_[i]] = context_.where.parameters()[ranged_[i]].text_at(at);
  }
  return context_.where.point_of(c);
}

/// Once its values are rounded.
stats::place refinement::place_in(const std::vector<bracket>& brackets, std::uint32_t point) const {
  stats::place z{};
  for (std::size_t i = 0; i < ranged_.size(); ++i) {
    const double beside = share_in(point, ranged_[i]) - brackets[i].middle;
    z[i] = beside == 0 ? 0 : beside / brackets[i].half();
  }
  return z;
}

double refinement::share_in(std::uint32_t point, std::size_t parameter) const {
  return *context_.where.parameters()[parameter].share_of(
      context_.where.choice_of(point)[parameter]);
}

}  // namespace dibs::tune
