/// Shapes and words of an SVG picture, in its own units. Text is escaped.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dibs::pages {

/// Of words, and of those that matter less.
inline const std::string text_colour = "#1b2230";
inline const std::string soft_colour = "#5b6472";
/// Of what did harm.
inline const std::string harm_colour = "#c0341d";

/// How wide pictures of a run or a study are, and what is left free at each side.
inline constexpr double picture_width = 1200;
inline constexpr double picture_margin = 36;

struct stroke {
  std::string colour;
  double width = 1;
  std::string dashes = {};  ///< as in SVG: `4 3`
};

enum class anchor { start, middle, end };

struct text_style {
  double size = 13;
  std::string colour = text_colour;
  anchor at = anchor::start;
  bool bold = false;
};

/// About as wide as it is drawn.
[[nodiscard]] double width_of(const std::string& words, double size);

class svg_drawing {
 public:
  svg_drawing(double width, double height);

  void rectangle(double x, double y, double w, double h, const std::string& fill, double round = 0);
  void outline(double x, double y, double w, double h, const stroke& how, double round = 0);
  void line(double x0, double y0, double x1, double y1, const stroke& how);
  /// A line with a point at its end.
  void arrow(double x0, double y0, double x1, double y1, const stroke& how);
  void area(const std::vector<std::pair<double, double>>& corners, const std::string& fill);
  void text(double x, double y, const std::string& words, const text_style& how);
  /// Broken between words into lines of at most this width. Returns where the last one stands.
  double paragraph(
      double x, double y, double width, const std::string& words, const text_style& how);
  void circle(double x, double y, double radius, const std::string& fill, const stroke& edge);
  /// A rectangle through which what lies below is seen.
  void veil(double x, double y, double w, double h, const std::string& fill, double opacity);
  /// A closed path from (x, y) on, by SVG's relative steps: `m-5 -5h10v10h-10z`.
  void shape(
      double x, double y, std::string_view steps, const std::string& fill, const stroke& edge);
  /// What follows, up to `end_group`, belongs together: with attributes for scripts and styles, and
  /// what is told to who points at it.
  void group(const std::vector<std::pair<std::string, std::string>>& attributes,
             const std::string& told = {});
  void end_group();
  /// Stripes of this colour, to fill with: `url(#...)`.
  [[nodiscard]] std::string stripes(const std::string& colour, int degrees);

  [[nodiscard]] std::string finish(const std::string& title) const;

 private:
  double width_;
  double height_;
  std::string patterns_;
  std::string shapes_;
  int stripes_ = 0;
};

}  // namespace dibs::pages
