#include "study/refining.hpp"

#include "study/interval.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace dibs::study {
namespace {

/// Of the budget: what is left to the verdict on fresh seeds at least.
constexpr double share_for_refinement = 0.6;
/// In standard errors: what noise alone will hardly bring about; a bend that places a least value.
constexpr double clearly = 4;
constexpr double bend_wanted = 8;
/// In standard errors too. The winner won by luck as well, so where a fit through many values
/// places the least one, it has to be shown to be worse to be left.
constexpr double better = 0;
constexpr double no_worse = 2;

bool is_placed(const least_place& l) {
  const auto finite = [](double x) { return std::isfinite(x); };
  return l.inside && std::all_of(l.low.begin(), l.low.end(), finite);
}

/// The places of a design around the middle: the ends and, for one variable, what lies between;
/// for more of them corners and the middles of the sides.
std::vector<place> design_of(std::size_t variables) {
  std::vector<place> all{place{}};
  if (variables == 1) {
    for (const double z : {-1.0, -0.5, 0.5, 1.0}) {
      all.push_back({z});
    }
    return all;
  }
  for (std::size_t i = 0; i < variables; ++i) {
    for (const double z : {-1.0, 1.0}) {
      place p{};
      p[i] = z;
      all.push_back(p);
    }
  }
  for (unsigned corner = 0; corner < 1U << variables; ++corner) {
    place p{};
    for (std::size_t i = 0; i < variables; ++i) {
      p[i] = (corner >> i & 1U) != 0 ? 1 : -1;
    }
    all.push_back(p);
  }
  return all;
}

}  // namespace

refining::refining(const quest& q, std::uint32_t from, std::size_t seeds)
    : quest_(q), seeds_(seeds), ranged_(ranged_of(q.where.parameters())) {
  found_.point = from;
  found_.interval.resize(quest_.where.parameters().size());
}

result<refined> refining::run() {
  std::vector<bracket> brackets = first_brackets();
  // What is no quadratic over the first brackets is nearly one over narrower ones.
  constexpr int looks_max = 2;
  for (int look = 0; look < looks_max && !brackets.empty(); ++look) {
    const auto fitted = refine_in(brackets);
    if (!fitted) {
      return tl::unexpected<error>(fitted.error());
    }
    if (!*fitted) {
      break;
    }
    brackets = narrowed(brackets, **fitted);
  }
  return found_;
}

/// Around the winner, up to what is clearly worse: between the winner's neighbours on a dense grid
/// or a flat stretch nothing bends that could be seen, and the best may lie beyond them.
std::vector<refining::bracket> refining::first_brackets() const {
  std::vector<bracket> all;
  for (const std::size_t i : ranged_) {
    const parameter& p = quest_.where.parameters()[i];
    const double low = *p.share_of(clearly_worse(i, -1));
    const double high = *p.share_of(clearly_worse(i, 1));
    all.push_back({low, (low + high) / 2, high});
  }
  return all;
}

/// The first value of the grid that way that costs clearly more than the winner, or that cannot be
/// chosen; the last one if none is. Nothing but the winner where it stands at the end.
std::string refining::clearly_worse(std::size_t parameter, std::ptrdiff_t step) const {
  const std::vector<std::string>& values = quest_.where.parameters()[parameter].values;
  choice c = quest_.where.choice_of(found_.point);
  auto at = std::find(values.begin(), values.end(), c[parameter]) - values.begin();
  for (at += step; at >= 0 && at < std::ssize(values); at += step) {
    c[parameter] = values[static_cast<std::size_t>(at)];
    const auto point = quest_.where.point_of(c);
    const bool is_last = at + step < 0 || at + step >= std::ssize(values);
    if (is_last || !point || costs_clearly_more(*point)) {
      break;
    }
  }
  return c[parameter];
}

/// On the seeds that both were run on; also what cannot be chosen.
bool refining::costs_clearly_more(std::uint32_t point) const {
  const auto theirs = quest_.runs.of(point, block::first);
  const auto mine = quest_.runs.of(found_.point, block::first);
  const std::size_t n = std::min(theirs.size(), mine.size());
  const auto worse = minus(quest_.what.costs(theirs, n), quest_.what.costs(mine, n));
  if (worse.size() < 2 || !quest_.what.flaw_of(quest_.runs, point, block::first).empty()) {
    return true;
  }
  const mean_of_samples by = mean_of(worse);
  return by.mean > clearly * by.error;
}

/// As far around the best as leaves a bend that can be seen, for it shrinks with the square; half
/// as far at least, and where the fit has no least value inside. None if that would hardly be
/// another look.
std::vector<refining::bracket> refining::narrowed(const std::vector<bracket>& brackets,
                                                  const least_place& fitted) const {
  constexpr double hardly = 0.8;
  double least_share = 1;
  std::vector<bracket> all;
  for (std::size_t i = 0; i < brackets.size(); ++i) {
    const double bend = std::max(fitted.bend[i], bend_wanted);
    const double share = fitted.inside ? std::max(0.5, std::sqrt(bend_wanted / bend)) : 0.5;
    const double half = share * (brackets[i].high - brackets[i].low) / 2;
    const double at = share_in(found_.point, ranged_[i]);
    const double low = std::max(0.0, at - half);
    const double high = std::min(1.0, at + half);
    all.push_back({low, (low + high) / 2, high});
    least_share = std::min(least_share, share);
  }
  return least_share < hardly ? all : std::vector<bracket>{};
}

