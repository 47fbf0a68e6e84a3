#include "tune/search.hpp"

#include "base/ensure.hpp"
#include "stats/sample_mean.hpp"
#include "text/number.hpp"
#include "tune/boundary_search.hpp"
#include "tune/local_minima.hpp"
#include "tune/refinement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

namespace dibs::tune {
namespace {

/// Of the budget: what the choice leaves to the validation on fresh seeds.
constexpr double share_for_selection = 0.5;
constexpr double share_for_edges = 0.6;
constexpr std::size_t refinement_seeds_max = 60;
/// `misses ttm.p95 <= 45s (7 of them); drivers on 2 trips (3)`, the most frequent first.
std::string listed(const std::map<std::string, std::size_t>& flaws) {
  if (flaws.size() == 1) {
    return flaws.begin()->first;
  }
  std::vector<std::pair<std::string, std::size_t>> order(flaws.begin(), flaws.end());
  std::ranges::stable_sort(order, [](auto& a, auto& b) { return a.second > b.second; });
  std::string text;
  for (const auto& [flaw, count] : order) {
    text += fmt::format(
        "{}{} ({}{})", text.empty() ? "" : "; ", flaw, count, text.empty() ? " of them" : "");
  }
  return text;
}

}  // namespace

value_search::value_search(const search_context& q)
    : context_(q), ranged_(sweep::ranged_of(q.where.parameters())) {
  out_.interval.resize(context_.where.parameters().size());
}

result<search_result> value_search::choose() {
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
  out_.of_grid = context_.where.choice_of(out_.point);
  out_.seeds = n_;
  out_.valleys = other_local_minima(context_, out_.point);
  if (auto done = refine(); !done) {
    return tl::unexpected<error>(done.error());
  }
  if (auto done = search_range_ends(); !done) {
    return tl::unexpected<error>(done.error());
  }
  return out_;
}

// -- screening and selection ---------------------------------------------------------------------

result<void> value_search::screen() {
  for (std::uint32_t p = 1; p <= context_.where.grid_size(); ++p) {
    alive_.push_back(p);
  }
  n_ = context_.how.first;
  context_.tell(fmt::format("screening {} values on {} seeds", alive_.size(), n_));
  const auto ran = context_.runs.extend(alive_, sweep::seed_block::first, n_, 0);
  if (!ran) {
    return tl::unexpected<error>(ran.error());
  }
  out_.spent.screening = context_.runs.runs();
  if (!*ran && context_.runs.is_time_up()) {
    out_.screened = false;
    out_.why = fmt::format("the time was spent after {} of the {} runs that a first look takes",
                           text::with_thousands(context_.runs.runs()),
                           text::with_thousands(alive_.size() * n_));
    alive_.clear();
    return {};
  }
  if (!*ran) {
    return failure(exit_code::usage,
                   fmt::format("{} values on {} seeds are {} runs, more than the budget",
                               alive_.size(),
                               n_,
                               text::with_thousands(alive_.size() * n_)));
  }
  drop_flawed();
  return {};
}

void value_search::drop_flawed() {
  std::map<std::string, std::size_t> flaws;
  points kept;
  for (const std::uint32_t p : alive_) {
    const std::string flaw =
        context_.what.rejection_reason(context_.runs, p, sweep::seed_block::first);
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
    for (std::uint32_t p = 1; p <= context_.where.grid_size(); ++p) {
      out_.safe = out_.safe || context_.runs.broken(p) == nullptr;
    }
  }
}

/// A point whose constraints are still open beats nobody: it may turn out not to count.
void value_search::drop_beaten(const stats::kim_nelson& by) {
  points kept;
  std::map<std::uint32_t, std::vector<double>> cost;
  std::map<std::uint32_t, bool> counts;
  for (const std::uint32_t p : alive_) {
    cost[p] = costs(p);
    counts[p] = context_.what.is_met(context_.runs.of(p, sweep::seed_block::first));
  }
  for (const std::uint32_t p : alive_) {
    const bool beaten = std::ranges::any_of(alive_, [&](std::uint32_t other) {
      return other != p && counts[other] && by.eliminates(other - 1, p - 1, cost[other], cost[p]);
    });
    if (!beaten) {
      kept.push_back(p);
    }
  }
  alive_ = std::move(kept);
}

result<void> value_search::select() {
  const std::uint64_t before = context_.runs.runs();
  std::vector<std::vector<double>> first(context_.where.grid_size());
  for (std::uint32_t p = 1; p <= context_.where.grid_size(); ++p) {
    first[p - 1] =
        std::ranges::find(alive_, p) != alive_.end() ? costs(p) : std::vector<double>(n_, 0.0);
  }
  if (alive_.size() == 1) {
    out_.selected = context_.what.is_met(context_.runs.of(alive_[0], sweep::seed_block::first));
    return {};
  }
  const stats::kim_nelson by(first, {.alpha = context_.how.alpha, .delta = indifference()});
  context_.tell(fmt::format("selecting among {}", alive_.size()));
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
      out_.spent.selection = context_.runs.runs() - before;
      return {};
    }
    drop_flawed();
    drop_beaten(by);
  }
  out_.spent.selection = context_.runs.runs() - before;
  if (!alive_.empty()) {
    const std::uint32_t best_point = least_of(alive_);
    alive_ = {best_point};
    out_.selected = context_.what.is_met(context_.runs.of(best_point, sweep::seed_block::first));
  }
  return {};
}

