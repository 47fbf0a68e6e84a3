#include "tune/validation.hpp"

#include "base/ensure.hpp"
#include "stats/sample_mean.hpp"
#include "sweep/ineffective_fields.hpp"
#include "tune/validation_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace dibs::tune {
namespace {

constexpr std::size_t first_look = 20;
constexpr std::size_t least_look = 5;
/// Of the budget: for the trade-off, and for what is as good.
constexpr double share_kept_by_looks = 0.1;
/// An end is worse only by what could matter: a share of delta.
constexpr double share_that_matters = 0.25;

}  // namespace

validation::validation(const search_context& q) : context_(q) {
  out_.objective = context_.what.objective.text();
  out_.unit = context_.what.objective.unit();
  out_.wants_more = context_.what.objective.wants_more();
  out_.delta = context_.how.delta;
  out_.told_delta = out_.delta;
  out_.alpha = context_.how.alpha;
  out_.allows_doubles = context_.what.allows_doubles;
  for (const sweep::parameter& p : context_.where.parameters()) {
    out_.paths.push_back(p.path);
  }
  for (const sweep::metric_formula& each : context_.what.shown) {
    out_.shown.push_back(each.text());
  }
}

result<tuning> validation::on(const search_result& c) {
  out_.screened = context_.where.grid_size();
  out_.left_out = c.flaws.size();
  out_.selected = c.selected;
  out_.of_grid = c.of_grid;
  out_.selection_seeds = c.seeds;
  out_.spent = c.spent;
  out_.interval = c.interval;
  out_.selection_delta = c.delta;
  if (c.point == 0) {
    out_.answer = !c.screened ? tuning_status::inconclusive
                  : c.safe    ? tuning_status::infeasible
                              : tuning_status::unsafe;
    out_.why = c.screened ? "no value can be chosen: " + c.why : c.why;
    for (const auto& [point, why] : c.flaws) {
      out_.ruled_out.push_back({context_.where.choice_of(point), why});
    }
    note_broken();
    return out_;
  }
  cut_off_ = c.cut_off;
  drop_intervals_without(c);
  const std::uint64_t before = context_.runs.runs();
  add_rows(context_.where.choice_of(c.point));
  if (auto done = look(); !done) {
    return tl::unexpected<error>(done.error());
  }
  if (out_.rows[out_.best_row].seeds < 2) {
    show_search();
  } else {
    clip_intervals();
    if (auto done = level_front(); !done) {
      return tl::unexpected<error>(done.error());
    }
    find_front();
    if (auto found = find_set(); !found) {
      return tl::unexpected<error>(found.error());
    }
    if (auto told = try_larger_deltas(c); !told) {
      return tl::unexpected<error>(told.error());
    }
    find_neighbours();
    check_bounds();
  }
  out_.spent.validation = context_.runs.runs() - before;
  note_broken();
  conclude(c);
  for (const sweep::without_effect& idle :
       sweep::fields_without_effect(context_.where, context_.runs)) {
    out_.notes.push_back(idle.text());
  }
  out_.notes.insert(out_.notes.end(), c.valleys.begin(), c.valleys.end());
  if (!out_.unjudged) {
    note_without_effect();
    note_unsure();
    note_better();
    note_unmatched();
    note_lone_fit(c);
    note_missing_intervals(c);
  }
  return out_;
}

result<tuning> validation::on_holdout(const tuning& found, std::size_t seeds) {
  for (const row& r : found.rows) {
    add_row(r.values, r.searched);
    out_.rows.back().is_today = r.is_today;
  }
  out_.told_delta = found.told_delta;
  out_.best = found.best;
  const auto same = std::ranges::find(out_.rows, found.best, &row::values);
  if (same == out_.rows.end()) {
    return failure(exit_code::invalid_input,
                   fmt::format("{} makes no valid scenario of {}",
                               sweep::label_of(context_.where.parameters(), found.best),
                               context_.where.plan().file.string()));
  }
  out_.best_row = static_cast<std::size_t>(same - out_.rows.begin());
  std::vector<std::size_t> all(out_.rows.size());
  std::iota(all.begin(), all.end(), 0);
  // In steps, so that time that is up finds all rows on about as many seeds.
  for (std::size_t n = std::min<std::size_t>(2, seeds), more = 1; more > 0; n += more) {
    const auto ran = run_rows(all, n);
    if (!ran) {
      return tl::unexpected<error>(ran.error());
    }
    more = *ran ? std::min(n, seeds - n) : 0;
  }
  out_.spent.validation = context_.runs.runs();
  measure_rows();
  if (std::ranges::any_of(out_.rows, [](const row& r) { return r.seeds < 2; })) {
    out_.rows.clear();
    return out_;
  }
  compare_rows();
  mark_better();
  find_front();
  check_bounds();
  note_broken();
  return out_;
}

