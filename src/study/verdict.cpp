#include "study/verdict.hpp"

#include "base/ensure.hpp"
#include "report/verdict.hpp"
#include "study/interval.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace dibs::study {
namespace {

constexpr block here = block::fresh;
constexpr std::size_t first_look = 20;
constexpr std::size_t least_look = 5;
constexpr double tail = 0.01;  ///< of each look
constexpr double tail_of_bound = 0.05;
/// An end is worse only by what could matter: a share of delta.
constexpr double share_that_matters = 0.25;

std::vector<double> minus(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> d;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    d.push_back(a[i] - b[i]);
  }
  return d;
}

}  // namespace

verdict::verdict(const quest& q) : quest_(q) {
  out_.objective = quest_.what.objective.text();
  out_.unit = quest_.what.objective.unit();
  out_.wants_more = quest_.what.objective.wants_more();
  out_.delta = quest_.how.delta;
  out_.alpha = quest_.how.alpha;
  for (const parameter& p : quest_.where.parameters()) {
    out_.paths.push_back(p.path);
  }
}

result<tuning> verdict::on(const chosen& c) {
  out_.screened = quest_.where.grid_size();
  out_.selected = c.selected;
  out_.selection_seeds = c.seeds;
  out_.spent = c.spent;
  out_.interval = c.interval;
  if (c.point == 0) {
    out_.answer = c.safe ? answer::infeasible : answer::unsafe;
    out_.why = "no value can be chosen: " + c.why;
    note_broken();
    return out_;
  }
  cut_off_ = c.cut_off;
  drop_intervals_without(quest_.where.choice_of(c.point));
  const std::uint64_t before = quest_.runs.runs();
  add_rows(quest_.where.choice_of(c.point));
  if (auto done = look(); !done) {
    return tl::unexpected<error>(done.error());
  }
  if (out_.rows[out_.best_row].seeds > 1) {
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
  return out_;
}

result<tuning> verdict::elsewhere(const tuning& found, std::size_t seeds) {
  for (const row& r : found.rows) {
    add_row(r.values, r.searched);
    out_.rows.back().is_today = r.is_today;
  }
  out_.best = found.best;
  const auto same = std::find_if(
      out_.rows.begin(), out_.rows.end(), [&](const row& r) { return r.values == found.best; });
  if (same == out_.rows.end()) {
    return failure(exit_code::invalid_input,
                   fmt::format("{} makes no valid scenario of {}",
                               label_of(quest_.where.parameters(), found.best),
                               quest_.where.plan().file.string()));
  }
  out_.best_row = static_cast<std::size_t>(same - out_.rows.begin());
  std::vector<std::size_t> all(out_.rows.size());
  std::iota(all.begin(), all.end(), 0);
  const auto ran = run_rows(all, seeds);
  if (!ran) {
    return tl::unexpected<error>(ran.error());
  }
  out_.spent.verdict = quest_.runs.runs();
  measure_rows();
  compare_rows();
  find_front();
  check_bounds();
  note_broken();
  return out_;
}

// -- rows ----------------------------------------------------------------------------------------

void verdict::add_row(const choice& c, bool searched) {
  const auto known =
      std::find_if(out_.rows.begin(), out_.rows.end(), [&](const row& r) { return r.values == c; });
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
  out_.rows.push_back(std::move(r));
  contenders_.push_back(std::move(each));
}

void verdict::add_rows(const choice& best) {
  out_.best = best;
  add_row(best, true);
  for (std::size_t i = 0; i < quest_.where.parameters().size(); ++i) {
    for (const std::string& value : quest_.where.parameters()[i].values) {
      choice c = best;
      c[i] = value;
      add_row(c, true);
    }
  }
  add_row(quest_.where.today(), false);
  // By parameter, then by value; the best stands among those of the first.
  std::vector<std::size_t> order(out_.rows.size());
  std::iota(order.begin(), order.end(), 0);
  const auto rank = [&](std::size_t r) {
    const choice& c = out_.rows[r].values;
    std::size_t differs = 0;
    while (differs < c.size() && c[differs] == best[differs]) {
      ++differs;
    }
    const std::size_t which = differs == c.size() ? 0 : differs;
    const bool alone = std::equal(c.begin() + static_cast<std::ptrdiff_t>(which) + 1,
                                  c.end(),
                                  best.begin() + static_cast<std::ptrdiff_t>(which) + 1);
    const parameter& p = quest_.where.parameters()[which];
    const double at = p.range ? p.share_of(c[which]).value_or(0) : static_cast<double>(r);
    return std::tuple(!alone, which, at);
  };
  std::stable_sort(
      order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return rank(a) < rank(b); });
  std::vector<row> rows;
  std::vector<contender> contenders;
  for (const std::size_t r : order) {
    rows.push_back(std::move(out_.rows[r]));
    contenders.push_back(std::move(contenders_[r]));
  }
  out_.rows = std::move(rows);
  contenders_ = std::move(contenders);
  const choice today = quest_.where.today();
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
  return quest_.runs.extend(points, here, n, 0);
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
      return {};
    }
    measure_rows();
    compare_rows();
    judge_edges();
    some = open_rows();
    // The last look takes what the budget still has.
    const std::uint64_t more = some.empty() ? 0 : quest_.runs.left() / some.size();
    n = std::min<std::size_t>(2 * n, n + more);
    if (more == 0) {
      return {};
    }
  }
  return {};
}

