#include "pages/axes_svg.hpp"

#include "text/number.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace dibs::pages {
namespace {

const std::string grid_colour = "#e3e1da";

struct look_of_line {
  const char* colour;
  const char* band;
  const char* dashes;
};
constexpr std::array<look_of_line, panel_lines_max> line_looks{
    {{"#2f6fd0", "#2f6fd033", ""},
     {"#c0341d", "#c0341d2b", "7 4"},
     {"#1a7f4b", "#1a7f4b2b", "2 3"},
     {"#8a4fd3", "#8a4fd32b", "10 3 2 3"},
     {"#a86a00", "#a86a002b", "4 2"},
     {"#4b5563", "#4b55632b", "1 2"}}};

const look_of_line& look_of(std::size_t line) { return line_looks[line % line_looks.size()]; }

constexpr std::array<const char*, 9> form_steps{"",
                                                "m-5 -5h10v10h-10z",
                                                "m0 -6.5l6.5 11h-13z",
                                                "m0 -7l7 7l-7 7l-7 -7z",
                                                "m-6.5 -5h13l-6.5 11z",
                                                "m-6.5 0l3.25 -6h6.5l3.25 6l-3.25 6h-6.5z",
                                                "",
                                                "m-6 -5h12l-6 10z",
                                                "m-6 -6l12 12m0 -12l-12 12"};

struct range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void hold(double v) {
    low = std::min(low, v);
    high = std::max(high, v);
  }

  /// With some room around; from 0 where that is near.
  void add_margin() {
    if (!(low <= high)) {
      low = 0;
      high = 1;
    }
    const bool from_zero = low >= 0 && low < 0.4 * high;
    const double room = high > low ? 0.06 * (high - low) : std::max(std::fabs(high) * 0.1, 1e-6);
    low = from_zero || (low >= 0 && low < room) ? 0 : low - room;
    high += room;
  }
};

/// From a minute on people count time in 15 s, 30 s, minutes and hours.
constexpr auto time_steps = std::to_array<double>(
    {15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10'800, 21'600, 43'200, 86'400});

double nice_step(double rough, text::unit u) {
  if (u == text::unit::seconds && rough > 10 && rough <= time_steps.back()) {
    return *std::lower_bound(time_steps.begin(), time_steps.end(), rough);
  }
  double scale = 1;
  for (; scale * 10 <= rough; scale *= 10) {
  }
  for (; scale > rough && scale > 1e-12; scale /= 10) {
  }
  double step = 10 * scale;
  for (const double each : {5.0, 2.5, 2.0, 1.0}) {
    step = each * scale >= rough ? each * scale : step;
  }
  return step;
}

std::vector<double> nice_ticks(const range& r, int about, text::unit u) {
  const double step = nice_step((r.high - r.low) / about, u);
  std::vector<double> all;
  for (double t = std::ceil(r.low / step) * step; t <= r.high + step * 1e-6; t += step) {
    all.push_back(std::fabs(t) < step * 1e-9 ? 0 : t);
  }
  return all;
}

/// Where values stand.
struct frame {
  double left, top, right, bottom;
  range x, y;

  [[nodiscard]] double px(double v) const {
    return left + (right - left) * (v - x.low) / (x.high - x.low);
  }
  [[nodiscard]] double py(double v) const {
    return bottom - (bottom - top) * (v - y.low) / (y.high - y.low);
  }
};

frame frame_of(const svg_axes& p) {
  const double top = !p.rows.empty() ? 4 : p.title.empty() ? 24 : 34;
  const double foot = p.across.empty() ? 28 : 52;
  frame f{p.left + 78, p.top + top, p.left + p.width - 20, p.top + p.height - foot, {}, {}};
  for (const panel_line& line : p.lines) {
    for (const panel_mark& m : line.marks) {
      f.x.hold(m.x_low.value_or(m.x));
      f.x.hold(m.x_high.value_or(m.x));
      f.y.hold(m.y_low);
      f.y.hold(m.y_high);
    }
  }
  f.x.add_margin();
  f.y.add_margin();
  if (!p.rows.empty()) {
    f.y.low = 0;
    f.y.high = static_cast<double>(p.rows.size()) + 1;
  }
  return f;
}

std::vector<tick> ticks_up(const svg_axes& p, const frame& f) {
  std::vector<tick> all;
  for (std::size_t i = 0; i < p.rows.size(); ++i) {
    all.push_back({static_cast<double>(i) + 1, p.rows[i]});
  }
  for (const double t : p.rows.empty() ? nice_ticks(f.y, 4, p.unit) : std::vector<double>{}) {
    all.push_back({t, text::format_value(t, p.unit)});
  }
  return all;
}

