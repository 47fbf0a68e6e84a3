#include "show/picture.hpp"

#include "report/interval.hpp"
#include "report/number.hpp"
#include "scenario/complaints.hpp"
#include "show/breach.hpp"
#include "show/drawing.hpp"
#include "show/fact.hpp"
#include "show/fault_bands.hpp"
#include "show/lane_plan.hpp"
#include "show/lesson.hpp"
#include "show/strata.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace dibs::show {
namespace {

using metrics::never;
using metrics::try_record;

constexpr double width = 1200;
constexpr double margin = 36;
const std::string ink = "#1b2230";
const std::string soft = "#5b6472";
const std::string faint = "#eeece6";
const std::string bad = "#c0341d";

struct hue {
  std::string_view layer;
  const char* colour;
  int stripes;  ///< degrees; 0: plain
};
constexpr std::array hues{hue{"converting", "#3d7edb", 0},
                          hue{"ignored", "#e4572e", 45},
                          hue{"declined", "#f0a04b", -45},
                          hue{"undelivered", "#d9b310", 90},
                          hue{"cancelled", "#c06bb3", 20},
                          hue{"lost_accept", "#8a4fd3", -20},
                          hue{"denied_by_ledger", "#8d6e63", 60},
                          hue{"zombie", "#a0185f", 70},
                          hue{"overhang", "#7f5539", -70},
                          hue{"censored", "#9a9a9a", 30}};

double figure(const chronicle& c, const char* name) {
  return c.of().metrics.value(name).value_or(0);
}

void draw_head(const chronicle& c, drawing& to) {
  const scenario::scenario& s = c.of().scenario;
  to.text(margin, 52, scenario::shown(s.name, 60), {30, ink, anchor::start, true});
  to.text(margin, 78, scenario::shown(s.question, 200), {15, soft});
  const double doubles = figure(c, "double.commits");
  const double commits = std::max(figure(c, "rides.committed"), 1.0);
  const std::string rate =
      doubles > 0 ? fmt::format("{} pairs of trips on one driver at once, {} in 1,000 assignments",
                                report::grouped(static_cast<std::uint64_t>(doubles)),
                                report::significant(1000 * doubles / commits))
                  : fmt::format("none in {} assignments: at 99.9 %, fewer than {} in 1,000",
                                report::grouped(static_cast<std::uint64_t>(commits)),
                                report::significant(1000 * report::none_seen_bound(commits)));
  const std::string hidden =
      fmt::format("{} of the drivers' time on line, held for nothing",
                  report::shown(figure(c, "supply.hidden_share"), metrics::unit::share));
  double y = 112;
  for (const auto& [label, words, colour] :
       {std::tuple{"Double assignment", rate, doubles > 0 ? bad : std::string("#1a7f4b")},
        std::tuple{"Supply hiding", hidden, ink}}) {
    to.text(margin, y, label, {15, soft});
    to.text(margin + 160, y, words, {15, colour, anchor::start, true});
    y += 24;
  }
}

/// Areas one on the other, from the bottom up.
struct stack {
  drawing& to;
  const strata& s;
  double left, top, right, bottom;
  sim_time from, until;
  double most;