// -- rows ----------------------------------------------------------------------------------------

void validation::add_row(const sweep::parameter_values& c, bool searched) {
  const auto known = std::ranges::find(out_.rows, c, &row::values);
  if (known != out_.rows.end()) {
    return;
  }
  row r;
  r.values = c;
  r.searched = searched;
  validated_row each;
  each.point = context_.where.point_of(c).value_or(0);
  if (each.point == 0) {
    return;
  }
  const lease::rules rules = context_.where.rules_of(each.point);
  r.following = context_.where.following_at(each.point);
  r.protocol = rules.name;
  r.promises_apart = rules.promises_to(lease::invariant::no_double_commit);
  out_.rows.push_back(std::move(r));
  candidates_.push_back(std::move(each));
}

void validation::add_rows(const sweep::parameter_values& best) {
  out_.best = best;
  add_row(best, true);
  for (std::size_t i = 0; i < context_.where.parameters().size(); ++i) {
    for (const std::string& value : context_.where.parameters()[i].values) {
      sweep::parameter_values c = best;
      c[i] = value;
      add_row(c, true);
    }
  }
  add_row(context_.where.baseline(), false);
  // By parameter, then by value; the best stands among those of the first.
  std::vector<std::size_t> order(out_.rows.size());
  std::iota(order.begin(), order.end(), 0);
  const auto rank = [&](std::size_t r) {
    const sweep::parameter_values& c = out_.rows[r].values;
    std::size_t differs = 0;
    while (differs < c.size() && c[differs] == best[differs]) {
      ++differs;
    }
    const std::size_t which = differs == c.size() ? 0 : differs;
    const bool alone = std::equal(c.begin() + static_cast<std::ptrdiff_t>(which) + 1,
                                  c.end(),
                                  best.begin() + static_cast<std::ptrdiff_t>(which) + 1);
    const sweep::parameter& p = context_.where.parameters()[which];
    const double at = p.range ? p.share_of(c[which]).value_or(0) : static_cast<double>(r);
    return std::tuple(!alone, which, at);
  };
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return rank(a) < rank(b); });
  std::vector<row> rows;
  std::vector<validated_row> kept;
  for (const std::size_t r : order) {
    rows.push_back(std::move(out_.rows[r]));
    kept.push_back(std::move(candidates_[r]));
  }
  out_.rows = std::move(rows);
  candidates_ = std::move(kept);
  const sweep::parameter_values today = context_.where.baseline();
  for (std::size_t r = 0; r < out_.rows.size(); ++r) {
    out_.rows[r].is_today = out_.rows[r].values == today;
    out_.best_row = out_.rows[r].values == best ? r : out_.best_row;
  }
}

result<bool> validation::run_rows(const std::vector<std::size_t>& some, std::size_t n) {
  std::vector<std::uint32_t> points;
  for (const std::size_t r : some) {
    points.push_back(candidates_[r].point);
  }
  return context_.runs.extend(points, fresh_seeds, n, 0);
}

result<void> validation::look() {
  std::vector<std::size_t> some(out_.rows.size());
  std::iota(some.begin(), some.end(), 0);
  const std::uint64_t affordable = context_.runs.left() / some.size();
  std::size_t n = std::min<std::uint64_t>(first_look, affordable);
  if (n < least_look) {
    out_.why = "the budget left no fresh seeds to judge the choice on";
    return {};
  }
  while (!some.empty()) {
    context_.tell(fmt::format("judging {} values on {} fresh seeds", some.size(), n));
    const auto ran = run_rows(some, n);
    if (!ran) {
      return tl::unexpected<error>(ran.error());
    }
    if (!*ran) {
      out_.why = out_.rows[out_.best_row].seeds == 0
                     ? "the time was spent before the choice was judged on fresh seeds"
                     : out_.why;
      return {};
    }
    measure_rows();
    compare_rows();
    judge_range_ends();
    some = open_rows();
    // The last look takes what the budget still has, but for a share.
    const std::uint64_t left = context_.runs.left();
    const auto kept = static_cast<std::uint64_t>(share_kept_by_looks *
                                                 static_cast<double>(context_.runs.runs() + left));
    const std::uint64_t more = some.empty() ? 0 : (left - std::min(left, kept)) / some.size();
    n = std::min<std::size_t>(2 * n, n + more);
    if (more == 0) {
      return {};
    }
  }
  return {};
}

