/// Bad input, one mistake at a time. `^` marks where the diagnostic must point; a whole file stands
/// alone, an addition follows the base scenario.
#pragma once

#include "catch.hpp"
#include "scenario/texts.hpp"

#include <string>

namespace dibs::scenario::test {

struct hostile {
  const char* what;
  std::string text;
  const char* code;
  const char* path;
};

inline void check(const hostile& h) {
  const marked m = take_mark(h.text);
  const reading r = read(m.text);
  INFO(h.what << "\n" << m.text.substr(0, 1000) << "\n" << all_of(r));
  REQUIRE(r.diagnostics.size() == 1);
  const diagnostic& c = r.diagnostics[0];
  CHECK(c.code == h.code);
  CHECK(c.path == h.path);
  CHECK(c.line == m.line);
  CHECK(c.column == m.column);
  CHECK(c.file == "test.yaml");
  CHECK_FALSE(c.message.empty());
}

/// Adds to the base scenario.
inline hostile added(const char* what,
                     const std::string& text,
                     const char* code,
                     const char* path) {
  return {what, base + text + "\n", code, path};
}

/// A driver class in place of the base's.
inline hostile driver(const char* what,
                      const std::string& classes,
                      const char* code,
                      const char* path) {
  return {what,
          "version: 1\ndemand: [{kind: poisson, rate: 1/s}]\ndrivers:\n  count: 10\n  classes: " +
              classes + "\n",
          code,
          path};
}

inline hostile demand(const char* what,
                      const std::string& source,
                      const char* code,
                      const char* path) {
  return {what,
          "version: 1\ndrivers: {count: 10, classes: [{name: all, response: 3s}]}\ndemand:\n  - " +
              source + "\n",
          code,
          path};
}

}  // namespace dibs::scenario::test