void verdict::measure_rows() {
  for (std::size_t r = 0; r < out_.rows.size(); ++r) {
    row& here_row = out_.rows[r];
    contender& c = contenders_[r];
    const auto runs = quest_.runs.of(c.point, here);
    here_row.seeds = runs.size();
    c.costs = quest_.what.costs(runs, runs.size());
    here_row.why = quest_.what.flaw_of(quest_.runs, c.point, here);
    here_row.objective = figure_of(quest_.what.objective, c.point);
    for (std::size_t m = 0; m < quest_.what.shown.size(); ++m) {
      here_row.harms[m] = figure_of(quest_.what.shown[m], c.point);
    }
    here_row.missed_per_ride = figure_of(quest_.what.missed_and_hidden[0], c.point);
    here_row.hidden_per_ride = figure_of(quest_.what.missed_and_hidden[1], c.point);
  }
}

std::optional<figure> verdict::figure_of(const formula& f, std::uint32_t point) const {
  const auto runs = quest_.runs.of(point, here);
  const auto whole = f.of(runs);
  const std::vector<double> pseudo = f.pseudo_values(runs);
  if (!whole || pseudo.size() < 2) {
    return std::nullopt;
  }
  return figure{*whole, mean_of(pseudo).half_width()};
}

double verdict::delta() const {
  const auto& best = out_.rows[out_.best_row].objective;
  const double size = best ? std::abs(best->value) : 0;
  return quest_.how.delta * (size > 0 ? size : 1);
}

void verdict::compare_rows() {
  const std::uint32_t best = contenders_[out_.best_row].point;
  const double size = delta() / quest_.how.delta;
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
      each.regret = figure{};
      continue;
    }
    const std::size_t n = std::min(each.seeds, out_.rows[out_.best_row].seeds);
    const auto d = minus(quest_.what.costs(quest_.runs.of(c.point, here), n),
                         quest_.what.costs(quest_.runs.of(best, here), n));
    if (d.size() < 2) {
      each.standing = standing::unusable;
      continue;
    }
    c.worse = mean_of(d);
    c.compared = true;
    each.regret = figure{c.worse.mean / size, c.worse.half_width() / size};
    each.standing = c.worse.above(tail) <= delta()  ? standing::within
                    : c.worse.below(tail) > delta() ? standing::worse
                                                    : standing::open;
  }
}

// -- what is still open --------------------------------------------------------------------------

