#include "text/terminal.hpp"

#include "catch.hpp"

using namespace dibs::text;

TEST_CASE("look: columns count code points and no escapes") {
  CHECK(columns("abc") == 3);
  CHECK(columns("\u00b1\u2587") == 2);
  CHECK(columns("\x1b[1;31mred\x1b[0m") == 3);
  CHECK(columns("") == 0);
}

TEST_CASE("look: without colour nothing is painted") {
  CHECK(painted({}, ink::bad, "x") == "x");
  CHECK(painted({.colour = true}, ink::bad, "x") == "\x1b[1;31mx\x1b[0m");
  CHECK(painted({.colour = true}, ink::plain, "x") == "x");
}

TEST_CASE("look: padding counts columns, not bytes") {
  CHECK(left("\u00b1", 3) == "\u00b1  ");
  CHECK(right("\u00b1", 3) == "  \u00b1");
  CHECK(left("long", 2) == "long");
}

TEST_CASE("look: a bar is never empty for what is not zero, and never too long") {
  CHECK(bar({}, 0, 10).empty());
  CHECK(bar({}, 0.001, 10) == "#");
  CHECK(bar({}, 0.5, 10) == "#####");
  CHECK(bar({}, 7, 10) == "##########");
  CHECK(columns(bar({.unicode = true}, 0.5, 10)) == 5);
}

TEST_CASE("look: wrapped keeps the spaces of a line, and indents what it carries over") {
  using lines = std::vector<std::string>;
  CHECK(wrapped("  a   b", 80) == lines{"  a   b"});
  CHECK(wrapped("one   two three", 9, "  ") == lines{"one   two", "  three"});
  CHECK(wrapped("one   two", 6, "  ") == lines{"one", "  two"});
  CHECK(wrapped("unbreakable x", 4) == lines{"unbreakable", "x"});
  CHECK(wrapped("", 4).empty());
}

TEST_CASE("look: wrapped never parts a number from its unit") {
  using lines = std::vector<std::string>;
  CHECK(wrapped("for 5 min 39 s of it", 12) == lines{"for", "5 min 39 s", "of it"});
  CHECK(wrapped("hides 4.8 %, and more", 10) == lines{"hides", "4.8 %, and", "more"});
  CHECK(wrapped("hidden 1.2 % (0.7 %) now", 16) == lines{"hidden 1.2 %", "(0.7 %) now"});
  CHECK(wrapped("of 5 more", 6) == lines{"of 5", "more"});
}
