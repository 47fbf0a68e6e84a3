/// Lines of a summary: put together, and made to fit.
#pragma once

#include "text/terminal.hpp"

#include <iterator>
#include <string>
#include <vector>

namespace dibs::report {

using lines_of = std::vector<std::string>;

inline void append(lines_of& to, lines_of more) {
  to.insert(to.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

/// Lines that are to fit, whatever they hold: what does not is carried over, indented.
[[nodiscard]] inline lines_of fitted(const lines_of& lines, const text::terminal_style& l) {
  lines_of all;
  for (const std::string& line : lines) {
    append(all, text::word_wrapped(line, l.width, "      "));
  }
  return all;
}

}  // namespace dibs::report