void draw_axes(const svg_axes& p, const frame& f, svg_drawing& to) {
  to.text(p.left + 14, p.top + 16, p.title, {15, text_colour, anchor::start, true});
  for (const tick& t : ticks_up(p, f)) {
    to.line(f.left, f.py(t.at), f.right, f.py(t.at), {grid_colour});
    to.text(f.left - 8, f.py(t.at) + 4, t.text, {12, soft_colour, anchor::end});
  }
  std::vector<tick> ticks = p.ticks;
  if (ticks.empty()) {
    for (const double t : nice_ticks(f.x, 5, p.across_unit)) {
      ticks.push_back({t, text::format_value(t, p.across_unit)});
    }
  }
  double free_from = 0;
  for (const tick& t : ticks) {
    const double half = 3.6 * static_cast<double>(t.text.size());
    to.line(f.px(t.at), f.bottom, f.px(t.at), f.bottom + 5, {soft_colour});
    if (f.px(t.at) - half > free_from) {
      to.text(f.px(t.at), f.bottom + 19, t.text, {12, soft_colour, anchor::middle});
      free_from = f.px(t.at) + half + 8;
    }
  }
  to.line(f.left, f.bottom, f.right, f.bottom, {soft_colour});
  to.text(
      (f.left + f.right) / 2, p.top + p.height - 10, p.across, {13, soft_colour, anchor::middle});
  if (f.y.low > 0) {
    const std::string from = "up from " + text::format_value(f.y.low, p.unit) + ", not from 0";
    const double beside = p.left + 14 + 1.1 * width_of(p.title, 15) + 12 + width_of(from, 11);
    to.text(f.right, p.top + (beside > f.right ? 30 : 16), from, {11, soft_colour, anchor::end});
  }
}

/// A part of a page is a group of its class; in a picture it is drawn alone.
template <class Draw>
void part_of(const svg_axes& p, const char* name, svg_drawing& to, const Draw& draw) {
  if (p.of_page) {
    to.group({{"class", name}});
  }
  draw();
  if (p.of_page) {
    to.end_group();
  }
}

void draw_band(const panel_line& line, const look_of_line& look, const frame& f, svg_drawing& to) {
  std::vector<std::pair<double, double>> corners;
  for (const panel_mark& m : line.marks) {
    corners.emplace_back(f.px(m.x), f.py(m.y_high));
  }
  for (auto m = line.marks.rbegin(); m != line.marks.rend(); ++m) {
    corners.emplace_back(f.px(m->x), f.py(m->y_low));
  }
  to.area(corners, look.band);
}

void draw_line(const panel_line& line, const look_of_line& look, const frame& f, svg_drawing& to) {
  for (std::size_t i = 1; i < line.marks.size(); ++i) {
    const panel_mark& a = line.marks[i - 1];
    const panel_mark& b = line.marks[i];
    to.line(f.px(a.x), f.py(a.y), f.px(b.x), f.py(b.y), {look.colour, 2, look.dashes});
  }
}

void draw_intervals(const panel_mark& m,
                    const std::string& colour,
                    const frame& f,
                    svg_drawing& to) {
  const double x = f.px(m.x);
  const double y = f.py(m.y);
  to.line(x, f.py(m.y_low), x, f.py(m.y_high), {colour, 1.5});
  if (m.x_low && m.x_high) {
    to.line(f.px(*m.x_low), y, f.px(*m.x_high), y, {colour, 1.5});
  }
}

void draw_form(
    const panel_mark& m, const std::string& colour, double x, double y, svg_drawing& to) {
  const char* steps = form_steps[static_cast<std::size_t>(m.form)];
  if (m.best) {
    to.area({{x, y - 9}, {x + 7, y}, {x, y + 9}, {x - 7, y}}, colour);
  } else if (m.form == mark_form::cross) {
    to.shape(x, y, steps, "none", {colour, 2.5});
  } else if (m.form == mark_form::ring) {
    to.circle(x, y, 4.5, "#ffffff", {colour, 2});
  } else if (m.form == mark_form::dot) {
    const double radius = m.told.empty() ? 3.5 : 4.5;
    to.rectangle(x - radius, y - radius, 2 * radius, 2 * radius, colour, radius);
  } else {
    to.shape(x, y, steps, m.form == mark_form::hollow ? "#ffffff" : colour, {colour, 2});
  }
  if (m.crossed) {
    to.shape(x, y, form_steps.back(), "none", {harm_colour, 2.5});
  }
}

void draw_mark(const svg_axes& p,
               const panel_mark& m,
               const look_of_line& look,
               const frame& f,
               svg_drawing& to) {
  const std::string colour = m.colour.empty() ? look.colour : m.colour;
  part_of(p, "intervals", to, [&] { draw_intervals(m, colour, f, to); });
  if (p.of_page) {
    auto data = m.data;
    const bool is_out = m.crossed || m.form == mark_form::cross;
    data.emplace_back("class", is_out ? "mark out" : "mark");
    to.group(data, m.told);
  }
  draw_form(m, colour, f.px(m.x), f.py(m.y), to);
  if (p.of_page) {
    to.end_group();
  }
}

struct box {
  double left, top, right, bottom;

