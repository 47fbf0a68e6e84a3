#include "text/terminal.hpp"

#include "catch.hpp"

using namespace dibs::text;

TEST_CASE("terminal style: columns count code points and no escapes") {
  CHECK(columns("abc") == 3);
  CHECK(columns("\u00b1\u2587") == 2);
  CHECK(columns("\x1b[1;31mred\x1b[0m") == 3);
  CHECK(columns("") == 0);
}

TEST_CASE("terminal style: without colour nothing is painted") {
  CHECK(coloured({}, text_colour::bad, "x") == "x");
  CHECK(coloured({.colour = true}, text_colour::bad, "x") == "\x1b[1;31mx\x1b[0m");
  CHECK(coloured({.colour = true}, text_colour::plain, "x") == "x");
}

TEST_CASE("terminal style: padding counts columns, not bytes") {
  CHECK(left("\u00b1", 3) == "\u00b1  ");
  CHECK(right("\u00b1", 3) == "  \u00b1");
  CHECK(left("long", 2) == "long");
}

TEST_CASE("terminal style: a bar is never empty for what is not zero, and never too long") {
  CHECK(bar({}, 0, 10).empty());
  CHECK(bar({}, 0.001, 10) == "#");
  CHECK(bar({}, 0.5, 10) == "#####");
  CHECK(bar({}, 7, 10) == "##########");
  CHECK(columns(bar({.unicode = true}, 0.5, 10)) == 5);
}

TEST_CASE("terminal style: wrapped keeps the spaces of a line, and indents what it carries over") {
  using lines = std::vector<std::string>;
  CHECK(word_wrapped("  a   b", 80) == lines{"  a   b"});
  CHECK(word_wrapped("one   two three", 9, "  ") == lines{"one   two", "  three"});
  CHECK(word_wrapped("one   two", 6, "  ") == lines{"one", "  two"});
  CHECK(word_wrapped("unbreakable x", 4) == lines{"unbreakable", "x"});
  CHECK(word_wrapped("", 4).empty());
}

TEST_CASE("terminal style: wrapped never parts a number from its unit") {
  using lines = std::vector<std::string>;
  CHECK(word_wrapped("for 5 min 39 s of it", 12) == lines{"for", "5 min 39 s", "of it"});
  CHECK(word_wrapped("hides 4.8 %, and more", 10) == lines{"hides", "4.8 %, and", "more"});
  CHECK(word_wrapped("hidden 1.2 % (0.7 %) now", 16) == lines{"hidden 1.2 %", "(0.7 %) now"});
  CHECK(word_wrapped("of 5 more", 6) == lines{"of 5", "more"});
}

TEST_CASE("text: a paragraph is its lines, each with its end") {
  CHECK(paragraph("one two three", 8, "  ") == "one two\n  three\n");
  CHECK(paragraph("", 8).empty());
}