/// The least difference that matters: a share of the best, unless that is about 0. Then half of
/// what the next one is worse by: a share of nothing would take for ever, and a number out of the
/// air would call what is worse as good.
double value_search::indifference() {
  const std::uint32_t best_point = least_of(alive_);
  const stats::sample_mean best = stats::mean_of(costs(best_point));
  const double share = context_.how.delta * std::abs(best.mean);
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
result<bool> value_search::run_more(std::size_t most) {
  const std::size_t step = std::max<std::size_t>(5, n_ / 5);
  const std::size_t next = std::min(n_ + step, most);
  const auto reserve = static_cast<std::uint64_t>(
      share_for_selection * static_cast<double>(context_.runs.runs() + context_.runs.left()));
  auto ran = context_.runs.extend(alive_, sweep::seed_block::first, next, reserve);
  if (ran && *ran) {
    n_ = next;
  }
  return ran;
}

// -- refinement ----------------------------------------------------------------------------------

result<void> value_search::refine() {
  if (ranged_.empty()) {
    return {};
  }
  const std::uint64_t before = context_.runs.runs();
  context_.tell("refining around " +
                sweep::label_of(context_.where.parameters(), context_.where.choice_of(out_.point)));
  auto found = refinement(context_, out_.point, seeds_to_refine()).run();
  if (!found) {
    return tl::unexpected<error>(found.error());
  }
  out_.point = found->point;
  out_.interval = std::move(found->interval);
  out_.fits = found->fits;
  out_.misfits = found->misfits;
  out_.cut_short = found->cut_short;
  out_.hindered = found->hindered;
  out_.unrefined = found->cut_short && found->fits == 0;
  out_.spent.refinement = context_.runs.runs() - before;
  return {};
}

std::size_t value_search::seeds_to_refine() const {
  return std::min(n_, std::max<std::size_t>(context_.how.first, refinement_seeds_max));
}

/// A value that only just meets a constraint has to be shown to: the more seeds, the nearer to the
/// constraint is what can be shown.
std::size_t value_search::seeds_at_edge(std::uint64_t reserve) const {
  if (context_.what.constraints.empty()) {
    return seeds_to_refine();
  }
  constexpr std::uint64_t values_tried = 10;
  constexpr std::uint64_t seeds_max = 400;
  const std::uint64_t left = context_.runs.left();
  const std::uint64_t affordable = left > reserve ? (left - reserve) / values_tried : 0;
  return std::clamp<std::uint64_t>(
      affordable, std::max<std::size_t>(context_.how.first, refinement_seeds_max), seeds_max);
}

/// Up to what conditions and constraints allow.
result<void> value_search::search_range_ends() {
  const std::uint64_t before = context_.runs.runs();
  const auto reserve = static_cast<std::uint64_t>(
      (1 - share_for_edges) * static_cast<double>(context_.runs.runs() + context_.runs.left()));
  const std::size_t seeds = seeds_at_edge(reserve);
  for (const std::size_t i : ranged_) {
    auto found = boundary_search(context_, {out_.point, i, seeds, reserve}).run();
    if (!found) {
      return tl::unexpected<error>(found.error());
    }
    out_.point = found->point;
    if (!found->why.empty()) {
      out_.cut_off = std::move(found->why);
      out_.interval[i].reset();
    }
  }
  out_.spent.refinement += context_.runs.runs() - before;
  return {};
}

// -- figures -------------------------------------------------------------------------------------

std::vector<double> value_search::costs(std::uint32_t point) const {
  return context_.what.costs(context_.runs.of(point, sweep::seed_block::first), n_);
}

int value_search::promises_of(std::uint32_t point) const {
  return std::popcount(context_.where.rules_of(point).promises);
}

double value_search::mean_cost(std::uint32_t point) const {
  const std::vector<double> c = costs(point);
  return std::accumulate(c.begin(), c.end(), 0.0) / static_cast<double>(c.size());
}

/// Those that are shown to meet the constraints before the others. What costs the same in every
/// run differs in what was not tried: the one that promises more is the safer.
std::uint32_t value_search::least_of(const points& some) const {
  ensure(!some.empty(), "the least of nothing");
  return *std::ranges::min_element(some, [&](std::uint32_t a, std::uint32_t b) {
    const auto rank = [&](std::uint32_t p) {
      return std::pair(!context_.what.is_met(context_.runs.of(p, sweep::seed_block::first)),
                       mean_cost(p));
    };
    const auto of_a = rank(a);
    const auto of_b = rank(b);
    return of_a != of_b ? of_a < of_b : promises_of(a) > promises_of(b);
  });
}

}  // namespace dibs::tune
