/// Axes with marks on them: a part of a picture.
#pragma once

#include "metrics/catalogue.hpp"
#include "pages/svg.hpp"

#include <optional>
#include <string>
#include <vector>

namespace dibs::show {

struct panel_mark {
  double x = 0;
  double y = 0;
  double y_low = 0;
  double y_high = 0;
  std::optional<double> x_low{};
  std::optional<double> x_high{};
  std::string label{};
  bool best = false;
};

struct panel_line {
  std::string name;
  std::vector<panel_mark> marks;  ///< in the order of their x
  bool joined = true;             ///< by a line, with the band of their intervals
};

struct tick {
  double at = 0;
  std::string text;
};

struct panel {
  double left = 0, top = 0, width = 0, height = 0;
  std::string title;
  std::string across;
  std::vector<tick> ticks;  ///< across; where empty, they are chosen
  metrics::unit across_unit = metrics::unit::ratio;
  metrics::unit unit = metrics::unit::ratio;
  std::vector<panel_line> lines;
};

/// Lines beyond these have no look of their own.
inline constexpr std::size_t panel_lines_max = 6;

void draw(const panel& p, drawing& to);

/// How a line looks: its stroke, here from (x, y) to (x + 34, y).
void draw_key(std::size_t line, double x, double y, drawing& to);

}  // namespace dibs::show