void verdict::judge_edges() {
  out_.edges.clear();
  for (std::size_t i = 0; i < quest_.where.parameters().size(); ++i) {
    const parameter& p = quest_.where.parameters()[i];
    if (!p.range) {
      continue;
    }
    for (const bool upper : {false, true}) {
      edge e{i, upper, upper ? p.values.back() : p.values.front()};
      e.worse = true;  // an end that a condition excludes is out
      choice c = out_.best;
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
/// everything looks alike, what is not shown to.
std::vector<std::size_t> verdict::open_rows() const {
  std::vector<bool> open(out_.rows.size(), false);
  bool ends_alike = !out_.edges.empty();
  for (const edge& e : out_.edges) {
    ends_alike = ends_alike && !e.worse;
  }
  for (std::size_t r = 0; r < out_.rows.size(); ++r) {
    const contender& c = contenders_[r];
    if (!c.compared || !out_.rows[r].searched) {
      continue;
    }
    bool is_open_edge = false;
    for (const edge& e : out_.edges) {
      choice at = out_.best;
      at[e.parameter] = e.value;
      is_open_edge = is_open_edge || (at == out_.rows[r].values && !e.worse && !e.within);
    }
    const bool is_blurred = out_.rows[r].standing == standing::open &&
                            (ends_alike || c.worse.half_width() > delta() / 2);
    open[r] = is_open_edge || is_blurred || c.worse.below(tail) < -delta();
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

/// A fitted least value that a constraint or a condition forbids is not the one that was chosen.
void verdict::drop_intervals_without(const choice& best) {
  for (std::size_t i = 0; i < out_.interval.size(); ++i) {
    auto& around = out_.interval[i];
    const parameter& p = quest_.where.parameters()[i];
    if (around && (p.share_of(best[i]) < p.share_of((*around)[0]) ||
                   p.share_of(best[i]) > p.share_of((*around)[1]))) {
      if (cut_off_.empty() && (!quest_.what.constraints.empty() || is_excluded(best, i, *around))) {
        cut_off_ = fmt::format(
            "of what is allowed {}={} is best; the fit without conditions and constraints has it "
            "at {} to {}",
            p.path,
            best[i],
            (*around)[0],
            (*around)[1]);
      }
      around.reset();
    }
  }
}

bool verdict::is_excluded(choice at, std::size_t i, const std::array<std::string, 2>& ends) {
  return std::any_of(ends.begin(), ends.end(), [&](const std::string& end) {
    at[i] = end;
    return !quest_.where.point_of(at).has_value();
  });
}

bool verdict::wants_precision() const {
  const auto& o = out_.rows[out_.best_row].objective;
  return quest_.how.precision && o && o->half_width > *quest_.how.precision * std::abs(o->value);
}

bool verdict::constraints_open() const {
  const auto runs = quest_.runs.of(contenders_[out_.best_row].point, here);
  return !quest_.what.is_met(runs) && out_.rows[out_.best_row].why.empty();
}

// -- what it comes to ----------------------------------------------------------------------------

void verdict::conclude(const chosen& c) {
  const row& best = out_.rows[out_.best_row];
  const auto is_open = [](const row& r) {
    return r.searched && r.standing != standing::within && r.standing != standing::best;
  };
  if (best.seeds < 2) {
    out_.answer = answer::inconclusive;
    return;
  }
  if (best.standing == standing::unusable) {
    const bool broke = quest_.runs.broken(contenders_[out_.best_row].point) != nullptr;
    out_.answer = broke ? answer::unsafe : answer::inconclusive;
    out_.why = "on fresh seeds the chosen value " + best.why;
    return;
  }
  const bool ranged = !out_.edges.empty();
  if (out_.rows.size() > 1 && std::none_of(out_.rows.begin(), out_.rows.end(), is_open)) {
    out_.answer = answer::flat;
    out_.why =
        fmt::format("no value differs from the best by more than {:.3g} %", 100 * quest_.how.delta);
    return;
  }
  for (const edge& e : out_.edges) {
    if (!e.worse && e.within) {
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
  out_.answer = answer::inconclusive;
  for (const edge& e : out_.edges) {
    if (!e.worse) {
      out_.why = fmt::format("the budget was spent before it was clear whether {}={} is worse",
                             out_.paths[e.parameter],
                             e.value);
      return;
    }
  }
  for (std::size_t r = 0; r < out_.rows.size(); ++r) {
    if (contenders_[r].compared && contenders_[r].worse.below(tail) < -delta() &&
        out_.rows[r].searched) {
      out_.why = fmt::format("on fresh seeds it is open whether {} is better by more than {:.3g} %",
                             label_of(quest_.where.parameters(), out_.rows[r].values),
                             100 * quest_.how.delta);
      return;
    }
  }
  if (!quest_.what.is_met(quest_.runs.of(contenders_[out_.best_row].point, here))) {
    out_.why = "it is open whether the chosen value meets the constraints";
    return;
  }
  if (wants_precision()) {
    out_.why = fmt::format("the budget was spent before the objective was known to {:.3g} %",
                           100 * *quest_.how.precision);
    return;
  }
  if (!c.selected && (!ranged || c.seeds > 0)) {
    out_.why = "the budget was spent before one value was left";
    return;
  }
  out_.why = cut_off_;
  out_.is_cut_off = !cut_off_.empty();
  out_.answer = cut_off_.empty() ? answer::found : answer::boundary;
}

/// Fewer missed accepts cost more hidden supply. Which rows are the best trade-off for some weight
/// of a missed accept, and for which: the lower left hull.
void verdict::find_front() {
  std::vector<std::size_t> some;
  for (std::size_t r = 0; r < out_.rows.size(); ++r) {
    const row& each = out_.rows[r];
    if (each.standing != standing::unusable && each.missed_per_ride && each.hidden_per_ride) {
      some.push_back(r);
    }
  }
  const auto missed = [&](std::size_t r) { return out_.rows[r].missed_per_ride->value; };
  const auto hidden = [&](std::size_t r) { return out_.rows[r].hidden_per_ride->value; };
  std::sort(some.begin(), some.end(), [&](std::size_t a, std::size_t b) {
    return std::pair(hidden(a), missed(a)) < std::pair(hidden(b), missed(b));
  });
  std::vector<std::size_t> hull;
  double least_missed = std::numeric_limits<double>::infinity();
  const auto rate = [&](std::size_t a, std::size_t b) {
    return (hidden(b) - hidden(a)) / (missed(a) - missed(b));
  };
  for (const std::size_t r : some) {
    if (missed(r) >= least_missed) {
      continue;
    }
    least_missed = missed(r);
    out_.rows[r].on_front = true;
    while (hull.size() > 1 && rate(hull[hull.size() - 2], hull.back()) >= rate(hull.back(), r)) {
      hull.pop_back();
    }
    hull.push_back(r);
  }
  for (std::size_t i = 0; i < hull.size(); ++i) {
    exchange e{hull[i], i == 0 ? 0 : rate(hull[i - 1], hull[i]), {}};
    if (i + 1 < hull.size()) {
      e.to = rate(hull[i], hull[i + 1]);
    }
    out_.exchanges.push_back(e);
  }
}

/// The ends where regret comes to delta by a parabola through what was tried (around an optimum it
/// grows like a square), or before: each is run on the fresh seeds too, and taken once it is shown
/// to be within delta.
result<void> verdict::find_set() {
  if (out_.paths.size() != 1 || !quest_.where.parameters()[0].range) {
    return {};
  }
  const parameter& p = quest_.where.parameters()[0];
  std::array<std::string, 2> ends;
  for (const bool upper : {false, true}) {
    const double best = *p.share_of(out_.best[0]);
    const double end = end_by_parabola(upper ? 1 : -1);
    std::string& shown = ends[upper ? 1 : 0] = out_.best[0];
    // At the end itself half of all samples say that it is beyond.
    for (const double part : {0.85, 0.7, 0.5, 0.3}) {
      const std::string tried = p.text_at(best + part * (end - best));
      const auto within = is_within(tried);
      if (!within) {
        return tl::unexpected<error>(within.error());
      }
      if (*within) {
        shown = tried;
        break;
      }
    }
  }
  out_.set = ends;
  measure_rows();
  compare_rows();
  return {};
}

double verdict::end_by_parabola(std::ptrdiff_t step) const {
  const parameter& p = quest_.where.parameters()[0];
  const auto share = [&](std::size_t r) { return *p.share_of(out_.rows[r].values[0]); };
  const auto root = [&](std::size_t r) {
    return std::sqrt(std::max(0.0, out_.rows[r].regret->value));
  };
  const double limit = std::sqrt(quest_.how.delta);
  auto inner = static_cast<std::ptrdiff_t>(out_.best_row);
  for (std::ptrdiff_t r = inner + step; r >= 0 && r < std::ssize(out_.rows); r += step) {
    const auto outer = static_cast<std::size_t>(r);
    if (!out_.rows[outer].searched) {
      continue;
    }
    if (!out_.rows[outer].regret) {
      break;
    }
    const double low = root(static_cast<std::size_t>(inner));
    const double high = root(outer);
    if (high > limit) {
      const double at = share(static_cast<std::size_t>(inner));
      return at + (share(outer) - at) * std::clamp((limit - low) / (high - low), 0.0, 1.0);
    }
    inner = r;
  }
  return share(static_cast<std::size_t>(inner));
}

/// Whether a value is shown not to be worse than the best by more than delta, on as many seeds as
/// the best was run on, or as it takes to see a third of delta.
result<bool> verdict::is_within(const std::string& value) {
  if (value == out_.best[0]) {
    return true;
  }
  const auto point = quest_.where.point_of({value});
  if (!point) {
    return false;
  }
  const std::uint32_t best = contenders_[out_.best_row].point;
  const std::array both{best, *point};
  std::size_t n = quest_.runs.of(best, here).size();
  const auto worse = [&]() -> std::optional<mean_of_samples> {
    const auto d = minus(quest_.what.costs(quest_.runs.of(*point, here), n),
                         quest_.what.costs(quest_.runs.of(best, here), n));
    return d.size() > 1 ? std::optional(mean_of(d)) : std::nullopt;
  };
  if (auto ran = quest_.runs.extend(both, here, n, 0); !ran || !*ran) {
    return ran;
  }
  constexpr double most = 4;
  const auto first = worse();
  const double blur = first ? 3 * first->half_width() / delta() : 0;
  if (blur > 1) {
    const auto more =
        static_cast<std::size_t>(std::min(blur * blur, most) * static_cast<double>(n));
    if (auto ran = quest_.runs.extend(both, here, more, 0); !ran) {
      return ran;
    } else if (*ran) {
      n = more;
    }
  }
  const auto last = worse();
  return last && quest_.what.flaw_of(quest_.runs, *point, here).empty() &&
         last->above(tail) <= delta();
}

void verdict::find_neighbours() {
  const parameter& p = quest_.where.parameters()[0];
  std::optional<std::size_t> last;
  for (std::size_t r = 0; r < out_.rows.size(); ++r) {
    const choice& c = out_.rows[r].values;
    const bool profile = std::equal(c.begin() + 1, c.end(), out_.best.begin() + 1);
    if (!p.range || !profile || contenders_[r].costs.size() < 2 || !p.share_of(c[0])) {
      continue;
    }
    if (last) {
      const std::size_t n = std::min(out_.rows[*last].seeds, out_.rows[r].seeds);
      const auto a = quest_.what.costs(quest_.runs.of(contenders_[*last].point, here), n);
      const auto b = quest_.what.costs(quest_.runs.of(contenders_[r].point, here), n);
      const double apart = variance_of(a) + variance_of(b);
      const double together = variance_of(minus(b, a));
      const double low = p.range->at(*p.share_of(out_.rows[*last].values[0]));
      const double high = p.range->at(*p.share_of(c[0]));
      out_.common_seeds.push_back(
          {*last,
           r,
           low > 0 ? high / low : 0,
           together > 0 ? apart / together : std::numeric_limits<double>::infinity()});
    }
    last = r;
  }
}

void verdict::check_bounds() {
  const std::uint32_t best = contenders_[out_.best_row].point;
  const auto runs = quest_.runs.of(best, here);
  for (const formula& f : quest_.what.constraints) {
    const auto room = figure_of(f, best);
    if (room) {
      out_.constraints.push_back(
          {f.text(), f.unit(), *room, mean_of(f.pseudo_values(runs)).below(tail_of_bound)});
    }
  }
  for (std::size_t i = 0; i < quest_.what.thresholds.size(); ++i) {
    const scenario::bound& b = quest_.what.thresholds[i];
    const auto found = figure_of(quest_.what.bounded[i], best);
    out_.thresholds.push_back({b.metric,
                               b.text,
                               metrics::find(b.metric)->unit,
                               found.value_or(figure{}),
                               found && report::meets(found->value, b)});
  }
}

void verdict::note_broken() {
  for (std::uint32_t p = 1; p <= quest_.where.plan().points.size(); ++p) {
    if (const broken_promise* b = quest_.runs.broken(p); b != nullptr) {
      out_.broken = *b;
      out_.broken_at = quest_.where.choice_of(p);
      return;
    }
  }
}

}  // namespace dibs::study
