/// Scenario texts for tests: a small base to add to, and marks for where diagnostics belong.
#pragma once

#include "scenario/read.hpp"

#include <string>
#include <string_view>

namespace dibs::scenario::test {

/// The least that is a scenario, on three lines.
inline const std::string base =
    "version: 1\n"
    "drivers: {count: 10, classes: [{name: all, response: {dist: constant, value: 3s}}]}\n"
    "demand: [{kind: poisson, rate: 1/s}]\n";

/// A text with the mark `^` taken out, and where the mark stood.
struct marked {
  std::string text;
  int line = 1;
  int column = 1;
};

inline marked take_mark(std::string_view with_mark) {
  marked m;
  const std::size_t mark = with_mark.find('^');
  m.text = std::string(with_mark.substr(0, mark));
  for (const char c : m.text) {
    m.line += c == '\n';
    m.column = c == '\n' ? 1 : m.column + 1;
  }
  if (mark != std::string_view::npos) {
    m.text += with_mark.substr(mark + 1);
  }
  return m;
}

inline reading read(const std::string& text, const std::vector<override_value>& set = {}) {
  return read_text(text, "test.yaml", "/nonexistent", set);
}

inline std::string all_of(const reading& r) {
  std::string out;
  for (const diagnostic& c : r.diagnostics) {
    out += format(c) + '\n';
  }
  return out;
}

}  // namespace dibs::scenario::test
