#include "report/sweep_verdict.hpp"

#include "metrics/catalogue.hpp"
#include "results/paired_difference.hpp"
#include "sweep/free_fields.hpp"
#include "text/escape.hpp"
#include "text/number.hpp"
#include "text/plural.hpp"
#include "text/word_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace dibs::report {
namespace {

constexpr std::size_t points_named_max = 4;  // points in one list
constexpr int label_max = 60;

bool wants_more(std::string_view metric) {
  return metrics::find(metric)->meaning.direction == metrics::direction::more_is_better;
}

}  // namespace

void sweep_verdict::add(const sweep::kept_point& p, std::span<const results::run_record> runs) {
  point& added = points_.emplace_back(point{.fields = p.what.fields});
  for (const results::run_record& r : runs) {
    auto& kept = added.runs[r.seed];
    for (std::size_t m = 0; m < metrics.size(); ++m) {
      if (const results::metric_sample* sample = r.find(metrics[m])) {
        kept[m] = *sample;
      }
    }
  }
}

void sweep_verdict::name_points() {
  std::vector<std::vector<std::string>> all;
  for (const point& p : points_) {
    std::vector<std::string>& values = all.emplace_back();
    for (const scenario::override_value& f : p.fields) {
      values.push_back(f.value);
    }
  }
  const std::vector<std::size_t> free = sweep::free_fields(all);
  for (point& p : points_) {
    sweep::point named;
    for (const std::size_t place : free) {
      named.fields.push_back(p.fields[place]);
    }
    p.label = text::display_text(sweep::label_of(named), label_max);
  }
}

bool sweep_verdict::is_worse(std::size_t metric, const point& p, const point& than) const {
  std::vector<const results::metric_sample*> a;
  std::vector<const results::metric_sample*> b;
  for (const auto& [seed, samples] : than.runs) {
    if (const auto same = p.runs.find(seed); same != p.runs.end()) {
      a.push_back(&samples[metric]);
      b.push_back(&same->second[metric]);
    }
  }
  const auto d = results::difference_of(metrics[metric], a, b);
  return d && d->what == results::difference_status::changed &&
         (d->change.value > 0) != wants_more(metrics[metric]);
}

sweep_verdict::best_of sweep_verdict::best_in(std::size_t metric) const {
  std::optional<double> best;
  best_of found;
  for (std::size_t i = 0; i < points_.size(); ++i) {
    std::vector<const results::metric_sample*> samples;
    for (const auto& [seed, each] : points_[i].runs) {
      samples.push_back(&each[metric]);
    }
    const auto e = results::estimate_of(metrics[metric], samples);
    const bool is_better =
        e && (!best || (wants_more(metrics[metric]) ? e->value > *best : e->value < *best));
    if (is_better) {
      best = e->value;
      found.best = i;
    }
  }
  found.value = best ? text::format_value(*best, metrics::unit_of(metrics[metric])) : "";
  for (const point& p : points_) {
    found.as_good.push_back(!is_worse(metric, p, points_[found.best]));
  }
  return found;
}

std::vector<std::string> sweep_verdict::labels_of(const std::vector<bool>& which) const {
  std::vector<std::string> all;
  for (std::size_t i = 0; i < points_.size(); ++i) {
    if (which[i]) {
      all.push_back(points_[i].label);
    }
  }
  return all;
}

std::string sweep_verdict::said(const best_of& b, std::string_view per) const {
  const auto others = static_cast<std::uint64_t>(std::ranges::count(b.as_good, true) - 1);
  return fmt::format(
      "{}{} at {}{}",
      b.value,
      per,
      points_[b.best].label,
      others == 0 ? "" : fmt::format(" ({} not told from it)", text::plural(others, "other")));
}

bool sweep_verdict::has_doubled_rides() const {
  return std::ranges::count(points_with(doubled_rides), true) > 0;
}

std::vector<bool> sweep_verdict::points_with(std::size_t metric) const {
  std::vector<bool> all;
  for (const point& p : points_) {
    all.push_back(std::ranges::any_of(
        p.runs, [metric](const auto& run) { return run.second[metric].value.value_or(0) > 0; }));
  }
  return all;
}

std::string sweep_verdict::ends_of(std::span<const best_of> best) const {
  struct words {
    const char* best;
    const char* of;
  };
  constexpr std::array all{words{"Least often on two trips", "how often drivers are on two trips"},
                           words{"Fewest rides with two drivers", "rides with two drivers"},
                           words{"Least time hidden", "time hidden"},
                           words{"Most riders matched", "riders matched"}};
  std::string text;
  std::vector<std::string> alike;
  for (std::size_t m = 0; m < all.size(); ++m) {
    if (std::ranges::count(best[m].as_good, false) > 0) {
      text += fmt::format(" {}: {}.", all[m].best, said(best[m]));
    } else if (const auto some = std::ranges::count(points_with(m), true);
               m > doubled_rides ||
               (some == 0 ? m != doubled_rides : some == std::ssize(points_))) {
      // Of trips too many that only some points have, another sentence tells.
      alike.emplace_back(all[m].of);
    }
  }
  return alike.empty()
             ? text
             : text + fmt::format(" No difference is seen in {}.", text::word_list(alike));
}

std::string sweep_verdict::text() {
  if (points_.size() < 2) {
    return "";
  }
  name_points();
  if (std::ranges::all_of(points_, [](const point& p) { return p.runs.size() < 2; })) {
    return "One run of each point does not tell a difference from chance: give more --seeds.";
  }
  std::array<best_of, metrics.size()> best;
  std::vector<bool> in_all(points_.size(), true);
  for (std::size_t m = 0; m < metrics.size(); ++m) {
    best[m] = best_in(m);
    for (std::size_t i = 0; m != costs && i < points_.size(); ++i) {
      in_all[i] = in_all[i] && best[m].as_good[i];
    }
  }
  std::string seen;
  for (const auto& [metric, what] : {std::pair(std::size_t{0}, "Drivers on two trips were"),
                                     std::pair(doubled_rides, "Rides with two drivers were")}) {
    const std::vector<bool> where = points_with(metric);
    const auto points = std::ranges::count(where, true);
    if (points == 0 || points == std::ssize(where)) {
      continue;
    }
    // Few runs do not tell it from none; but where nobody else has one, it is not among the best.
    for (std::size_t i = 0; i < points_.size(); ++i) {
      in_all[i] = in_all[i] && !where[i];
    }
    if (std::ranges::count(best[metric].as_good, false) == 0) {
      seen += fmt::format(" {} seen at {}, and nowhere else.",
                          what,
                          text::first_of_list(labels_of(where), points_named_max));
    }
  }
  const auto good = labels_of(in_all);
  const std::string least = ends_of(best);
  const std::string cost =
      best[costs].value.empty()
          ? ""
          : fmt::format(" Cheapest by the scenario's prices: {}.", said(best[costs], " a ride"));
  if (good.size() == points_.size()) {
    return fmt::format(
        "No difference is seen between the {} points in either harm or in riders "
        "matched.{}",
        text::with_thousands(points_.size()),
        seen + cost);
  }
  return good.empty()
             ? "No point is best in both harms and in riders matched." + seen + least + cost
             : fmt::format(
                   "Best in both harms and in riders matched, or not told from the best: {}.{}{}",
                   text::first_of_list(good, points_named_max),
                   seen + least,
                   cost);
}

}  // namespace dibs::report