/// Without fresh seeds there is what the search saw, of the values that it ran: to be shown, and
/// not to be believed.
void validation::show_search() {
  judged_on_ = sweep::seed_block::first;
  out_.unjudged = true;
  measure_rows();
  std::vector<row> rows;
  std::vector<validated_row> kept;
  for (std::size_t r = 0; r < out_.rows.size(); ++r) {
    if (out_.rows[r].seeds < 2) {
      continue;
    }
    if (r == out_.best_row) {
      out_.best_row = rows.size();
    }
    rows.push_back(std::move(out_.rows[r]));
    kept.push_back(std::move(candidates_[r]));
  }
  out_.rows = std::move(rows);
  candidates_ = std::move(kept);
  compare_rows();
  for (row& r : out_.rows) {
    const bool is_claim = r.status == row_status::within || r.status == row_status::worse;
    r.status = is_claim ? row_status::open : r.status;
  }
}

/// The chosen value was not chosen there, so what looks better may be.
void validation::mark_better() {
  for (row& r : out_.rows) {
    if (r.status != row_status::unusable && r.status != row_status::best && r.regret->high() < 0) {
      r.status = row_status::better;
    }
  }
}

void validation::measure_rows() {
  for (std::size_t r = 0; r < out_.rows.size(); ++r) {
    row& here_row = out_.rows[r];
    validated_row& c = candidates_[r];
    const auto runs = context_.runs.of(c.point, judged_on_);
    here_row.seeds = runs.size();
    c.costs = context_.what.costs(runs, runs.size());
    here_row.why = context_.what.rejection_reason(context_.runs, c.point, judged_on_);
    here_row.objective = figure_of(context_.what.objective, c.point);
    here_row.shown.clear();
    for (const sweep::metric_formula& each : context_.what.shown) {
      here_row.shown.push_back(metric_of(each, c.point));
    }
    for (std::size_t m = 0; m < context_.what.forbidden.size(); ++m) {
      here_row.forbidden[m] = metric_of(context_.what.forbidden[m], c.point);
    }
    here_row.missed_per_ride = figure_of(context_.what.missed_and_hidden[0], c.point);
    here_row.hidden_per_ride = figure_of(context_.what.missed_and_hidden[1], c.point);
  }
  const auto& best = out_.rows[out_.best_row].objective;
  out_.in_unit = best && std::abs(best->value) <= best->half_width();
}

std::optional<stats::estimate> validation::figure_of(const sweep::metric_formula& f,
                                                     std::uint32_t point) const {
  const auto runs = context_.runs.of(point, judged_on_);
  const auto whole = f.of(runs);
  const std::vector<double> pseudo = f.pseudo_values(runs);
  if (!whole || pseudo.size() < 2) {
    return std::nullopt;
  }
  stats::sample_mean mean = stats::mean_of(pseudo);
  mean.unsure = f.unsure(runs);
  return stats::within(*whole, mean.half_width(), pseudo.size());
}

std::optional<stats::estimate> validation::metric_of(const sweep::metric_formula& f,
                                                     std::uint32_t point) const {
  auto found = figure_of(f, point);
  if (!found) {
    return found;
  }
  const auto runs = context_.runs.of(point, judged_on_);
  if (const auto possible =
          stats::clipped_margins(found->value, found->half_width(), f.limits(runs))) {
    found->margin = possible;
  }
  return found;
}

double validation::delta() const {
  const auto& best = out_.rows[out_.best_row].objective;
  return best && !out_.in_unit ? out_.told_delta * std::abs(best->value) : 0;
}

/// By more than delta; where that is nothing, it also has to look better.
/// Today's value may be one that was looked for, and was not on the grid.
bool validation::is_in_reach(const row& r) const {
  const std::vector<sweep::parameter>& all = context_.where.parameters();
  const auto covers = [](const sweep::parameter& p, const std::string& value) {
    return p.covers(value);
  };
  return r.searched || std::equal(all.begin(), all.end(), r.values.begin(), r.values.end(), covers);
}

bool validation::may_be_better(const validated_row& c) const {
  return c.compared && c.worse.below(tail) < -delta() && (!out_.in_unit || c.worse.mean < 0);
}