  [[nodiscard]] double x(sim_time t) const {
    return left + (right - left) * in_seconds(t - from) / in_seconds(until - from);
  }
  [[nodiscard]] double y(double drivers) const { return bottom - (bottom - top) * drivers / most; }
};

std::vector<double> drivers_in(const strata& s, std::size_t layer, sim_time end) {
  std::vector<double> all;
  for (std::size_t i = 0; i < s.begins.size(); ++i) {
    const sim_time until = i + 1 < s.begins.size() ? s.begins[i + 1] : end;
    all.push_back(static_cast<double>(s.spent[layer][i]) /
                  static_cast<double>((until - s.begins[i]).count()));
  }
  return all;
}

void draw_layer(const stack& in,
                const std::vector<double>& low,
                const std::vector<double>& high,
                const std::string& fill) {
  std::vector<std::pair<double, double>> corners;
  const auto end_of = [&](std::size_t i) {
    return i + 1 < in.s.begins.size() ? in.s.begins[i + 1] : in.until;
  };
  for (std::size_t i = 0; i < high.size(); ++i) {
    corners.emplace_back(in.x(in.s.begins[i]), in.y(high[i]));
    corners.emplace_back(in.x(end_of(i)), in.y(high[i]));
  }
  for (std::size_t i = low.size(); i-- > 0;) {
    corners.emplace_back(in.x(end_of(i)), in.y(low[i]));
    corners.emplace_back(in.x(in.s.begins[i]), in.y(low[i]));
  }
  in.to.area(corners, fill);
}

void draw_axis(const stack& in) {
  in.to.line(in.left, in.bottom, in.right, in.bottom, {"#b9b6ad", 1});
  const double length = in_seconds(in.until - in.from);
  const double step = length > 5400 ? 1200 : length > 1500 ? 600 : 60;
  for (double t = 0; t <= length; t += step) {
    const double x = in.left + (in.right - in.left) * t / length;
    in.to.line(x, in.bottom, x, in.bottom + 5, {"#b9b6ad", 1});
    const bool is_last = x > in.right - 30;
    in.to.text(
        x, in.bottom + 19, report::duration(t), {12, soft, is_last ? anchor::end : anchor::middle});
  }
  for (const double share : {0.5, 1.0}) {
    const double drivers = in.most / 1.05 * share;
    in.to.text(
        in.left - 8, in.y(drivers) + 4, report::significant(drivers, 2), {12, soft, anchor::end});
  }
}

void draw_faults(const chronicle& c, const stack& in) {
  for (const fault_band& f : fault_bands(c.of())) {
    if (f.form == fault_form::armed) {
      continue;  // it has no instant of its own
    }
    const char* colour = f.what == "crash" ? "#c0341d" : f.what == "pause" ? "#a65a00" : "#1b2230";
    const double x = in.x(f.when.begin);
    in.to.line(x, in.top, x, in.bottom, {colour, 1, "2 3"});
    in.to.text(x, in.top - 4, std::string(sign_of(f)), {11, colour, anchor::middle});
  }
}

/// Drivers under a lease, by what came of it. Returns where it ends.
double draw_supply(const chronicle& c, drawing& to, double top) {
  const strata s =
      supply_over_time(c, std::max<sim_duration>(c.of().scenario.output.series, 1s), 150);
  std::vector<double> sum(s.begins.size(), 0);
  double most = 0;
  for (const hue& h : hues) {
    const auto layer = std::find(s.layers.begin(), s.layers.end(), h.layer) - s.layers.begin();
    const auto all = drivers_in(s, static_cast<std::size_t>(layer), c.of().end);
    for (std::size_t i = 0; i < sum.size(); ++i) {
      sum[i] += all[i];
      most = std::max(most, sum[i]);
    }
  }
  if (most <= 0) {
    return top - 20;
  }
  to.text(margin, top, "Drivers under a lease: what came of it", {15, ink, anchor::start, true});
  const stack in{
      to, s, margin + 44, top + 30, width - margin, top + 190, sim_time{}, c.of().end, most * 1.05};
  std::fill(sum.begin(), sum.end(), 0);
  double key = margin + 44;
  for (const hue& h : hues) {
    const auto layer = static_cast<std::size_t>(
        std::find(s.layers.begin(), s.layers.end(), h.layer) - s.layers.begin());
    const auto all = drivers_in(s, layer, c.of().end);
    if (*std::max_element(all.begin(), all.end()) <= 0) {
      continue;
    }
    const std::vector<double> low = sum;
    for (std::size_t i = 0; i < sum.size(); ++i) {
      sum[i] += all[i];
    }
    const std::string fill = h.stripes != 0 ? to.stripes(h.colour, h.stripes) : h.colour;
    draw_layer(in, low, sum, fill);
    std::string name = h.layer == "converting" ? "became a trip" : std::string(h.layer);
    std::replace(name.begin(), name.end(), '_', ' ');
    to.rectangle(key, in.bottom + 30, 16, 12, fill, 2);
    to.text(key + 22, in.bottom + 40, name, {12, soft});
    key += 44 + 7.0 * static_cast<double>(name.size());
  }
  draw_faults(c, in);
  draw_axis(in);
  return in.bottom + 62;
}

/// Pairs of trips on one driver, since the start. Returns where it ends.
double draw_doubles(const chronicle& c, drawing& to, double top) {
  const auto& series = c.of().metrics.series;
  if (series.empty() || series.back().double_commits == 0) {
    return top - 20;
  }
  const auto most = static_cast<double>(series.back().double_commits);
  to.text(margin,
          top,
          "Pairs of trips on one driver, from the start of the run on, warm-up included",
          {15, ink, anchor::start, true});
  const strata none;
  const stack in{to,
                 none,
                 margin + 44,
                 top + 22,
                 width - margin,
                 top + 150,
                 sim_time{},
                 c.of().end,
                 most * 1.05};
  std::vector<std::pair<double, double>> corners{{in.left, in.bottom}};
  for (const metrics::series_row& row : series) {
    const auto pairs = static_cast<double>(row.double_commits);
    corners.emplace_back(in.x(row.t), corners.back().second);
    corners.emplace_back(in.x(row.t), in.y(pairs));
  }
  corners.emplace_back(in.right, corners.back().second);
  corners.emplace_back(in.right, in.bottom);
  to.area(corners, to.stripes("#e4572e", 45));
  draw_faults(c, in);
  draw_axis(in);
  return in.bottom + 30;
}

/// What the bars are, of those that are there.
double draw_key(const lane_plan& plan,
                const std::array<std::string, 7>& fills,
                drawing& to,
                double left,
                double y) {
  static constexpr std::array<std::string_view, 7> words{"lease that became a trip",
                                                         "lease that came to nothing",
                                                         "trip",
                                                         "a matcher believes that it may have her",
                                                         "it believes so, and it is no longer true",
                                                         "offer on her screen",
                                                         "lease that was over before its trip"};
  double x = left;
  for (std::size_t kind = 0; kind < words.size(); ++kind) {
    const bool is_there = std::any_of(plan.bars.begin(), plan.bars.end(), [&](const lane_bar& b) {
      return static_cast<std::size_t>(b.is) == kind;
    });
    const double length = 52 + 6.6 * static_cast<double>(words[kind].size());
    if (is_there && x + length > width - margin) {
      x = left;
      y += 20;
    }
    if (is_there) {
      to.rectangle(x, y - 11, 22, 13, fills[kind], 3);
      to.text(x + 29, y, std::string(words[kind]), {12, soft});
      x += length;
    }
  }
  return y + 16;
}

double draw_lanes(const chronicle& c, const breach& b, drawing& to, double top) {
  to.text(margin, top, "The most instructive breach", {15, ink, anchor::start, true});
  to.text(margin, top + 20, scenario::shown(b.headline, 150), {13, bad});
  const lane_plan plan = lane_plan_of(c, b);
  const double left = margin + 110;
  const double right = width - margin;
  const auto x = [&](sim_time t) {
    const double share =
        in_seconds(t - plan.span.begin) / in_seconds(plan.span.end - plan.span.begin);
    return left + (right - left) * std::clamp(share, 0.0, 1.0);
  };
  const double first = top + 36;
  constexpr double gap = 6;
  std::vector<double> tops;
  double y = first;
  for (const lane& l : plan.lanes) {
    tops.push_back(y);
    to.rectangle(left, y, right - left, l.tracks * 20.0 + 6, faint, 4);
    to.text(left - 10, y + l.tracks * 10.0 + 7, l.name, {13, ink, anchor::end});
    y += l.tracks * 20.0 + 6 + gap;
  }
  const std::string stale = to.stripes("#a0185f", 45);
  const std::array<std::string, 7> fills{"#3d7edb",
                                         to.stripes("#e4572e", 45),
                                         "#2a9d8f",
                                         "#cfd6df",
                                         stale,
                                         to.stripes("#c06bb3", -45),
                                         to.stripes("#8a4fd3", -20)};
  for (const lane_bar& bar : plan.bars) {
    const double x0 = x(bar.when.begin);
    const double w = std::max(x(bar.when.end) - x0, 2.0);
    const double at = tops[bar.lane] + 3 + 20.0 * bar.track;
    to.rectangle(x0, at + 2, w, 16, fills[static_cast<std::size_t>(bar.is)], 3);
    if (!bar.label.empty() && w > 7.5 * static_cast<double>(bar.label.size()) + 8) {
      to.rectangle(
          x0 + 4, at + 4, 6.4 * static_cast<double>(bar.label.size()) + 4, 12, "#ffffff", 2);
      to.text(x0 + 6, at + 14, bar.label, {12, ink});
    }
  }
  for (const lane_word& w : plan.words) {
    const bool down = w.to > w.from;
    const double begin = tops[w.from] + (down ? plan.lanes[w.from].tracks * 20.0 : 6);
    const double end = tops[w.to] + (down ? 6 : plan.lanes[w.to].tracks * 20.0);
    to.arrow(x(w.when.begin),
             begin,
             x(w.when.end),
             end,
             {w.is_lost ? bad : "#1f5fbf", 1.6, w.is_lost ? "4 3" : ""});
  }
  const lesson learnt = lesson_of(c, b);
  if (learnt.decided && plan.span.holds(*learnt.decided)) {
    const double at = x(*learnt.decided);
    to.line(at, first - 4, at, y, {bad, 2, "6 4"});
    const bool is_late = at > width - 340;
    to.text(at + (is_late ? -6 : 6),
            y + 12,
            "decided at " + clock_time(learnt.decided->time_since_epoch()),
            {12, bad, is_late ? anchor::end : anchor::start, true});
  }
  to.text(left, y + 12, clock_time(plan.span.begin.time_since_epoch()), {12, soft});
  to.text(right, y + 12, clock_time(plan.span.end.time_since_epoch()), {12, soft, anchor::end});
  return draw_key(plan, fills, to, left, y + 36);
}

}  // namespace

std::string picture_of(const chronicle& c) {
  // Drawn twice: the height is known when all is drawn.
  const auto all = breaches_of(c);
  const auto drawn = [&](drawing& to) {
    draw_head(c, to);
    double y = draw_doubles(c, to, draw_supply(c, to, 176) + 20);
    const auto told = std::find_if(all.begin(), all.end(), [](const breach& b) {
      return !b.tries.empty() && b.harm != metrics::harm::starved_ride;
    });
    y = told == all.end() ? y : draw_lanes(c, *told, to, y + 22);
    return y;
  };
  drawing trial(width, 0);
  const double height = std::ceil(drawn(trial) + 16);
  drawing final(width, height);
  final.rectangle(0, 0, width, height, "#ffffff", 14);
  drawn(final);
  return final.finish(scenario::shown(c.of().scenario.name, 100) + ": " +
                      scenario::shown(c.of().scenario.question, 300));
}

}  // namespace dibs::show
