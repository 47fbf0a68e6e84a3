#include "pages/svg.hpp"

#include "base/append.hpp"
#include "text/escape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace dibs::pages {
namespace {

std::string look_of(const stroke& how) {
  std::string text = fmt::format("stroke=\"{}\" stroke-width=\"{}\"", how.colour, how.width);
  if (!how.dashes.empty()) {
    text += fmt::format(" stroke-dasharray=\"{}\"", how.dashes);
  }
  return text;
}

bool goes_on(char c) { return (static_cast<unsigned char>(c) & 0xc0U) == 0x80U; }

/// How much of it fits into a line: up to a space, or where there is none as much as there is room.
/// Requires: a letter fits.
std::size_t head_of(const std::string& words, double width, double size) {
  std::size_t end = 0;
  std::size_t space = 0;
  while (end < words.size()) {
    std::size_t next = end + 1;
    while (next < words.size() && goes_on(words[next])) {
      ++next;
    }
    if (width_of(words.substr(0, next), size) > width) {
      return space > 0 ? space : std::max<std::size_t>(end, 1);
    }
    space = words[end] == ' ' ? end : space;
    end = next;
  }
  return end;
}

}  // namespace

double width_of(const std::string& words, double size) {
  constexpr double narrow = 0.56;
  constexpr unsigned char three_bytes = 0xe0;  // of UTF-8: signs, and scripts of wide letters
  double em = 0;
  for (const char c : words) {
    const auto byte = static_cast<unsigned char>(c);
    em += goes_on(c) ? 0 : byte >= three_bytes ? 1 : narrow;
  }
  return em * size;
}

svg_drawing::svg_drawing(double width, double height) : width_(width), height_(height) {}

void svg_drawing::rectangle(
    double x, double y, double w, double h, const std::string& fill, double round) {
  append(shapes_,
         "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" rx=\"{}\" "
         "fill=\"{}\"/>\n",
         x,
         y,
         w,
         h,
         round,
         fill);
}

void svg_drawing::outline(double x, double y, double w, double h, const stroke& how, double round) {
  append(shapes_,
         "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" rx=\"{}\" "
         "fill=\"none\" {}/>\n",
         x,
         y,
         w,
         h,
         round,
         look_of(how));
}

void svg_drawing::line(double x0, double y0, double x1, double y1, const stroke& how) {
  append(shapes_,
         "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" {}/>\n",
         x0,
         y0,
         x1,
         y1,
         look_of(how));
}

void svg_drawing::arrow(double x0, double y0, double x1, double y1, const stroke& how) {
  constexpr double length = 6.3;
  constexpr double breadth = 3;
  line(x0, y0, x1, y1, how);
  const double whole = std::max(std::sqrt((x1 - x0) * (x1 - x0) + (y1 - y0) * (y1 - y0)), 1e-9);
  const double along_x = (x1 - x0) / whole;
  const double along_y = (y1 - y0) / whole;
  area({{x1, y1},
        {x1 - length * along_x - breadth * along_y, y1 - length * along_y + breadth * along_x},
        {x1 - length * along_x + breadth * along_y, y1 - length * along_y - breadth * along_x}},
       how.colour);
}

void svg_drawing::area(const std::vector<std::pair<double, double>>& corners,
                       const std::string& fill) {
  append(shapes_, "<path fill=\"{}\" d=\"", fill);
  char step = 'M';
  for (const auto& [x, y] : corners) {
    append(shapes_, "{}{:.1f} {:.1f}", step, x, y);
    step = 'L';
  }
  shapes_ += "Z\"/>\n";
}

void svg_drawing::text(double x, double y, const std::string& words, const text_style& how) {
  const char* at = how.at == anchor::start ? "start" : how.at == anchor::middle ? "middle" : "end";
  append(shapes_,
         "<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"{}\" fill=\"{}\" "
         "text-anchor=\"{}\"{}>{}</text>\n",
         x,
         y,
         how.size,
         how.colour,
         at,
         how.bold ? " font-weight=\"650\"" : "",
         text::markup_text(words));
}

double svg_drawing::paragraph(
    double x, double y, double width, const std::string& words, const text_style& how) {
  std::string rest = words;
  for (std::size_t end = head_of(rest, width, how.size); end < rest.size();
       end = head_of(rest, width, how.size)) {
    text(x, y, rest.substr(0, end), how);
    rest.erase(0, rest.find_first_not_of(' ', end));
    y += how.size * 1.35;
  }
  text(x, y, rest, how);
  return y;
}

void svg_drawing::circle(
    double x, double y, double radius, const std::string& fill, const stroke& edge) {
  append(shapes_,
         "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\" fill=\"{}\" {}/>\n",
         x,
         y,
         radius,
         fill,
         look_of(edge));
}

void svg_drawing::veil(
    double x, double y, double w, double h, const std::string& fill, double opacity) {
  append(shapes_,
         "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\" "
         "fill-opacity=\"{}\"/>\n",
         x,
         y,
         w,
         h,
         fill,
         opacity);
}

void svg_drawing::shape(
    double x, double y, std::string_view steps, const std::string& fill, const stroke& edge) {
  append(
      shapes_, "<path d=\"M{:.1f} {:.1f}{}\" fill=\"{}\" {}/>\n", x, y, steps, fill, look_of(edge));
}

void svg_drawing::group(const std::vector<std::pair<std::string, std::string>>& attributes,
                        const std::string& told) {
  shapes_ += "<g";
  for (const auto& [name, value] : attributes) {
    append(shapes_, " {}=\"{}\"", name, text::markup_text(value));
  }
  shapes_ += ">\n";
  if (!told.empty()) {
    append(shapes_, "<title>{}</title>\n", text::markup_text(told));
  }
}

void svg_drawing::end_group() { shapes_ += "</g>\n"; }

std::string svg_drawing::stripes(const std::string& colour, int degrees) {
  ++stripes_;
  append(
      patterns_,
      "<pattern id=\"s{}\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" "
      "patternTransform=\"rotate({})\"><rect width=\"6\" height=\"6\" fill=\"{}\"/><line y2=\"6\" "
      "stroke=\"#fff\" stroke-opacity=\"0.55\" stroke-width=\"2\"/></pattern>\n",
      stripes_,
      degrees,
      colour);
  return fmt::format("url(#s{})", stripes_);
}

std::string svg_drawing::finish(const std::string& title) const {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
      "height=\"{1}\" "
      "role=\"img\" font-family=\"system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', "
      "sans-serif\">\n<title>{2}</title>\n<defs>\n{3}</defs>\n{4}</svg>\n",
      width_,
      height_,
      text::markup_text(title),
      patterns_,
      shapes_);
}

}  // namespace dibs::pages
