// The interval of the best value, and what has to be said of it.

#include "stats/sample_mean.hpp"
#include "text/number.hpp"
#include "tune/validation.hpp"
#include "tune/validation_parts.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace dibs::tune {

/// A fitted least value that a constraint or a condition forbids is not the one that was chosen.
void validation::drop_intervals_without(const search_result& c) {
  const sweep::parameter_values best = context_.where.choice_of(c.point);
  dropped_.resize(out_.interval.size());
  for (std::size_t i = 0; i < out_.interval.size(); ++i) {
    auto& around = out_.interval[i];
    const sweep::parameter& p = context_.where.parameters()[i];
    if (around && (p.share_of(best[i]) < p.share_of((*around)[0]) ||
                   p.share_of(best[i]) > p.share_of((*around)[1]))) {
      if (cut_off_.empty() &&
          ((c.hindered && !context_.what.constraints.empty()) || is_excluded(best, i, *around))) {
        cut_off_ = fmt::format(
            "of what is allowed {}={} is best; the fit without conditions and constraints has it "
            "at {} to {}",
            p.path,
            best[i],
            (*around)[0],
            (*around)[1]);
      }
      dropped_[i] = fmt::format("the fit has the least at {} to {}, without {}, which did better",
                                (*around)[0],
                                (*around)[1],
                                best[i]);
      around.reset();
    }
  }
}

bool validation::is_excluded(sweep::parameter_values at,
                             std::size_t i,
                             const std::array<std::string, 2>& ends) {
  return std::ranges::any_of(ends, [&](const std::string& end) {
    at[i] = end;
    return !context_.where.point_of(at).has_value();
  });
}

/// A best value nearer to a row that is shown to be worse than to the last one that is not would
/// make that one the worse of the two: no interval reaches beyond the middle between them. Nor does
/// any reach beyond a row that cannot be chosen.
void validation::clip_intervals() {
  for (std::size_t i = 0; i < out_.interval.size(); ++i) {
    auto& around = out_.interval[i];
    const sweep::parameter& p = context_.where.parameters()[i];
    if (!around) {
      continue;
    }
    // The rows that differ from the best in this parameter alone, by their shares.
    std::vector<std::pair<double, row_status>> profile;
    for (const row& r : out_.rows) {
      sweep::parameter_values beside = r.values;
      beside[i] = out_.best[i];
      const auto at = p.share_of(r.values[i]);
      const bool is_known = r.status != row_status::unusable || !r.why.empty();
      if (at && beside == out_.best && is_known) {
        profile.emplace_back(*at, r.status);
      }
    }
    std::ranges::sort(profile);
    const double best = *p.share_of(out_.best[i]);
    double low = *p.share_of((*around)[0]);
    double high = *p.share_of((*around)[1]);
    const auto clip = [&](auto from, auto to, double& end, double toward) {
      double last = best;
      for (; from != to; ++from) {
        if (toward * (from->first - best) <= 0) {
          continue;
        }
        const bool is_wall = from->second == row_status::unusable;
        if (is_wall || from->second == row_status::worse) {
          const double most = is_wall ? from->first : (last + from->first) / 2;
          end = toward * (end - most) > 0 ? most : end;
          return;
        }
        last = from->first;
      }
    };
    const std::pair before(low, high);
    clip(profile.begin(), profile.end(), high, 1);
    clip(profile.rbegin(), profile.rend(), low, -1);
    if (std::pair(low, high) != before) {
      around = {p.end_at(low, -1), p.end_at(high, 1)};
    }
    (*around)[0] = last_allowed(i, (*around)[0]);
    (*around)[1] = last_allowed(i, (*around)[1]);
  }
}

