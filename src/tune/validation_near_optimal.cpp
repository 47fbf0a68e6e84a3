// What is as good as the best: from where to where.

#include "stats/sample_mean.hpp"
#include "tune/validation.hpp"
#include "tune/validation_parts.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace dibs::tune {
namespace {

/// Of the way from the best to where a parabola puts the end. At the end itself half of all samples
/// say that it is beyond.
constexpr std::array parts_tried{0.85, 0.7, 0.5, 0.3};

constexpr const char* none_shown = "no value beside the best is shown to be as good on these seeds";

}  // namespace

/// All rows beside the best that are shown to be within delta and to meet the constraints, and on
/// from the last of them to the end where regret comes to delta by a parabola through what was
/// tried (around an optimum it grows like a square), or before: each is run on the fresh seeds too,
/// and taken once it is shown to be within delta.
result<void> validation::find_set() {
  out_.set.reset();
  out_.near_optimal.clear();
  out_.set_why.clear();
  set_cut_short_ = false;
  if (out_.rows[out_.best_row].status == row_status::unusable) {
    return {};
  }
  if (out_.in_unit) {
    out_.set_why = "the best is about 0, and no share of that can be told apart";
    return {};
  }
  if (out_.paths.size() != 1 || !context_.where.parameters()[0].range) {
    list_as_good();
    return {};
  }
  std::array<std::string, 2> ends;
  bool cut_short = false;
  for (const bool upper : {false, true}) {
    auto end = end_of_set(upper ? 1 : -1, cut_short);
    if (!end) {
      return tl::unexpected<error>(end.error());
    }
    ends[upper ? 1 : 0] = std::move(*end);
  }
  measure_rows();
  compare_rows();
  // What the best was run on more for may judge rows anew, and the set says what the table says.
  const sweep::parameter& p = context_.where.parameters()[0];
  for (const bool upper : {false, true}) {
    const int step = upper ? 1 : -1;
    const std::string& inner = out_.rows[last_within(step)].values[0];
    std::string& end = ends[upper ? 1 : 0];
    const double at = *p.share_of(end);
    if (step * (at - *p.share_of(inner)) < 0 || step * (first_without(step) - at) <= 0) {
      end = inner;
    }
  }
  if (ends[0] == ends[1]) {
    set_cut_short_ = cut_short;
    out_.set_why = cut_short ? "the budget was spent" : none_shown;
    return {};
  }
  out_.set = ends;
  return {};
}

void validation::list_as_good() {
  bool any_open = false;
  for (std::size_t r = 0; r < out_.rows.size(); ++r) {
    const row& each = out_.rows[r];
    if (!each.searched) {
      continue;
    }
    if (each.status == row_status::within && meets_constraints(candidates_[r].point)) {
      out_.near_optimal.push_back(each.values);
    }
    any_open = any_open || each.status == row_status::open;
  }
  if (out_.near_optimal.empty() && any_open) {
    out_.set_why = none_shown;
  }
}

/// `cut_short` becomes true if the budget did not allow a value that was to be tried.
result<std::string> validation::end_of_set(std::ptrdiff_t step, bool& cut_short) {
  const sweep::parameter& p = context_.where.parameters()[0];
  const std::string& inner = out_.rows[last_within(step)].values[0];
  const double toward = static_cast<double>(step);
  const double best = *p.share_of(out_.best[0]);
  const double from = *p.share_of(inner);
  const double limit = first_without(step);
  const double end = end_by_parabola(step);
  for (const double part : parts_tried) {
    const double at = best + part * (end - best);
    if (toward * (at - from) <= 0 || toward * (limit - at) <= 0) {
      continue;
    }
    const std::string tried = p.text_at(at);
    // One try of several may succeed by luck.
    const auto within = is_within(tried, tail / parts_tried.size());
    if (!within) {
      return tl::unexpected<error>(within.error());
    }
    cut_short = cut_short || !*within;
    if (within->value_or(false)) {
      return tried;
    }
  }
  return inner;
}

std::size_t validation::last_within(std::ptrdiff_t step) const {
  const sweep::parameter& p = context_.where.parameters()[0];
  std::size_t last = out_.best_row;
  auto r = static_cast<std::ptrdiff_t>(last);
  for (r += step; r >= 0 && r < std::ssize(out_.rows); r += step) {
    const row& each = out_.rows[static_cast<std::size_t>(r)];
    if (!p.share_of(each.values[0])) {
      continue;
    }
    if (each.status != row_status::within ||
        !meets_constraints(candidates_[static_cast<std::size_t>(r)].point)) {
      break;
    }
    last = static_cast<std::size_t>(r);
  }
  return last;
}

double validation::first_without(std::ptrdiff_t step) const {
  const sweep::parameter& p = context_.where.parameters()[0];
  auto r = static_cast<std::ptrdiff_t>(last_within(step));
  for (r += step; r >= 0 && r < std::ssize(out_.rows); r += step) {
    if (const auto at = p.share_of(out_.rows[static_cast<std::size_t>(r)].values[0])) {
      return *at;
    }
  }
  return static_cast<double>(step) * std::numeric_limits<double>::infinity();
}

double validation::end_by_parabola(std::ptrdiff_t step) const {
  const sweep::parameter& p = context_.where.parameters()[0];
  const auto share = [&](std::size_t r) { return *p.share_of(out_.rows[r].values[0]); };
  const auto root = [&](std::size_t r) {
    return std::sqrt(std::max(0.0, out_.rows[r].regret->value));
  };
  const double limit = std::sqrt(out_.told_delta);
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
/// the best was run on, or as it takes to see a third of delta. Nothing if the budget does not
/// allow that.
result<std::optional<bool>> validation::is_within(const std::string& value, double tail_of_try) {
  using judged = result<std::optional<bool>>;
  if (value == out_.best[0]) {
    return judged(true);
  }
  const auto point = context_.where.point_of({value});
  if (!point) {
    return judged(false);
  }
  const std::uint32_t best = candidates_[out_.best_row].point;
  const std::array both{best, *point};
  std::size_t n = context_.runs.of(best, fresh_seeds).size();
  const auto worse = [&]() -> std::optional<stats::sample_mean> {
    const auto d =
        stats::paired_differences(context_.what.costs(context_.runs.of(*point, fresh_seeds), n),
                                  context_.what.costs(context_.runs.of(best, fresh_seeds), n));
    return d.size() > 1 ? std::optional(stats::mean_of(d)) : std::nullopt;
  };
  if (auto ran = context_.runs.extend(both, fresh_seeds, n, 0); !ran) {
    return tl::unexpected<error>(ran.error());
  } else if (!*ran) {
    return judged(std::nullopt);
  }
  constexpr double most = 4;
  const auto first = worse();
  const double blur = first ? 3 * first->half_width() / delta() : 0;
  if (blur > 1) {
    const auto more =
        static_cast<std::size_t>(std::min(blur * blur, most) * static_cast<double>(n));
    if (auto ran = context_.runs.extend(both, fresh_seeds, more, 0); !ran) {
      return tl::unexpected<error>(ran.error());
    } else if (*ran) {
      n = more;
    }
  }
  const auto last = worse();
  return judged(last &&
                context_.what.rejection_reason(context_.runs, *point, fresh_seeds).empty() &&
                meets_constraints(*point) && last->above(tail_of_try) <= delta());
}

}  // namespace dibs::tune