  [[nodiscard]] bool meets(const box& b) const {
    return left < b.right && b.left < right && top < b.bottom && b.top < bottom;
  }
};

/// Labels beside their marks, in the first place in which one covers neither a mark nor another
/// label; the best one's first. What finds no place is left out: its mark says where it is.
void draw_labels(const svg_axes& p, const frame& f, svg_drawing& to) {
  std::vector<const panel_mark*> all;
  std::vector<box> taken;
  for (const panel_line& line : p.lines) {
    for (const panel_mark& m : line.marks) {
      const double x = f.px(m.x);
      const double y = f.py(m.y);
      taken.push_back({x - 5, y - 5, x + 5, y + 5});
      if (!m.label.empty()) {
        all.push_back(&m);
      }
    }
  }
  std::stable_partition(all.begin(), all.end(), [](const panel_mark* m) { return m->best; });
  for (const panel_mark* m : all) {
    const double w = width_of(m->label, 11) * (m->best ? 1.1 : 1);
    const double x = f.px(m->x);
    const double y = f.py(m->y);
    for (const auto& [dx, dy] : {std::pair{10.0, -7.0},
                                 {10.0, 15.0},
                                 {-10 - w, -7.0},
                                 {-10 - w, 15.0},
                                 {-w / 2, -14.0},
                                 {-w / 2, 22.0}}) {
      const box at{x + dx, y + dy - 10, x + dx + w, y + dy + 2};
      const bool is_inside = at.left > f.left && at.right < p.left + p.width && at.top > p.top + 20;
      if (is_inside &&
          std::none_of(taken.begin(), taken.end(), [&](const box& b) { return at.meets(b); })) {
        taken.push_back(at);
        to.text(at.left,
                y + dy,
                m->label,
                {11, m->best ? text_colour : soft_colour, anchor::start, m->best});
        break;
      }
    }
  }
}

}  // namespace

void draw(const svg_axes& p, svg_drawing& to) {
  const frame f = frame_of(p);
  draw_axes(p, f, to);
  if (p.shaded) {
    const double from = std::max(f.px(p.shaded->first), f.left);
    const double until = std::max(std::min(f.px(p.shaded->second), f.right), from + 1);
    part_of(p, "set", to, [&] {
      to.veil(from, f.top, until - from, f.bottom - f.top, "#1a7f4b", 0.14);
    });
  }
  for (std::size_t i = 1; i < p.thread.size(); ++i) {
    const auto& [x0, y0] = p.thread[i - 1];
    const auto& [x1, y1] = p.thread[i];
    to.line(f.px(x0), f.py(y0), f.px(x1), f.py(y1), {soft_colour, 1.5});
  }
  for (std::size_t i = 0; i < p.lines.size(); ++i) {
    const panel_line& line = p.lines[i];
    if (line.joined && line.marks.size() > 1) {
      if (line.banded) {
        part_of(p, "band", to, [&] { draw_band(line, look_of(i), f, to); });
      }
      part_of(p, "line", to, [&] { draw_line(line, look_of(i), f, to); });
    }
    for (const panel_mark& m : line.marks) {
      draw_mark(p, m, look_of(i), f, to);
    }
  }
  draw_labels(p, f, to);
}

mark_form form_of(std::size_t line) { return static_cast<mark_form>(line % panel_lines_max); }

namespace {

constexpr double key_width = 40;
constexpr double key_height = 18;

}  // namespace

std::string key_to_line(std::size_t line) {
  svg_drawing to(key_width, key_height);
  to.line(0, 9, key_width, 9, {look_of(line).colour, 1.5, look_of(line).dashes});
  draw_form({.form = form_of(line), .told = "."}, look_of(line).colour, 20, 9, to);
  return to.finish("");
}

std::string key_to_mark(const panel_mark& m) {
  svg_drawing to(key_width, key_height);
  draw_form(m, m.colour, 20, 9, to);
  return to.finish("");
}

std::string key_to_intervals() {
  svg_drawing to(key_width, key_height);
  to.line(4, 9, 36, 9, {soft_colour, 1.5});
  to.line(20, 1, 20, 17, {soft_colour, 1.5});
  return to.finish("");
}

std::vector<std::string> drawn_for_page(svg_axes p, double wide, double high) {
  constexpr double phone_width = 340;
  constexpr double phone_height_max = 340;
  p.of_page = true;
  p.left = 0;
  p.top = 0;
  std::vector<std::string> all;
  for (const auto& [width, height] :
       {std::pair{wide, high}, std::pair{phone_width, std::min(high, phone_height_max)}}) {
    p.width = width;
    p.height = height;
    svg_drawing to(width, height);
    draw(p, to);
    all.push_back(to.finish(p.told));
  }
  return all;
}

void draw_key(std::size_t line, double x, double y, svg_drawing& to) {
  to.line(x, y, x + 34, y, {look_of(line).colour, 2.5, look_of(line).dashes});
}

}  // namespace dibs::pages
