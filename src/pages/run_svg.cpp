#include "pages/run_svg.hpp"

#include "explain/explanation.hpp"
#include "explain/harm.hpp"
#include "history/event_text.hpp"
#include "history/fault_intervals.hpp"
#include "history/supply_over_time.hpp"
#include "pages/supply_layers.hpp"
#include "pages/svg.hpp"
#include "pages/swimlane_svg.hpp"
#include "pages/ticks.hpp"
#include "stats/confidence_interval.hpp"
#include "text/escape.hpp"
#include "text/number.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <variant>
#include <vector>

namespace dibs::pages {
namespace {

using metrics::try_record;

double figure(const history::indexed_run& c, const char* name) {
  return c.of().metrics.value(name).value_or(0);
}

/// Returns where it ends.
double draw_figures(const history::indexed_run& c,
                    const std::vector<std::string>& shown,
                    double y,
                    svg_drawing& to) {
  for (const std::string& metric : shown) {
    const auto value = c.of().metrics.value(metric);
    to.text(picture_margin, y, metric, {15, soft_colour});
    to.text(picture_margin + 320,
            y,
            value ? text::format_value(*value, metrics::unit_of(metric)) : "none",
            {15, text_colour, anchor::start, true});
    y += 24;
  }
  return y;
}

double draw_head(const history::indexed_run& c,
                 const std::vector<std::string>& shown,
                 svg_drawing& to) {
  const scenario::scenario& s = c.of().scenario;
  constexpr double line = picture_width - 2 * picture_margin;
  const double named = to.paragraph(picture_margin,
                                    52,
                                    line * 0.9,
                                    text::display_text(s.name, 120),
                                    {30, text_colour, anchor::start, true});
  const double asked = to.paragraph(
      picture_margin, named + 26, line, text::display_text(s.question, 600), {15, soft_colour});
  if (!shown.empty()) {
    return draw_figures(c, shown, asked + 34, to);
  }
  const double doubles = figure(c, "double.commits");
  const double commits = std::max(figure(c, "rides.committed"), 1.0);
  const std::string rate =
      doubles > 0 ? fmt::format("{} pairs of trips on one driver at once, {} in 1,000 assignments",
                                text::with_thousands(static_cast<std::uint64_t>(doubles)),
                                text::significant(1000 * doubles / commits))
                  : fmt::format("none in {} assignments: at 99.9 %, fewer than {} in 1,000",
                                text::with_thousands(static_cast<std::uint64_t>(commits)),
                                text::significant(1000 * stats::zero_event_bound(commits)));
  const std::string hidden =
      fmt::format("{} of the drivers' time on line, held for nothing",
                  text::format_value(figure(c, "supply.hidden_share"), text::unit::share));
  double y = asked + 34;
  for (const auto& [label, words, colour] :
       {std::tuple{"Double assignment", rate, doubles > 0 ? harm_colour : std::string("#1a7f4b")},
        std::tuple{"Supply hiding", hidden, text_colour}}) {
    to.text(picture_margin, y, label, {15, soft_colour});
    to.text(picture_margin + 160, y, words, {15, colour, anchor::start, true});
    y += 24;
  }
  return y;
}

/// Areas one on the other, from the bottom up.
struct stack {
  svg_drawing& to;
  const history::supply_layers& s;
  double left, top, right, bottom;
  sim_time from, until;
  double most;

