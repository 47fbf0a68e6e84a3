#include "pages/axes_svg.hpp"

#include "catch.hpp"

#include <algorithm>
#include <cmath>
#include <regex>

using namespace dibs;
using namespace dibs::pages;

namespace {

struct word {
  double left, right, y;
  std::string text;
};

/// Of 11 units' size: the labels of marks.
std::vector<word> labels_of(const std::string& picture) {
  static const std::regex text(
      "<text x=\"([0-9.]+)\" y=\"([0-9.]+)\" font-size=\"11\"[^>]*>([^<]*)</text>");
  std::vector<word> all;
  for (auto m = std::sregex_iterator(picture.begin(), picture.end(), text);
       m != std::sregex_iterator();
       ++m) {
    const double left = std::stod((*m)[1]);
    all.push_back({left, left + width_of((*m)[3], 11), std::stod((*m)[2]), (*m)[3]});
  }
  return all;
}

}  // namespace

TEST_CASE("svg axes: labels of marks that are near keep apart, and the best one's is there") {
  svg_axes p{.left = 0,
             .top = 0,
             .width = 560,
             .height = 320,
             .title = "t",
             .across = "x",
             .ticks = {},
             .lines = {}};
  panel_line line{.name = "", .marks = {}, .joined = false};
  for (int i = 0; i < 12; ++i) {
    const double at = 1 + 0.01 * i;
    line.marks.push_back(
        {.x = at, .y = at, .y_low = at, .y_high = at, .label = "ttl 1" + std::to_string(i) + "s"});
  }
  line.marks.push_back({.x = 9, .y = 9, .y_low = 9, .y_high = 9, .label = "far"});
  line.marks[7].best = true;
  p.lines.push_back(line);
  svg_drawing to(600, 400);
  draw(p, to);
  const auto all = labels_of(to.finish("t"));
  REQUIRE(all.size() >= 3);
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      CAPTURE(all[i].text, all[j].text);
      const bool beside = all[i].right <= all[j].left || all[j].right <= all[i].left;
      CHECK((beside || std::abs(all[i].y - all[j].y) >= 11));
    }
  }
  const auto has = [&](const std::string& text) {
    return std::any_of(all.begin(), all.end(), [&](const word& w) { return w.text == text; });
  };
  CHECK(has("ttl 17s"));
  CHECK(has("far"));
}
