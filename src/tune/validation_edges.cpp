// Around the best value: the trade-off, what is as good, what common seeds did, and the bounds.

#include "results/assessment.hpp"
#include "stats/sample_mean.hpp"
#include "stats/sparse_histogram.hpp"
#include "sweep/constraint_margin.hpp"
#include "text/number.hpp"
#include "tune/validation.hpp"
#include "tune/validation_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <tuple>

namespace dibs::tune {
namespace {

constexpr double tail_of_bound = 0.05;

}  // namespace

// -- the trade-off -------------------------------------------------------------------------------

std::vector<std::size_t> validation::rows_with_harms() const {
  std::vector<std::size_t> some;
  for (std::size_t r = 0; r < out_.rows.size(); ++r) {
    const row& each = out_.rows[r];
    if (each.status != row_status::unusable && each.missed_per_ride && each.hidden_per_ride) {
      some.push_back(r);
    }
  }
  return some;
}

std::size_t validation::seeds_of_all(const std::vector<std::size_t>& some) const {
  std::size_t least = std::numeric_limits<std::size_t>::max();
  for (const std::size_t r : some) {
    least = std::min(least, context_.runs.of(candidates_[r].point, fresh_seeds).size());
  }
  return least;
}

/// In each of the runs that all have.
std::vector<harm_samples> validation::harms_of(const std::vector<std::size_t>& some) const {
  std::vector<harm_samples> all;
  for (const std::size_t r : some) {
    const auto runs = context_.runs.of(candidates_[r].point, fresh_seeds).first(seeds_of_all(some));
    const auto& [missed, hidden] =
        std::tie(context_.what.missed_and_hidden[0], context_.what.missed_and_hidden[1]);
    all.push_back({missed.pseudo_values(runs), hidden.pseudo_values(runs)});
  }
  return all;
}

std::vector<std::size_t> validation::front_among(const std::vector<std::size_t>& some) const {
  std::vector<std::size_t> known;
  std::vector<harm_samples> each;
  for (std::size_t i = 0; harm_samples & h : harms_of(some)) {
    if (h.missed.size() > 1 && h.hidden.size() > 1) {  // else there were hardly any rides
      known.push_back(some[i]);
      each.push_back(std::move(h));
    }
    ++i;
  }
  std::vector<std::size_t> front;
  const std::vector<bool> on = non_dominated(each);
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (on[i]) {
      front.push_back(known[i]);
    }
  }
  return front;
}

/// Rows that are clearly worse were judged on few seeds. Those of the front get as many as the most
/// judged of them has, as far as half of what is left of the budget allows.
result<void> validation::level_front() {
  const std::vector<std::size_t> front = front_among(rows_with_harms());
  if (front.size() < 2) {
    return {};
  }
  std::size_t n = 0;
  for (const std::size_t r : front) {
    n = std::max(n, out_.rows[r].seeds);
  }
  const auto missing = [&] {
    std::uint64_t runs = 0;
    for (const std::size_t r : front) {
      runs += n - std::min(n, out_.rows[r].seeds);
    }
    return runs;
  };
  while (missing() > context_.runs.left() / 2) {
    --n;
  }
  context_.tell(
      fmt::format("weighing {} values against each other on {} fresh seeds", front.size(), n));
  if (auto ran = run_rows(front, n); !ran) {
    return tl::unexpected<error>(ran.error());
  }
  measure_rows();
  compare_rows();
  return {};
}

/// Which rows are the best trade-off for some weight of a missed accept, and for which.
void validation::find_front() {
  std::vector<std::size_t> front = front_among(rows_with_harms());
  front = front_among(front);  // on the seeds that it has more of
  if (front.empty()) {
    return;
  }
  for (const std::size_t r : front) {
    out_.rows[r].on_front = true;
  }
  const std::vector<harm_samples> each = harms_of(front);
  const std::vector<std::size_t> corners = pareto_hull(each);
  const std::vector<trade_off_weight> turns = trade_off_weights(each, corners);
  out_.exchange_seeds = seeds_of_all(front);
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const auto figure_of = [](const std::vector<double>& samples) {
      const stats::sample_mean m = stats::mean_of(samples);
      return stats::within(m.mean, m.half_width(), m.count);
    };
    trade_off_point e;
    e.row = front[corners[i]];
    e.missed_per_ride = figure_of(each[corners[i]].missed);
    e.hidden_per_ride = figure_of(each[corners[i]].hidden);
    if (i > 0) {
      e.from = turns[i - 1].at;
      e.from_within = turns[i - 1].within;
    }
    if (i < turns.size()) {
      e.to = turns[i].at;
    }
    out_.exchanges.push_back(e);
  }
}

// -- neighbours and bounds -----------------------------------------------------------------------

void validation::find_neighbours() {
  const sweep::parameter& p = context_.where.parameters()[0];
  std::optional<std::size_t> last;
  for (std::size_t r = 0; r < out_.rows.size(); ++r) {
    const sweep::parameter_values& c = out_.rows[r].values;
    const bool profile = std::equal(c.begin() + 1, c.end(), out_.best.begin() + 1);
    if (!p.range || !profile || candidates_[r].costs.size() < 2 || !p.share_of(c[0])) {
      continue;
    }
    if (last) {
      const std::size_t n = std::min(out_.rows[*last].seeds, out_.rows[r].seeds);
      const auto a =
          context_.what.costs(context_.runs.of(candidates_[*last].point, fresh_seeds), n);
      const auto b = context_.what.costs(context_.runs.of(candidates_[r].point, fresh_seeds), n);
      const double apart = stats::variance_of(a) + stats::variance_of(b);
      const double together = stats::variance_of(stats::paired_differences(b, a));
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

void validation::check_bounds() {
  const std::uint32_t best = candidates_[out_.best_row].point;
  const auto runs = context_.runs.of(best, fresh_seeds);
  for (const sweep::metric_formula& f : context_.what.constraints) {
    const auto room = figure_of(f, best);
    const auto found = sweep::constraint_margin_of(f, runs, tail_of_bound);
    if (room && found) {
      out_.constraints.push_back({f.text(), f.unit(), *room, found->least, found->only_refutable});
    }
  }
  for (std::size_t i = 0; i < context_.what.thresholds.size(); ++i) {
    const scenario::bound& b = context_.what.thresholds[i];
    const auto found = figure_of(context_.what.bounded[i], best);
    const double unsure = context_.what.bounded[i].unsure(runs);
    out_.thresholds.push_back(
        {b.metric,
         b.text,
         metrics::find(b.metric)->unit,
         found.value_or(stats::estimate{.value = std::numeric_limits<double>::quiet_NaN()}),
         found && results::meets(found->value - unsure, b) &&
             results::meets(found->value + unsure, b)});
  }
}

void validation::note_unsure() {
  std::vector<sweep::metric_formula> all = context_.what.constraints;
  all.push_back(context_.what.objective);
  all.insert(all.end(), context_.what.bounded.begin(), context_.what.bounded.end());
  const auto runs = context_.runs.of(candidates_[out_.best_row].point, judged_on_);
  std::string names;
  for (const sweep::metric_formula& f : all) {
    if (f.unsure(runs) > 0) {
      names += (names.empty() ? "" : ", ") + f.text();
    }
  }
  if (!names.empty()) {
    out_.notes.push_back(
        fmt::format("{}: of more than {} values in a run, so known to less than 1 % only; "
                    "intervals and verdicts allow for that, the search went by a value between",
                    names,
                    text::with_thousands(stats::sparse_histogram::values_max)));
  }
}

}  // namespace dibs::tune