  [[nodiscard]] double x(sim_time t) const {
    return left + (right - left) * in_seconds(t - from) / in_seconds(until - from);
  }
  [[nodiscard]] double y(double drivers) const { return bottom - (bottom - top) * drivers / most; }
};

std::vector<double> drivers_in(const history::supply_layers& s, std::size_t layer, sim_time end) {
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
  const auto label = [](sim_time t, sim_duration) { return text::duration(t.time_since_epoch()); };
  for (const time_tick& t : time_ticks(in.from, in.until, in.right - in.left, 12, label)) {
    const double x = in.x(t.at);
    in.to.line(x, in.bottom, x, in.bottom + 5, {"#b9b6ad", 1});
    in.to.text(x, in.bottom + 19, t.label, {12, soft_colour, anchor::middle});
  }
  for (const double drivers : value_ticks(in.most)) {
    in.to.text(in.left - 8,
               in.y(drivers) + 4,
               text::significant(drivers, 2),
               {12, soft_colour, anchor::end});
  }
}

/// Of the faults with an instant of their own: a line each, and a sign above it, in the first of
/// two rows in which it covers no other.
void draw_faults(const history::indexed_run& c, const stack& in) {
  constexpr double apart = 15;
  std::array<double, 2> free_from{in.left - apart, in.left - apart};
  for (const history::fault_interval& f : history::fault_bands(c.of())) {
    if (f.form == history::fault_form::armed) {
      continue;
    }
    const std::string colour = colour_of_fault(f.what);
    const double x = in.x(f.when.begin);
    in.to.line(x, in.top, x, in.bottom, {colour, 1, "2 3"});
    const std::size_t row = x >= free_from[0] ? 0 : 1;
    if (x >= free_from[row]) {
      in.to.text(x,
                 in.top - 4 - 12 * static_cast<double>(row),
                 std::string(history::sign_of(f)),
                 {11, colour, anchor::middle});
      free_from[row] = x + apart;
    }
  }
}

/// What the signs above the charts stand for. Returns where it ends.
double draw_key_of_faults(const history::indexed_run& c, double top, svg_drawing& to) {
  std::vector<legend_entry> all;
  std::map<std::string, std::size_t> times;
  for (const history::fault_interval& f : history::fault_bands(c.of())) {
    if (f.form != history::fault_form::armed && times[f.what]++ == 0) {
      all.push_back({std::string(history::sign_of(f)), f.what, f.what + " of " + f.who});
    }
  }
  for (legend_entry& s : all) {
    s.words = times[s.what] > 1 ? fmt::format("{}, {} times", s.what, times[s.what]) : s.words;
  }
  return all.empty()
             ? top
             : draw_signs(all, picture_margin + 44, picture_width - picture_margin, top, to) + 8;
}

/// Drivers under a lease, by what came of it. Returns where it ends.
double draw_supply(const history::indexed_run& c, svg_drawing& to, double top) {
  const history::supply_layers s =
      history::supply_over_time(c, std::max<sim_duration>(c.of().scenario.output.series, 1s), 150);
  std::vector<double> sum(s.begins.size(), 0);
  double most = 0;
  for (const supply_layer& h : lease_layers) {
    const auto layer = std::find(s.layers.begin(), s.layers.end(), h.key) - s.layers.begin();
    const auto all = drivers_in(s, static_cast<std::size_t>(layer), c.of().end);
    for (std::size_t i = 0; i < sum.size(); ++i) {
      sum[i] += all[i];
      most = std::max(most, sum[i]);
    }
  }
  if (most <= 0) {
    return top - 20;
  }
  to.text(picture_margin,
          top,
          "Drivers under a lease: what came of it",
          {15, text_colour, anchor::start, true});
  const stack in{to,
                 s,
                 picture_margin + 44,
                 top + 30,
                 picture_width - picture_margin,
                 top + 190,
                 sim_time{},
                 c.of().end,
                 most * 1.05};
  std::fill(sum.begin(), sum.end(), 0);
  double key = in.left;
  double key_top = in.bottom + 30;
  for (const supply_layer& h : lease_layers) {
    const auto layer = static_cast<std::size_t>(std::find(s.layers.begin(), s.layers.end(), h.key) -
                                                s.layers.begin());
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
    const double length = 44 + width_of(h.says, 12);
    if (key + length > in.right) {
      key = in.left;
      key_top += 20;
    }
    to.rectangle(key, key_top, 16, 12, fill, 2);
    to.text(key + 22, key_top + 10, h.says, {12, soft_colour});
    key += length;
  }
  draw_faults(c, in);
  draw_axis(in);
  return key_top + 32;
}

/// Pairs of trips on one driver, since the start. Returns where it ends.
double draw_doubles(const history::indexed_run& c, svg_drawing& to, double top) {
  const auto& series = c.of().metrics.series;
  if (series.empty() || series.back().double_commits == 0) {
    return top - 20;
  }
  const auto most = static_cast<double>(series.back().double_commits);
  to.text(picture_margin,
          top,
          "Pairs of trips on one driver, from the start of the run on, warm-up included",
          {15, text_colour, anchor::start, true});
  const history::supply_layers none;
  const stack in{to,
                 none,
                 picture_margin + 44,
                 top + 30,
                 picture_width - picture_margin,
                 top + 158,
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
  return in.bottom + 42;
}

/// Then those behind it, then those before it.
std::vector<explain::harm> most_telling_first(const history::indexed_run& c) {
  std::vector<explain::harm> all = explain::harms_of(c);
  const explain::subject most = explain::most_telling(c);
  const auto* which = std::get_if<explain::harm_number>(&most);
  if (which != nullptr && which->value <= all.size()) {
    std::rotate(
        all.begin(), all.begin() + static_cast<std::ptrdiff_t>(which->value - 1), all.end());
  }
  return all;
}

}  // namespace

std::string run_svg(const history::indexed_run& c, const std::vector<std::string>& shown) {
  // Drawn twice: the height is known when all is drawn.
  const auto all = most_telling_first(c);
  const auto drawn = [&](svg_drawing& to) {
    const double head = draw_head(c, shown, to) + 16;
    double y = draw_supply(c, to, head);
    y = draw_doubles(c, to, y + 20);
    y = y > head ? draw_key_of_faults(c, y, to) : y;
    const auto told = std::find_if(all.begin(), all.end(), [](const explain::harm& b) {
      return !b.tries.empty() && b.harm != metrics::harm_kind::starved_ride;
    });
    y = told == all.end() ? y : draw_lanes(c, *told, {picture_width, picture_margin}, y + 22, to);
    return y;
  };
  svg_drawing trial(picture_width, 0);
  const double height = std::ceil(drawn(trial) + 16);
  svg_drawing final(picture_width, height);
  final.rectangle(0, 0, picture_width, height, "#ffffff", 14);
  drawn(final);
  return final.finish(text::display_text(c.of().scenario.name, 100) + ": " +
                      text::display_text(c.of().scenario.question, 300));
}

}  // namespace dibs::pages
