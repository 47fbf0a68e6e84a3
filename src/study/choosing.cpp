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
  // What is no quadratic over the first brackets is nearly one over half of them.
  const int looks = ranged_.empty() ? 0 : 2;
  for (int look = 0; look < looks; ++look) {
    const auto refined = refine_in(brackets);
    if (!refined) {
      return tl::unexpected<error>(refined.error());
    }
    if (!*refined) {
      break;
    }
    for (std::size_t i = 0; i < ranged_.size(); ++i) {
      const double half = (brackets[i].high - brackets[i].low) / 4;
      const double at = share_in(out_.point, ranged_[i]);
      brackets[i] = {std::max(0.0, at - half), at, std::min(1.0, at + half)};
      brackets[i].middle = (brackets[i].low + brackets[i].high) / 2;
    }
  }
  out_.spent.refinement = quest_.runs.runs() - before;
  return {};
}

std::vector<choosing::bracket> choosing::first_brackets() const {
  std::vector<bracket> all;
  for (const std::size_t i : ranged_) {
    const parameter& p = quest_.where.parameters()[i];
    const choice c = quest_.where.choice_of(out_.point);
    const auto at = static_cast<std::size_t>(std::find(p.values.begin(), p.values.end(), c[i]) -
                                             p.values.begin());
    const std::size_t low = at == 0 ? 0 : at - 1;
    const std::size_t high = std::min(at + 1, p.values.size() - 1);
    bracket b{*p.share_of(p.values[low]), 0, *p.share_of(p.values[high])};
    b.middle = (b.low + b.high) / 2;
    all.push_back(b);
  }
  return all;
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

/// False: the budget or the design did not allow it.
result<bool> choosing::refine_in(const std::vector<bracket>& brackets) {
  std::vector<place> places;
  points design = design_in(brackets, places);
  const std::size_t seeds = seeds_to_refine();
  const auto reserve = static_cast<std::uint64_t>(
      (1 - share_for_refinement) * static_cast<double>(quest_.runs.runs() + quest_.runs.left()));
  const auto ran = quest_.runs.extend(design, here, seeds, reserve);
  if (!ran || !*ran) {
    return ran;
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
  if (!quest_.what.constraints.empty() || usable.size() < design.size()) {
    for (const std::uint32_t p : usable) {
      if (auto taken = take_if_better(p); !taken) {
        return tl::unexpected<error>(taken.error());
      }
    }
  }
  const auto least = samples.empty() ? std::nullopt : find_least(sound, samples, ranged_.size());
  if (!least) {
    return false;
  }
  choice c = quest_.where.choice_of(out_.point);
  for (std::size_t i = 0; i < ranged_.size(); ++i) {
    const double half = (brackets[i].high - brackets[i].low) / 2;
    c[ranged_[i]] =
        quest_.where.parameters()[ranged_[i]].text_at(brackets[i].middle + least->at[i] * half);
  }
  note_interval(*least, brackets);
  const auto point = quest_.where.point_of(c);
  if (point) {
    if (auto taken = take_if_better(*point); !taken) {
      return tl::unexpected<error>(taken.error());
    }
  }
  return point.has_value();
}

/// On the seeds that both were run on.
result<void> choosing::take_if_better(std::uint32_t point) {
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
  if (mean_of(mine).mean < mean_of(others).mean) {
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
    out_.cut_off = found->why.empty() ? out_.cut_off : std::move(found->why);
  }
  out_.spent.refinement += quest_.runs.runs() - before;
  return {};
}

void choosing::note_interval(const least_place& least, const std::vector<bracket>& brackets) {
  for (std::size_t i = 0; i < ranged_.size(); ++i) {
    const parameter& p = quest_.where.parameters()[ranged_[i]];
    const double half = (brackets[i].high - brackets[i].low) / 2;
    const double at = brackets[i].middle + least.at[i] * half;
    // By how much two fits over brackets of different width disagree is what a quadratic gets wrong
    // beside the noise that the jackknife sees.
    const double misfit = i < fitted_.size() ? at - fitted_[i] : 0;
    const double wide = std::hypot(least.half_width[i] * half, misfit);
    out_.interval[ranged_[i]] = {p.text_at(at - wide), p.text_at(at + wide)};
    fitted_.resize(std::max(fitted_.size(), i + 1), at);
    fitted_[i] = at;
  }
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
