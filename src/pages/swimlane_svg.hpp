/// Swim-lanes of one breach, drawn for a picture: bars, words, faults and where they struck, with a
/// key to every sign that is there.
#pragma once

#include "explain/harm.hpp"
#include "pages/svg.hpp"

namespace dibs::pages {

struct paper {
  double width = 1200;
  double margin = 36;
};

/// Requires: the breach has tries. Returns where it ends.
double draw_lanes(const history::chronicle& c,
                  const explain::breach& b,
                  const paper& on,
                  double top,
                  drawing& to);

/// The colour of a fault's signs, whatever draws them.
[[nodiscard]] std::string colour_of_fault(std::string_view what);

/// A key to signs: each with what it stands for, in lines. Returns where it ends.
struct sign_meant {
  std::string sign;
  std::string what;
  std::string words;
};
double draw_signs(
    const std::vector<sign_meant>& all, double left, double right, double y, drawing& to);

}  // namespace dibs::pages