/// The points of a design that can be run, with where they are once their values are rounded.
refining::points refining::design_in(const std::vector<bracket>& brackets,
                                     std::vector<place>& places) {
  points some;
  for (const place& z : design_of(ranged_.size())) {
    choice c = quest_.where.choice_of(found_.point);
    for (std::size_t i = 0; i < ranged_.size(); ++i) {
      const double half = (brackets[i].high - brackets[i].low) / 2;
      c[ranged_[i]] =
          quest_.where.parameters()[ranged_[i]].text_at(brackets[i].middle + z[i] * half);
    }
    const auto point = quest_.where.point_of(c);
    if (!point || std::find(some.begin(), some.end(), *point) != some.end()) {
      continue;
    }
    place actual{};
    for (std::size_t i = 0; i < ranged_.size(); ++i) {
      const double half = (brackets[i].high - brackets[i].low) / 2;
      actual[i] = (share_in(*point, ranged_[i]) - brackets[i].middle) / half;
    }
    some.push_back(*point);
    places.push_back(actual);
  }
  return some;
}

/// Nothing: the budget or the design did not allow it.
result<std::optional<least_place>> refining::refine_in(const std::vector<bracket>& brackets) {
  std::vector<place> places;
  points design = design_in(brackets, places);
  const auto reserve = static_cast<std::uint64_t>(
      (1 - share_for_refinement) * static_cast<double>(quest_.runs.runs() + quest_.runs.left()));
  const auto ran = quest_.runs.extend(design, block::first, seeds_, reserve);
  if (!ran) {
    return tl::unexpected<error>(ran.error());
  }
  if (!*ran) {
    found_.cut_short = fitted_.empty();
    return std::nullopt;
  }
  std::vector<std::vector<double>> samples;
  std::vector<place> sound;
  points usable;
  for (std::size_t i = 0; i < design.size(); ++i) {
    std::vector<double> c = quest_.what.costs(quest_.runs.of(design[i], block::first), seeds_);
    if (quest_.what.flaw_of(quest_.runs, design[i], block::first).empty() && !c.empty()) {
      samples.push_back(std::move(c));
      sound.push_back(places[i]);
      usable.push_back(design[i]);
    }
  }
  const bool is_free = usable.size() == design.size();
  if (!quest_.what.constraints.empty() || !is_free) {
    for (const std::uint32_t p : usable) {
      if (auto taken = take(p, better); !taken) {
        return tl::unexpected<error>(taken.error());
      }
    }
  }
  const auto least = samples.empty() ? std::nullopt : find_least(sound, samples, ranged_.size());
  if (!least) {
    return std::nullopt;
  }
  choice c = quest_.where.choice_of(found_.point);
  for (std::size_t i = 0; i < ranged_.size(); ++i) {
    const double half = (brackets[i].high - brackets[i].low) / 2;
    c[ranged_[i]] =
        quest_.where.parameters()[ranged_[i]].text_at(brackets[i].middle + least->at[i] * half);
  }
  note_interval(*least, brackets);
  const auto point = quest_.where.point_of(c);
  if (!point) {
    return std::nullopt;
  }
  if (auto taken = take(*point, is_free && is_placed(*least) ? no_worse : better); !taken) {
    return tl::unexpected<error>(taken.error());
  }
  return least;
}

/// In place of the best so far, if on the seeds that both were run on it does not cost more by so
/// many standard errors.
result<void> refining::take(std::uint32_t point, double errors) {
  const std::array one{point};
  const auto ran = quest_.runs.extend(one, block::first, seeds_, 0);
  if (!ran) {
    return tl::unexpected<error>(ran.error());
  }
  if (!*ran || !quest_.what.flaw_of(quest_.runs, point, block::first).empty() ||
      !quest_.what.is_met(quest_.runs.of(point, block::first))) {
    return {};
  }
  const auto mine = quest_.what.costs(quest_.runs.of(point, block::first), seeds_);
  const auto others = quest_.what.costs(quest_.runs.of(found_.point, block::first), seeds_);
  const mean_of_samples worse = mean_of(minus(mine, others));
  if (worse.mean < errors * worse.error) {
    found_.point = point;
  }
  return {};
}

void refining::note_interval(const least_place& least, const std::vector<bracket>& brackets) {
  for (std::size_t i = 0; i < ranged_.size(); ++i) {
    const parameter& p = quest_.where.parameters()[ranged_[i]];
    const double half = (brackets[i].high - brackets[i].low) / 2;
    const double at = brackets[i].middle + least.at[i] * half;
    const double misfit = misfit_of(i, at, half);
    const double below = std::hypot((least.at[i] - least.low[i]) * half, misfit);
    const double above = std::hypot((least.high[i] - least.at[i]) * half, misfit);
    found_.interval[ranged_[i]] = {p.text_at(at - below), p.text_at(at + above)};
    fitted_.resize(std::max(fitted_.size(), i + 1));
    fitted_[i] = {at, half};
  }
}

/// What a quadratic gets wrong beside the noise that the fit sees: a cubic part moves its least
/// value with the square of the bracket's width, so two brackets tell how far it still is
/// (Richardson).
double refining::misfit_of(std::size_t i, double at, double half) const {
  if (i >= fitted_.size()) {
    return 0;
  }
  constexpr double narrower = 0.8;
  const double share = std::min(half / fitted_[i].half, narrower);
  return (at - fitted_[i].at) * share * share / (1 - share * share);
}

double refining::share_in(std::uint32_t point, std::size_t parameter) const {
  return *quest_.where.parameters()[parameter].share_of(quest_.where.choice_of(point)[parameter]);
}

}  // namespace dibs::study
