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

verdict::verdict(const quest& q) : quest_(q) {
  out_.objective = quest_.what.objective.text();
  out_.unit = quest_.what.objective.unit();
  out_.wants_more = quest_.what.objective.wants_more();
  out_.delta = quest_.how.delta;
  out_.alpha = quest_.how.alpha;
  out_.allows_doubles = quest_.what.allows_doubles;
  for (const sweep::parameter& p : quest_.where.parameters()) {
    out_.paths.push_back(p.path);
  }
}

result<tuning> verdict::on(const chosen& c) {
  out_.screened = quest_.where.grid_size();
  out_.left_out = c.flaws.size();
  out_.selected = c.selected;
  out_.of_grid = c.of_grid;
  out_.selection_seeds = c.seeds;
  out_.spent = c.spent;
  out_.interval = c.interval;
  out_.selection_delta = c.delta;
  if (c.point == 0) {
    out_.answer = !c.screened ? answer::inconclusive : c.safe ? answer::infeasible : answer::unsafe;
    out_.why = c.screened ? "no value can be chosen: " + c.why : c.why;
    for (const auto& [point, why] : c.flaws) {
      out_.ruled_out.push_back({quest_.where.choice_of(point), why});
    }
    note_broken();
    return out_;
  }
  cut_off_ = c.cut_off;
  drop_intervals_without(c);
  const std::uint64_t before = quest_.runs.runs();
  add_rows(quest_.where.choice_of(c.point));
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
    find_neighbours();
    check_bounds();
  }
  out_.spent.verdict = quest_.runs.runs() - before;
  note_broken();
  conclude(c);
  for (const sweep::without_effect& idle :
       sweep::fields_without_effect(quest_.where, quest_.runs)) {
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

result<tuning> verdict::elsewhere(const tuning& found, std::size_t seeds) {
  for (const row& r : found.rows) {
    add_row(r.values, r.searched);
    out_.rows.back().is_today = r.is_today;
  }
  out_.best = found.best;
  const auto same = std::ranges::find(out_.rows, found.best, &row::values);
  if (same == out_.rows.end()) {
    return failure(exit_code::invalid_input,
                   fmt::format("{} makes no valid scenario of {}",
                               sweep::label_of(quest_.where.parameters(), found.best),
                               quest_.where.plan().file.string()));
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
  out_.spent.verdict = quest_.runs.runs();
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

void verdict::add_row(const sweep::choice& c, bool searched) {
  const auto known = std::ranges::find(out_.rows, c, &row::values);
  if (known != out_.rows.end()) {
    return;
  }
  row r;
  r.values = c;
  r.searched = searched;
  contender each;
  each.point = quest_.where.point_of(c).value_or(0);
  if (each.point == 0) {
    return;
  }
  const lease::rules rules = quest_.where.rules_of(each.point);
  r.protocol = rules.name;
  r.promises_apart = rules.promises_to(lease::invariant::no_double_commit);
  out_.rows.push_back(std::move(r));
  contenders_.push_back(std::move(each));
}

void verdict::add_rows(const sweep::choice& best) {
  out_.best = best;
  add_row(best, true);
  for (std::size_t i = 0; i < quest_.where.parameters().size(); ++i) {
    for (const std::string& value : quest_.where.parameters()[i].values) {
      sweep::choice c = best;
      c[i] = value;
      add_row(c, true);
    }
  }
  add_row(quest_.where.today(), false);
  // By parameter, then by value; the best stands among those of the first.
  std::vector<std::size_t> order(out_.rows.size());
  std::iota(order.begin(), order.end(), 0);
  const auto rank = [&](std::size_t r) {
    const sweep::choice& c = out_.rows[r].values;
    std::size_t differs = 0;
    while (differs < c.size() && c[differs] == best[differs]) {
      ++differs;
    }
    const std::size_t which = differs == c.size() ? 0 : differs;
    const bool alone = std::equal(c.begin() + static_cast<std::ptrdiff_t>(which) + 1,
                                  c.end(),
                                  best.begin() + static_cast<std::ptrdiff_t>(which) + 1);
    const sweep::parameter& p = quest_.where.parameters()[which];
    const double at = p.range ? p.share_of(c[which]).value_or(0) : static_cast<double>(r);
    return std::tuple(!alone, which, at);
  };
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return rank(a) < rank(b); });
  std::vector<row> rows;
  std::vector<contender> contenders;
  for (const std::size_t r : order) {
    rows.push_back(std::move(out_.rows[r]));
    contenders.push_back(std::move(contenders_[r]));
  }
  out_.rows = std::move(rows);
  contenders_ = std::move(contenders);
  const sweep::choice today = quest_.where.today();
  for (std::size_t r = 0; r < out_.rows.size(); ++r) {
    out_.rows[r].is_today = out_.rows[r].values == today;
    out_.best_row = out_.rows[r].values == best ? r : out_.best_row;
  }
}

result<bool> verdict::run_rows(const std::vector<std::size_t>& some, std::size_t n) {
  std::vector<std::uint32_t> points;
  for (const std::size_t r : some) {
    points.push_back(contenders_[r].point);
  }
  return quest_.runs.extend(points, fresh_seeds, n, 0);
}

result<void> verdict::look() {
  std::vector<std::size_t> some(out_.rows.size());
  std::iota(some.begin(), some.end(), 0);
  const std::uint64_t affordable = quest_.runs.left() / some.size();
  std::size_t n = std::min<std::uint64_t>(first_look, affordable);
  if (n < least_look) {
    out_.why = "the budget left no fresh seeds to judge the choice on";
    return {};
  }
  while (!some.empty()) {
    quest_.tell(fmt::format("judging {} values on {} fresh seeds", some.size(), n));
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
    judge_edges();
    some = open_rows();
    // The last look takes what the budget still has, but for a share.
    const std::uint64_t left = quest_.runs.left();
    const auto kept = static_cast<std::uint64_t>(share_kept_by_looks *
                                                 static_cast<double>(quest_.runs.runs() + left));
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
void verdict::show_search() {
  judged_on_ = sweep::block::first;
  out_.unjudged = true;
  measure_rows();
  std::vector<row> rows;
  std::vector<contender> contenders;
  for (std::size_t r = 0; r < out_.rows.size(); ++r) {
    if (out_.rows[r].seeds < 2) {
      continue;
    }
    if (r == out_.best_row) {
      out_.best_row = rows.size();
    }
    rows.push_back(std::move(out_.rows[r]));
    contenders.push_back(std::move(contenders_[r]));
  }
  out_.rows = std::move(rows);
  contenders_ = std::move(contenders);
  compare_rows();
  for (row& r : out_.rows) {
    const bool is_claim = r.standing == standing::within || r.standing == standing::worse;
    r.standing = is_claim ? standing::open : r.standing;
  }
}

/// The chosen value was not chosen there, so what looks better may be.
void verdict::mark_better() {
  for (row& r : out_.rows) {
    if (r.standing != standing::unusable && r.standing != standing::best && r.regret->high() < 0) {
      r.standing = standing::better;
    }
  }
}

void verdict::measure_rows() {
  for (std::size_t r = 0; r < out_.rows.size(); ++r) {
    row& here_row = out_.rows[r];
    contender& c = contenders_[r];
    const auto runs = quest_.runs.of(c.point, judged_on_);
    here_row.seeds = runs.size();
    c.costs = quest_.what.costs(runs, runs.size());
    here_row.why = quest_.what.flaw_of(quest_.runs, c.point, judged_on_);
    here_row.objective = figure_of(quest_.what.objective, c.point);
    for (std::size_t m = 0; m < quest_.what.shown.size(); ++m) {
      here_row.harms[m] = metric_of(quest_.what.shown[m], c.point);
    }
    for (std::size_t m = 0; m < quest_.what.forbidden.size(); ++m) {
      here_row.forbidden[m] = metric_of(quest_.what.forbidden[m], c.point);
    }
    here_row.missed_per_ride = figure_of(quest_.what.missed_and_hidden[0], c.point);
    here_row.hidden_per_ride = figure_of(quest_.what.missed_and_hidden[1], c.point);
  }
  const auto& best = out_.rows[out_.best_row].objective;
  out_.in_unit = best && std::abs(best->value) <= best->half_width();
}

std::optional<stats::estimate> verdict::figure_of(const sweep::formula& f,
                                                  std::uint32_t point) const {
  const auto runs = quest_.runs.of(point, judged_on_);
  const auto whole = f.of(runs);
  const std::vector<double> pseudo = f.pseudo_values(runs);
  if (!whole || pseudo.size() < 2) {
    return std::nullopt;
  }
  stats::mean_of_samples mean = stats::mean_of(pseudo);
  mean.unsure = f.unsure(runs);
  return stats::within(*whole, mean.half_width(), pseudo.size());
}

std::optional<stats::estimate> verdict::metric_of(const sweep::formula& f,
                                                  std::uint32_t point) const {
  auto found = figure_of(f, point);
  if (!found) {
    return found;
  }
  const auto runs = quest_.runs.of(point, judged_on_);
  if (const auto possible =
          stats::possible_sides(found->value, found->half_width(), f.limits(runs))) {
    found->margin = possible;
  }
  return found;
}

double verdict::delta() const {
  const auto& best = out_.rows[out_.best_row].objective;
  return best && !out_.in_unit ? quest_.how.delta * std::abs(best->value) : 0;
}

/// By more than delta; where that is nothing, it also has to look better.
/// Today's value may be one that was looked for, and was not on the grid.
bool verdict::is_in_reach(const row& r) const {
  const std::vector<sweep::parameter>& all = quest_.where.parameters();
  const auto covers = [](const sweep::parameter& p, const std::string& value) {
    return p.covers(value);
  };
  return r.searched || std::equal(all.begin(), all.end(), r.values.begin(), r.values.end(), covers);
}

bool verdict::may_be_better(const contender& c) const {
  return c.compared && c.worse.below(tail) < -delta() && (!out_.in_unit || c.worse.mean < 0);
}

void verdict::compare_rows() {
  const std::uint32_t best = contenders_[out_.best_row].point;
  const double size = delta() > 0 ? delta() / quest_.how.delta : 1;
  for (std::size_t r = 0; r < out_.rows.size(); ++r) {
    row& each = out_.rows[r];
    contender& c = contenders_[r];
    c.compared = false;
    if (!each.why.empty() || c.costs.size() < 2) {
      each.standing = standing::unusable;
      continue;
    }
    if (r == out_.best_row) {
      each.standing = standing::best;
      each.regret = stats::estimate{};
      continue;
    }
    const std::size_t n = std::min(each.seeds, out_.rows[out_.best_row].seeds);
    const auto theirs = quest_.runs.of(c.point, judged_on_).first(n);
    const auto mine = quest_.runs.of(best, judged_on_).first(n);
    const auto d = stats::minus(quest_.what.costs(theirs, n), quest_.what.costs(mine, n));
    if (d.size() < 2) {
      each.standing = standing::unusable;
      continue;
    }
    c.worse = stats::mean_of(d);
    c.worse.unsure = quest_.what.objective.unsure(theirs) + quest_.what.objective.unsure(mine);
    c.compared = true;
    each.regret = stats::within(c.worse.mean / size, c.worse.half_width() / size, n);
    each.standing = c.worse.above(tail) <= delta()  ? standing::within
                    : c.worse.below(tail) > delta() ? standing::worse
                                                    : standing::open;
  }
}

// -- what is still open --------------------------------------------------------------------------

void verdict::judge_edges() {
  out_.edges.clear();
  for (std::size_t i = 0; i < quest_.where.parameters().size(); ++i) {
    const sweep::parameter& p = quest_.where.parameters()[i];
    if (!p.range) {
      continue;
    }
    for (const bool upper : {false, true}) {
      edge e{i, upper, upper ? p.values.back() : p.values.front()};
      e.worse = true;  // an end that a condition excludes is out
      sweep::choice c = out_.best;
      c[i] = e.value;
      for (std::size_t r = 0; r < out_.rows.size(); ++r) {
        if (out_.rows[r].values != c) {
          continue;
        }
        const contender& there = contenders_[r];
        e.worse = out_.rows[r].standing == standing::unusable ||
                  (there.compared && there.worse.below(tail) > share_that_matters * delta());
        e.within = r == out_.best_row || (there.compared && there.worse.above(tail) <= delta());
      }
      out_.edges.push_back(std::move(e));
    }
  }
}

/// Rows that another look could say more of: undecided ends; what may be better than the best by
/// more than delta; what may be as good, as long as half of delta cannot be seen there; and, where
/// everything looks alike, what is not shown to. Today's value counts as those that were searched.
std::vector<std::size_t> verdict::open_rows() const {
  std::vector<bool> open(out_.rows.size(), false);
  bool ends_alike = !out_.edges.empty();
  for (const edge& e : out_.edges) {
    ends_alike = ends_alike && !e.worse;
  }
  for (std::size_t r = 0; r < out_.rows.size(); ++r) {
    const contender& c = contenders_[r];
    if (!c.compared) {
      continue;
    }
    bool is_open_edge = false;
    for (const edge& e : out_.edges) {
      sweep::choice at = out_.best;
      at[e.parameter] = e.value;
      is_open_edge = is_open_edge || (at == out_.rows[r].values && !e.worse && !e.within);
    }
    const bool is_blurred = out_.rows[r].standing == standing::open &&
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

bool verdict::wants_precision() const {
  const auto& o = out_.rows[out_.best_row].objective;
  return quest_.how.precision && o && o->half_width() > *quest_.how.precision * std::abs(o->value);
}

bool verdict::constraints_open() const {
  return !meets_constraints(contenders_[out_.best_row].point) &&
         out_.rows[out_.best_row].why.empty();
}

bool verdict::meets_constraints(std::uint32_t point) const {
  return quest_.what.is_met(quest_.runs.of(point, fresh_seeds));
}

// -- what it comes to ----------------------------------------------------------------------------

void verdict::conclude(const chosen& c) {
  const row& best = out_.rows[out_.best_row];
  const auto is_open = [](const row& r) {
    return r.standing == standing::worse ||
           (r.searched && r.standing != standing::within && r.standing != standing::best);
  };
  if (out_.unjudged) {
    out_.answer = answer::inconclusive;
    return;
  }
  if (best.standing == standing::unusable) {
    const bool broke = quest_.runs.broken(contenders_[out_.best_row].point) != nullptr;
    out_.answer = broke ? answer::unsafe : answer::inconclusive;
    out_.why = "the chosen value did not stand on fresh seeds: " + best.why;
    return;
  }
  if (out_.rows.size() > 1 && std::ranges::none_of(out_.rows, is_open)) {
    out_.answer = answer::flat;
    out_.why = out_.in_unit ? "no value differs from the best"
                            : fmt::format("no value differs from the best by more than {:.3g} %",
                                          100 * quest_.how.delta);
    return;
  }
  for (const edge& e : out_.edges) {
    if (!e.worse && e.within && !makes_no_difference(e.parameter)) {
      out_.answer = answer::boundary;
      out_.why = fmt::format(
          "{}={}, the {} end of the search, is not shown to be worse than the best value tried; "
          "the best may lie beyond it",
          out_.paths[e.parameter],
          e.value,
          e.upper ? "upper" : "lower");
      return;
    }
  }
  out_.why = open_question(c);
  if (!out_.why.empty()) {
    out_.answer = answer::inconclusive;
    return;
  }
  out_.why = cut_off_;
  out_.is_cut_off = !cut_off_.empty();
  out_.answer = cut_off_.empty() ? answer::found : answer::boundary;
}

bool verdict::makes_no_difference(std::size_t parameter) const {
  std::size_t tried = 0;
  for (const row& r : out_.rows) {
    sweep::choice beside = r.values;
    beside[parameter] = out_.best[parameter];
    if (beside != out_.best || r.values == out_.best) {
      continue;
    }
    if (r.standing != standing::within) {
      return false;
    }
    ++tried;
  }
  return tried > 0;
}

/// Of several fields one may matter and another not: then its value is anybody's choice.
void verdict::note_without_effect() {
  for (std::size_t i = 0; i < out_.paths.size(); ++i) {
    if (out_.paths.size() > 1 && makes_no_difference(i)) {
      out_.notes.push_back(
          fmt::format("{} makes no difference of more than {:.3g} % there: any of "
                      "its values will do",
                      out_.paths[i],
                      100 * quest_.how.delta));
    }
  }
}

/// What the budget left open, of what an answer has to say; empty if nothing.
std::string verdict::open_question(const chosen& c) const {
  for (const edge& e : out_.edges) {
    if (!e.worse && !makes_no_difference(e.parameter)) {
      return fmt::format("the budget was spent before it was clear whether {}={} is worse",
                         out_.paths[e.parameter],
                         e.value);
    }
  }
  for (std::size_t r = 0; r < out_.rows.size(); ++r) {
    if (is_in_reach(out_.rows[r]) && may_be_better(contenders_[r])) {
      return fmt::format(
          "on fresh seeds it is open whether {} is better{}",
          sweep::label_of(quest_.where.parameters(), out_.rows[r].values),
          out_.in_unit ? "" : fmt::format(" by more than {:.3g} %", 100 * quest_.how.delta));
    }
  }
  if (!meets_constraints(contenders_[out_.best_row].point)) {
    return "it is open whether the chosen value meets the constraints";
  }
  if (wants_precision()) {
    return fmt::format("the budget was spent before the objective was known to {:.3g} %",
                       100 * *quest_.how.precision);
  }
  if (!c.selected && (out_.edges.empty() || c.seeds > 0)) {
    return "the budget was spent before one value was left";
  }
  if (c.unrefined) {
    return "the budget was spent before anything between the values of the grid was tried";
  }
  if (set_cut_short_ && cut_off_.empty()) {
    return "the budget was spent before it was clear what is as good as the best";
  }
  return {};
}

void verdict::note_broken() {
  for (std::uint32_t p = 1; p <= quest_.where.plan().points.size(); ++p) {
    if (const sweep::broken_promise* b = quest_.runs.broken(p); b != nullptr) {
      out_.broken = *b;
      out_.broken_at = quest_.where.choice_of(p);
      return;
    }
  }
}

}  // namespace dibs::tune
