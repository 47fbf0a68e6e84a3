// What the judgements come to: the answer, or what the budget left open.

#include "tune/validation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace dibs::tune {
namespace {

/// What is tried where the budget ended before `delta` could be told.
constexpr std::array larger_deltas{0.02, 0.05, 0.1};

}  // namespace

void validation::conclude(const search_result& c) {
  const row& best = out_.rows[out_.best_row];
  const auto is_open = [](const row& r) {
    return r.status == row_status::worse ||
           (r.searched && r.status != row_status::within && r.status != row_status::best);
  };
  if (out_.unjudged) {
    out_.answer = tuning_status::inconclusive;
    return;
  }
  if (best.status == row_status::unusable) {
    const bool broke = context_.runs.broken(candidates_[out_.best_row].point) != nullptr;
    out_.answer = broke ? tuning_status::unsafe : tuning_status::inconclusive;
    out_.why = "the chosen value did not stand on fresh seeds: " + best.why;
    return;
  }
  if (out_.rows.size() > 1 && std::ranges::none_of(out_.rows, is_open)) {
    out_.answer = tuning_status::flat;
    out_.why = out_.in_unit ? "no value differs from the best"
                            : fmt::format("no value differs from the best by more than {:.3g} %",
                                          100 * out_.told_delta);
    return;
  }
  for (const range_end& e : out_.range_ends) {
    if (!e.worse && e.within && !makes_no_difference(e.parameter)) {
      out_.answer = tuning_status::boundary;
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
    out_.answer = tuning_status::inconclusive;
    return;
  }
  out_.why = cut_off_;
  out_.is_cut_off = !cut_off_.empty();
  out_.answer = cut_off_.empty() ? tuning_status::found : tuning_status::boundary;
}

/// Where the budget ended before `delta` could be told, the least of a few larger differences that
/// can be. A row's interval holds whatever difference it is read for, so that no claim is weaker.
result<void> validation::try_larger_deltas(const search_result& c) {
  conclude(c);
  const bool has_answer = out_.rows[out_.best_row].status != row_status::unusable && !out_.in_unit;
  if (out_.answer != tuning_status::inconclusive || !has_answer) {
    return {};
  }
  const tuning as_asked = out_;
  const std::vector<validated_row> judged = candidates_;
  const bool cut_short = set_cut_short_;
  for (const double share : larger_deltas) {
    if (share <= out_.delta) {
      continue;
    }
    out_.told_delta = share;
    compare_rows();
    judge_range_ends();
    if (auto found = find_set(); !found) {
      return found;
    }
    conclude(c);
    if (out_.answer != tuning_status::inconclusive) {
      out_.notes.push_back(fmt::format(
          "the budget could tell differences of {:.3g} %, and not of {:.3g} %: a larger "
          "--budget tells more",
          100 * share,
          100 * out_.delta));
      return {};
    }
  }
  out_ = as_asked;
  candidates_ = judged;
  set_cut_short_ = cut_short;
  return {};
}

bool validation::makes_no_difference(std::size_t parameter) const {
  std::size_t tried = 0;
  for (const row& r : out_.rows) {
    sweep::parameter_values beside = r.values;
    beside[parameter] = out_.best[parameter];
    if (beside != out_.best || r.values == out_.best) {
      continue;
    }
    if (r.status != row_status::within) {
      return false;
    }
    ++tried;
  }
  return tried > 0;
}

/// Of several fields one may matter and another not: then its value is anybody's choice.
void validation::note_without_effect() {
  for (std::size_t i = 0; i < out_.paths.size(); ++i) {
    if (out_.paths.size() > 1 && makes_no_difference(i)) {
      out_.notes.push_back(
          fmt::format("{} makes no difference of more than {:.3g} % there: any of "
                      "its values will do",
                      out_.paths[i],
                      100 * out_.told_delta));
    }
  }
}

/// What the budget left open, of what an answer has to say; empty if nothing.
std::string validation::open_question(const search_result& c) const {
  for (const range_end& e : out_.range_ends) {
    if (!e.worse && !makes_no_difference(e.parameter)) {
      return fmt::format("the budget was spent before it was clear whether {}={} is worse",
                         out_.paths[e.parameter],
                         e.value);
    }
  }
  for (std::size_t r = 0; r < out_.rows.size(); ++r) {
    if (is_in_reach(out_.rows[r]) && may_be_better(candidates_[r])) {
      return fmt::format(
          "on fresh seeds it is open whether {} is better{}",
          sweep::label_of(context_.where.parameters(), out_.rows[r].values),
          out_.in_unit ? "" : fmt::format(" by more than {:.3g} %", 100 * out_.told_delta));
    }
  }
  if (!meets_constraints(candidates_[out_.best_row].point)) {
    return "it is open whether the chosen value meets the constraints";
  }
  if (wants_precision()) {
    return fmt::format("the budget was spent before the objective was known to {:.3g} %",
                       100 * *context_.how.precision);
  }
  // All values of one range were judged on fresh seeds, so what chose among them does not matter.
  const bool are_all_judged =
      out_.told_delta > out_.delta && !out_.range_ends.empty() && out_.paths.size() == 1;
  if (!c.selected && !are_all_judged && (out_.range_ends.empty() || c.seeds > 0)) {
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

void validation::note_broken() {
  for (std::uint32_t p = 1; p <= context_.where.plan().points.size(); ++p) {
    if (const sweep::broken_promise* b = context_.runs.broken(p); b != nullptr) {
      out_.broken = *b;
      out_.broken_at = context_.where.choice_of(p);
      return;
    }
  }
}

}  // namespace dibs::tune
