/// Axes with marks on them: a part of a picture.
#pragma once

#include "metrics/catalogue.hpp"
#include "pages/svg.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace dibs::pages {

/// What a mark looks like, so that no colour alone tells it from others.
enum class mark_form { dot, square, triangle, diamond, falling, hexagon, ring, hollow, cross };

struct panel_mark {
  double x = 0;
  double y = 0;
  double y_low = 0;
  double y_high = 0;
  std::optional<double> x_low{};
  std::optional<double> x_high{};
  std::string label{};
  bool best = false;
  mark_form form = mark_form::dot;
  bool crossed = false;  ///< with a cross over it: it may not be chosen
  std::string colour{};  ///< instead of its line's
  std::string told{};    ///< to who points at it
  std::vector<std::pair<std::string, std::string>> data{};  ///< for scripts: attributes
};

struct panel_line {
  std::string name;
  std::vector<panel_mark> marks;  ///< in the order of their x
  bool joined = true;             ///< by a line
  bool banded = true;             ///< with the band of their intervals, if joined
};

struct tick {
  double at = 0;
  std::string text;
};

struct svg_axes {
  double left = 0, top = 0, width = 0, height = 0;
  std::string title;
  std::string across;
  std::vector<tick> ticks;  ///< across; where empty, they are chosen
  text::unit across_unit = text::unit::ratio;
  text::unit unit = text::unit::ratio;
  std::vector<panel_line> lines;
  /// Up: a row for each, from 1 on; where empty, values are marked.
  std::vector<std::string> rows{};
  std::optional<std::pair<double, double>> shaded{};  ///< a stretch of the axis across
  std::vector<std::pair<double, double>> thread{};    ///< a thin line through these
  std::string told{};                                 ///< to who cannot see it
  bool of_page = false;  ///< its parts are told apart, for scripts and styles
};

/// Lines beyond these have no look of their own.
inline constexpr std::size_t panel_lines_max = 6;

void draw(const svg_axes& p, svg_drawing& to);

/// How a line looks: its stroke, here from (x, y) to (x + 34, y).
void draw_key(std::size_t line, double x, double y, svg_drawing& to);

/// The form of the marks of a line, where forms tell lines apart.
[[nodiscard]] mark_form form_of(std::size_t line);

/// Small pictures for the key of a page, with what they mean: a line with its mark, a mark, the
/// intervals of a mark.
[[nodiscard]] std::string key_to_line(std::size_t line);
[[nodiscard]] std::string key_to_mark(const panel_mark& m);
[[nodiscard]] std::string key_to_intervals();

/// A panel alone on its drawing, for a page: `wide` by `high` for a laptop, and for a phone.
[[nodiscard]] std::vector<std::string> drawn_for_page(svg_axes p, double wide, double high);

}  // namespace dibs::pages