void validation::compare_rows() {
  const std::uint32_t best = candidates_[out_.best_row].point;
  const double size = delta() > 0 ? delta() / out_.told_delta : 1;
  for (std::size_t r = 0; r < out_.rows.size(); ++r) {
    row& each = out_.rows[r];
    validated_row& c = candidates_[r];
    c.compared = false;
    if (!each.why.empty() || c.costs.size() < 2) {
      each.status = row_status::unusable;
      continue;
    }
    if (r == out_.best_row) {
      each.status = row_status::best;
      each.regret = stats::estimate{};
      continue;
    }
    const std::size_t n = std::min(each.seeds, out_.rows[out_.best_row].seeds);
    const auto theirs = context_.runs.of(c.point, judged_on_).first(n);
    const auto mine = context_.runs.of(best, judged_on_).first(n);
    const auto d =
        stats::paired_differences(context_.what.costs(theirs, n), context_.what.costs(mine, n));
    if (d.size() < 2) {
      each.status = row_status::unusable;
      continue;
    }
    c.worse = stats::mean_of(d);
    c.worse.unsure = context_.what.objective.unsure(theirs) + context_.what.objective.unsure(mine);
    c.compared = true;
    each.regret = stats::within(c.worse.mean / size, c.worse.half_width() / size, n);
    each.status = c.worse.above(tail) <= delta()  ? row_status::within
                  : c.worse.below(tail) > delta() ? row_status::worse
                                                  : row_status::open;
  }
}

// -- what is still open --------------------------------------------------------------------------

void validation::judge_range_ends() {
  out_.range_ends.clear();
  for (std::size_t i = 0; i < context_.where.parameters().size(); ++i) {
    const sweep::parameter& p = context_.where.parameters()[i];
    if (!p.range) {
      continue;
    }
    for (const bool upper : {false, true}) {
      range_end e{i, upper, upper ? p.values.back() : p.values.front()};
      e.worse = true;  // an end that a condition excludes is out
      sweep::parameter_values c = out_.best;
      c[i] = e.value;
      for (std::size_t r = 0; r < out_.rows.size(); ++r) {
        if (out_.rows[r].values != c) {
          continue;
        }
        const validated_row& there = candidates_[r];
        e.worse = out_.rows[r].status == row_status::unusable ||
                  (there.compared && there.worse.below(tail) > share_that_matters * delta());
        e.within = r == out_.best_row || (there.compared && there.worse.above(tail) <= delta());
      }
      out_.range_ends.push_back(std::move(e));
    }
  }
}

/// Rows that another look could say more of: undecided ends; what may be better than the best by
/// more than delta; what may be as good, as long as half of delta cannot be seen there; and, where
/// everything looks alike, what is not shown to. Today's value counts as those that were searched.
std::vector<std::size_t> validation::open_rows() const {
  std::vector<bool> open(out_.rows.size(), false);
  bool ends_alike = !out_.range_ends.empty();
  for (const range_end& e : out_.range_ends) {
    ends_alike = ends_alike && !e.worse;
  }
  for (std::size_t r = 0; r < out_.rows.size(); ++r) {
    const validated_row& c = candidates_[r];
    if (!c.compared) {
      continue;
    }
    bool is_open_edge = false;
    for (const range_end& e : out_.range_ends) {
      sweep::parameter_values at = out_.best;
      at[e.parameter] = e.value;
      is_open_edge = is_open_edge || (at == out_.rows[r].values && !e.worse && !e.within);
    }
    const bool is_blurred = out_.rows[r].status == row_status::open &&
                            (ends_alike || c.worse.half_width() > delta() / 2);
    open[r] = is_open_edge || is_blurred || may_be_better(c);
  }
  std::vector<std::size_t> some;
  for (std::size_t r = 0; r < open.size(); ++r) {
    if (open[r] && r != out_.best_row) {
      some.push_back(r);
    }
  }
  if (!some.empty() || wants_precision() || constraints_open()) {
    some.push_back(out_.best_row);
  }
  return some;
}

bool validation::wants_precision() const {
  const auto& o = out_.rows[out_.best_row].objective;
  return context_.how.precision && o &&
         o->half_width() > *context_.how.precision * std::abs(o->value);
}

bool validation::constraints_open() const {
  return !meets_constraints(candidates_[out_.best_row].point) &&
         out_.rows[out_.best_row].why.empty();
}

bool validation::meets_constraints(std::uint32_t point) const {
  return context_.what.is_met(context_.runs.of(point, fresh_seeds));
}

}  // namespace dibs::tune
