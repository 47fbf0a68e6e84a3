#include "study/choosing.hpp"

#include "base/ensure.hpp"
#include "report/number.hpp"
#include "study/edge_search.hpp"
#include "study/interval.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

namespace dibs::study {
namespace {

constexpr block here = block::first;
/// Of the budget: what the choice leaves to the verdict on fresh seeds.
constexpr double share_for_selection = 0.5;
constexpr double share_for_refinement = 0.6;
constexpr double share_for_edges = 0.7;
constexpr std::size_t refinement_seeds_max = 60;
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

/// `misses ttm.p95 <= 45s (7 of them); drivers on 2 trips (3)`, the most frequent first.
std::string listed(const std::map<std::string, std::size_t>& flaws) {
  if (flaws.size() == 1) {
    return flaws.begin()->first;
  }
  std::vector<std::pair<std::string, std::size_t>> order(flaws.begin(), flaws.end());
  std::stable_sort(
      order.begin(), order.end(), [](auto& a, auto& b) { return a.second > b.second; });
  std::string text;
  for (const auto& [flaw, count] : order) {
    text += fmt::format(
        "{}{} ({}{})", text.empty() ? "" : "; ", flaw, count, text.empty() ? " of them" : "");
  }
  return text;
}

}  // namespace

choosing::choosing(const quest& q) : quest_(q) {
  for (std::size_t i = 0; i < quest_.where.parameters().size(); ++i) {
    if (quest_.where.parameters()[i].range) {
      ranged_.push_back(i);
    }
  }
  out_.interval.resize(quest_.where.parameters().size());
}

result<chosen> choosing::choose() {
  if (auto done = screen(); !done) {
    return tl::unexpected<error>(done.error());
  }
  if (alive_.empty()) {
    return out_;
  }
  if (auto done = select(); !done) {
    return tl::unexpected<error>(done.error());
  }
  if (alive_.empty()) {
    return out_;
  }
  out_.point = least_of(alive_);
  out_.seeds = n_;
  if (auto done = refine(); !done) {
    return tl::unexpected<error>(done.error());
  }
  if (auto done = search_edges(); !done) {
    return tl::unexpected<error>(done.error());
  }
  return out_;
}

// -- screening and selection ---------------------------------------------------------------------

result<void> choosing::screen() {
  for (std::uint32_t p = 1; p <= quest_.where.grid_size(); ++p) {
    alive_.push_back(p);
  }
  n_ = quest_.how.first;
  quest_.tell(fmt::format("screening {} values on {} seeds", alive_.size(), n_));
  const auto ran = quest_.runs.extend(alive_, here, n_, 0);
  if (!ran) {
    return tl::unexpected<error>(ran.error());
  }
  out_.spent.screening = quest_.runs.runs();
  if (!*ran && quest_.runs.is_time_up()) {
    out_.screened = false;
    out_.why = fmt::format("the time was spent after {} of the {} runs that a first look takes",
                           report::grouped(quest_.runs.runs()),
                           report::grouped(alive_.size() * n_));
    alive_.clear();
    return {};
  }
  if (!*ran) {
    return failure(exit_code::usage,
                   fmt::format("{} values on {} seeds are {} runs, more than the budget",
                               alive_.size(),
                               n_,
                               report::grouped(alive_.size() * n_)));
  }
  drop_flawed();
  return {};
}

void choosing::drop_flawed() {
  std::map<std::string, std::size_t> flaws;
  points kept;
  for (const std::uint32_t p : alive_) {
    const std::string flaw = quest_.what.flaw_of(quest_.runs, p, here);
    if (flaw.empty()) {
      kept.push_back(p);
    } else {
      ++flaws[flaw];
      out_.flaws[p] = flaw;
    }
  }
  alive_ = std::move(kept);
  if (alive_.empty()) {
    out_.why = listed(flaws);
    out_.safe = false;
    for (std::uint32_t p = 1; p <= quest_.where.grid_size(); ++p) {
      out_.safe = out_.safe || quest_.runs.broken(p) == nullptr;
    }
  }
}

/// A point whose constraints are still open beats nobody: it may turn out not to count.
void choosing::drop_beaten(const selection& by) {
  points kept;
  std::map<std::uint32_t, std::vector<double>> cost;
  std::map<std::uint32_t, bool> counts;
  for (const std::uint32_t p : alive_) {
    cost[p] = costs(p);
    counts[p] = quest_.what.is_met(quest_.runs.of(p, here));
  }
  for (const std::uint32_t p : alive_) {
    const bool beaten = std::any_of(alive_.begin(), alive_.end(), [&](std::uint32_t other) {
      return other != p && counts[other] && by.eliminates(other - 1, p - 1, cost[other], cost[p]);
    });
    if (!beaten) {
      kept.push_back(p);
    }
  }
  alive_ = std::move(kept);
}

result<void> choosing::select() {
  const std::uint64_t before = quest_.runs.runs();
  std::vector<std::vector<double>> first(quest_.where.grid_size());
  for (std::uint32_t p = 1; p <= quest_.where.grid_size(); ++p) {
    first[p - 1] = std::find(alive_.begin(), alive_.end(), p) != alive_.end()
                       ? costs(p)
                       : std::vector<double>(n_, 0.0);
  }
  if (alive_.size() == 1) {
    out_.selected = quest_.what.is_met(quest_.runs.of(alive_[0], here));
    return {};
  }
  const selection by(first, {.alpha = quest_.how.alpha, .delta = indifference()});
  quest_.tell(fmt::format("selecting among {}", alive_.size()));
  drop_beaten(by);
  const auto most = [&] {
    std::vector<std::size_t> systems;
    for (const std::uint32_t p : alive_) {
      systems.push_back(p - 1);
    }
    return by.most_replications(systems);
  };
  while (alive_.size() > 1 && n_ < most()) {
    const auto more = run_more(most());
    if (!more) {
      return tl::unexpected<error>(more.error());
    }
    if (!*more) {
      out_.spent.selection = quest_.runs.runs() - before;
      return {};
    }
    drop_flawed();
    drop_beaten(by);
  }
  out_.spent.selection = quest_.runs.runs() - before;
  if (!alive_.empty()) {
    const std::uint32_t best_point = least_of(alive_);
    alive_ = {best_point};
    out_.selected = quest_.what.is_met(quest_.runs.of(best_point, here));
  }
  return {};
}

/// The least difference that matters: a share of the best, unless that is about 0. Then half of
/// what the next one is worse by: a share of nothing would take for ever, and a number out of the
/// air would call what is worse as good.
double choosing::indifference() {
  const std::uint32_t best_point = least_of(alive_);
  const mean_of_samples best = mean_of(costs(best_point));
  const double share = quest_.how.delta * std::abs(best.mean);
  if (std::abs(best.mean) > best.half_width()) {
    return share;
  }
  double gap = std::numeric_limits<double>::infinity();
  for (const std::uint32_t p : alive_) {
    const double worse = mean_cost(p) - best.mean;
    gap = worse > 0 ? std::min(gap, worse) : gap;
  }
  if (!std::isfinite(gap)) {
    return share > 0 ? share : 1;  // all are alike, and nothing is told apart
  }
  out_.delta = std::max(share, gap / 2);
  return *out_.delta;
}

/// Some more seeds for those that are left. False: the selection's part of the budget is spent.
result<bool> choosing::run_more(std::size_t most) {
  const std::size_t step = std::max<std::size_t>(5, n_ / 5);
  const std::size_t next = std::min(n_ + step, most);
  const auto reserve = static_cast<std::uint64_t>(
      share_for_selection * static_cast<double>(quest_.runs.runs() + quest_.runs.left()));
  auto ran = quest_.runs.extend(alive_, here, next, reserve);
  if (ran && *ran) {
    n_ = next;
  }
  return ran;
}

// -- refinement ----------------------------------------------------------------------------------

result<void> choosing::refine() {
  const std::uint64_t before = quest_.runs.runs();
  if (!ranged_.empty()) {
    quest_.tell("refining around " +
                label_of(quest_.where.parameters(), quest_.where.choice_of(out_.point)));
  }
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
  out_.spent.refinement = quest_.runs.runs() - before;
  return {};
}

/// Around the winner, up to what is clearly worse: between the winner's neighbours on a dense grid
/// or a flat stretch nothing bends that could be seen, and the best may lie beyond them.
std::vector<choosing::bracket> choosing::first_brackets() const {
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
std::string choosing::clearly_worse(std::size_t parameter, std::ptrdiff_t step) const {
  const std::vector<std::string>& values = quest_.where.parameters()[parameter].values;
  choice c = quest_.where.choice_of(out_.point);
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
bool choosing::costs_clearly_more(std::uint32_t point) const {
  const auto theirs = quest_.runs.of(point, here);
  const auto mine = quest_.runs.of(out_.point, here);
  const std::size_t n = std::min(theirs.size(), mine.size());
  const auto worse = minus(quest_.what.costs(theirs, n), quest_.what.costs(mine, n));
  if (worse.size() < 2 || !quest_.what.flaw_of(quest_.runs, point, here).empty()) {
    return true;
  }
  const mean_of_samples by = mean_of(worse);
  return by.mean > clearly * by.error;
}

/// As far around the best as leaves a bend that can be seen, for it shrinks with the square; half
/// as far at least, and where the fit has no least value inside. None if that would hardly be
/// another look.
std::vector<choosing::bracket> choosing::narrowed(const std::vector<bracket>& brackets,
                                                  const least_place& fitted) const {
  constexpr double hardly = 0.8;
  double least_share = 1;
  std::vector<bracket> all;
  for (std::size_t i = 0; i < brackets.size(); ++i) {
    const double bend = std::max(fitted.bend[i], bend_wanted);
    const double share = fitted.inside ? std::max(0.5, std::sqrt(bend_wanted / bend)) : 0.5;
    const double half = share * (brackets[i].high - brackets[i].low) / 2;
    const double at = share_in(out_.point, ranged_[i]);
    const double low = std::max(0.0, at - half);
    const double high = std::min(1.0, at + half);
    all.push_back({low, (low + high) / 2, high});
    least_share = std::min(least_share, share);
  }
  return least_share < hardly ? all : std::vector<bracket>{};
}

/// The points of a design that can be run, with where they are once their values are rounded.
choosing::points choosing::design_in(const std::vector<bracket>& brackets,
                                     std::vector<place>& places) {
  points some;
  for (const place& z : design_of(ranged_.size())) {
    choice c = quest_.where.choice_of(out_.point);
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
result<std::optional<least_place>> choosing::refine_in(const std::vector<bracket>& brackets) {
  std::vector<place> places;
  points design = design_in(brackets, places);
  const std::size_t seeds = seeds_to_refine();
  const auto reserve = static_cast<std::uint64_t>(
      (1 - share_for_refinement) * static_cast<double>(quest_.runs.runs() + quest_.runs.left()));
  const auto ran = quest_.runs.extend(design, here, seeds, reserve);
  if (!ran) {
    return tl::unexpected<error>(ran.error());
  }
  if (!*ran) {
    return std::nullopt;
  }
  std::vector<std::vector<double>> samples;
  std::vector<place> sound;
  points usable;
  for (std::size_t i = 0; i < design.size(); ++i) {
    std::vector<double> c = quest_.what.costs(quest_.runs.of(design[i], here), seeds);
    if (quest_.what.flaw_of(quest_.runs, design[i], here).empty() && !c.empty()) {
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
  choice c = quest_.where.choice_of(out_.point);
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
result<void> choosing::take(std::uint32_t point, double errors) {
  const std::size_t seeds = seeds_to_refine();
  const std::array one{point};
  const auto ran = quest_.runs.extend(one, here, seeds, 0);
  if (!ran) {
    return tl::unexpected<error>(ran.error());
  }
  if (!*ran || !quest_.what.flaw_of(quest_.runs, point, here).empty() ||
      !quest_.what.is_met(quest_.runs.of(point, here))) {
    return {};
  }
  const auto mine = quest_.what.costs(quest_.runs.of(point, here), seeds);
  const auto others = quest_.what.costs(quest_.runs.of(out_.point, here), seeds);
  const mean_of_samples worse = mean_of(minus(mine, others));
  if (worse.mean < errors * worse.error) {
    out_.point = point;
  }
  return {};
}

std::size_t choosing::seeds_to_refine() const {
  return std::min(n_, std::max<std::size_t>(quest_.how.first, refinement_seeds_max));
}

/// Up to what conditions and constraints allow. Seeds as many as refinement may have: a value that
/// only just meets a constraint has to be shown to.
result<void> choosing::search_edges() {
  const std::uint64_t before = quest_.runs.runs();
  const std::size_t seeds = quest_.what.constraints.empty()
                                ? seeds_to_refine()
                                : std::max<std::size_t>(quest_.how.first, refinement_seeds_max);
  const auto reserve = static_cast<std::uint64_t>(
      (1 - share_for_edges) * static_cast<double>(quest_.runs.runs() + quest_.runs.left()));
  for (const std::size_t i : ranged_) {
    auto found = edge_search(quest_, {out_.point, i, seeds, reserve}).run();
    if (!found) {
      return tl::unexpected<error>(found.error());
    }
    out_.point = found->point;
    if (!found->why.empty()) {
      out_.cut_off = std::move(found->why);
      out_.interval[i].reset();
    }
  }
  out_.spent.refinement += quest_.runs.runs() - before;
  return {};
}

void choosing::note_interval(const least_place& least, const std::vector<bracket>& brackets) {
  for (std::size_t i = 0; i < ranged_.size(); ++i) {
    const parameter& p = quest_.where.parameters()[ranged_[i]];
    const double half = (brackets[i].high - brackets[i].low) / 2;
    const double at = brackets[i].middle + least.at[i] * half;
    const double misfit = misfit_of(i, at, half);
    const double below = std::hypot((least.at[i] - least.low[i]) * half, misfit);
    const double above = std::hypot((least.high[i] - least.at[i]) * half, misfit);
    out_.interval[ranged_[i]] = {p.text_at(at - below), p.text_at(at + above)};
    fitted_.resize(std::max(fitted_.size(), i + 1));
    fitted_[i] = {at, half};
  }
}

/// What a quadratic gets wrong beside the noise that the fit sees: a cubic part moves its least
/// value with the square of the bracket's width, so two brackets tell how far it still is
/// (Richardson).
double choosing::misfit_of(std::size_t i, double at, double half) const {
  if (i >= fitted_.size()) {
    return 0;
  }
  constexpr double narrower = 0.8;
  const double share = std::min(half / fitted_[i].half, narrower);
  return (at - fitted_[i].at) * share * share / (1 - share * share);
}

// -- figures -------------------------------------------------------------------------------------

std::vector<double> choosing::costs(std::uint32_t point) const {
  return quest_.what.costs(quest_.runs.of(point, here), n_);
}

double choosing::mean_cost(std::uint32_t point) const {
  const std::vector<double> c = costs(point);
  return std::accumulate(c.begin(), c.end(), 0.0) / static_cast<double>(c.size());
}

/// Those that are shown to meet the constraints before the others.
std::uint32_t choosing::least_of(const points& some) const {
  ensure(!some.empty(), "the least of nothing");
  return *std::min_element(some.begin(), some.end(), [&](std::uint32_t a, std::uint32_t b) {
    const auto rank = [&](std::uint32_t p) {
      return std::pair(!quest_.what.is_met(quest_.runs.of(p, here)), mean_cost(p));
    };
    return rank(a) < rank(b);
  });
}

double choosing::share_in(std::uint32_t point, std::size_t parameter) const {
  return *quest_.where.parameters()[parameter].share_of(quest_.where.choice_of(point)[parameter]);
}

}  // namespace dibs::study
