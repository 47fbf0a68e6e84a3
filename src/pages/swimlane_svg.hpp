/// Swim-lanes of one breach, drawn for a picture: bars, words, faults and where they struck, with a
/// key to every sign that is there.
#pragma once

#include "explain/harm.hpp"
#include "pages/svg.hpp"

namespace dibs::pages {

struct swimlane_style {
  double width = 1200;
  double margin = 36;
};

/// Requires: the breach has tries. Returns where it ends.
double draw_lanes(const history::indexed_run& c,
                  const explain::harm& b,
                  const swimlane_style& on,
                  double top,
                  svg_drawing& to);

/// The colour of a fault's signs, whatever draws them.
[[nodiscard]] std::string colour_of_fault(std::string_view what);

/// A key to signs: each with what it stands for, in lines. Returns where it ends.
struct legend_entry {
  std::string sign;
  std::string what;
  std::string words;
};
double draw_signs(
    const std::vector<legend_entry>& all, double left, double right, double y, svg_drawing& to);

}  // namespace dibs::pages