/// From the best to there, as far as no condition forbids it.
std::string validation::last_allowed(std::size_t i, const std::string& end) {
  const sweep::parameter& p = context_.where.parameters()[i];
  sweep::parameter_values at = out_.best;
  const auto is_allowed = [&](const std::string& value) {
    at[i] = value;
    return context_.where.point_of(at).has_value();
  };
  if (is_allowed(end)) {
    return end;
  }
  double good = *p.share_of(out_.best[i]);
  double bad = *p.share_of(end);
  std::string last = out_.best[i];
  for (double middle = (good + bad) / 2;
       p.text_at(middle) != p.text_at(good) && p.text_at(middle) != p.text_at(bad);
       middle = (good + bad) / 2) {
    if (is_allowed(p.text_at(middle))) {
      good = middle;
      last = p.text_at(middle);
    } else {
      bad = middle;
    }
  }
  return last;
}

/// An answer without the interval that a range has says why.
void validation::note_missing_intervals(const search_result& c) {
  if (out_.answer != tuning_status::found) {
    return;
  }
  for (std::size_t i = 0; i < out_.interval.size(); ++i) {
    if (out_.interval[i] || !context_.where.parameters()[i].range) {
      continue;
    }
    const std::string why = i < dropped_.size() && !dropped_[i].empty() ? dropped_[i]
                            : c.misfits ? "what the values beside it cost lies on no smooth curve"
                                        : "the values beside it allowed no fit";
    out_.why +=
        fmt::format("{}no interval of {}: {}", out_.why.empty() ? "" : "; ", out_.paths[i], why);
  }
}

/// Two fits tell how far a curve may be wrong; of one it is not known.
void validation::note_lone_fit(const search_result& c) {
  const bool has_interval =
      std::ranges::any_of(out_.interval, [](const auto& i) { return i.has_value(); });
  if (c.fits == 1 && has_interval && out_.answer == tuning_status::found) {
    out_.notes.push_back(fmt::format(
        "{}, so the interval of the best may be too narrow",
        c.cut_short ? "the budget allowed one fit instead of two"
                    : "nearer to the best nothing bends that could be seen, so one fit had to do"));
  }
}

/// Less than delta is no reason to choose another value, but to be told of.
void validation::note_better() {
  for (std::size_t r = 0; r < out_.rows.size(); ++r) {
    const validated_row& c = candidates_[r];
    if (!c.compared || out_.rows[r].status == row_status::unusable ||
        c.worse.mean + c.worse.half_width() >= 0) {
      continue;
    }
    const stats::estimate& regret = *out_.rows[r].regret;
    const stats::estimate by = stats::within(-regret.value, regret.half_width());
    out_.notes.push_back(fmt::format(
        "on fresh seeds {} is shown to be better than the best, by {}",
        sweep::label_of(context_.where.parameters(), out_.rows[r].values),
        out_.in_unit ? text::format_difference(by.value, by, out_.unit, "+/-")
                     : text::format_value(by.value, *by.margin, text::unit::share, "+/-")));
  }
}

/// Who is never matched waits for ever, and no time to match or to pick-up counts that.
void validation::note_unmatched() {
  const std::string& text = context_.what.objective.text();
  if (text.find("ttm.") == std::string::npos && text.find("pickup.") == std::string::npos) {
    return;
  }
  const auto which = std::ranges::find_if(
      sweep::shown_metrics, [](const auto& m) { return m.metric == "rides.match_rate"; });
  const auto at = static_cast<std::size_t>(which - sweep::shown_metrics.begin());
  const auto matched = [at](const row& r) { return r.figure(at); };
  const auto best = matched(out_.rows[out_.best_row]);
  const row* more = nullptr;
  for (const row& r : out_.rows) {
    const auto here = matched(r);
    if (best && here && r.status != row_status::unusable && here->low() > best->high() &&
        (more == nullptr || here->value > matched(*more)->value)) {
      more = &r;
    }
  }
  if (more != nullptr) {
    out_.notes.push_back(fmt::format(
        "{} counts matched rides alone, and {} matches {} of them instead of {}: a constraint on "
        "rides.match_rate says how few may be",
        text,
        sweep::label_of(context_.where.parameters(), more->values),
        text::format_value(matched(*more)->value, text::unit::share),
        text::format_value(best->value, text::unit::share)));
  }
}

}  // namespace dibs::tune
