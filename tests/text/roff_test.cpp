#include "text/roff.hpp"

#include "catch.hpp"

using namespace dibs::text;

TEST_CASE("roff: nothing in a text is a request or an escape") {
  CHECK(roff("a\\b") == "a\\eb");
  CHECK(roff(".TH") == "\\&.TH");
  CHECK(roff("one\n.two 1.5\n'three'") == "one\n\\&.two 1.5\n\\(aqthree\\(aq");
}

TEST_CASE("roff: what is typed can be copied from the page") {
  CHECK(roff("--set 'a=~b' `c` ^") == "\\-\\-set \\(aqa=\\(tib\\(aq \\(gac\\(ga \\(ha");
  CHECK(roff_bold("-q") == "\\fB\\-q\\fR");
  CHECK(roff_italic("N") == "\\fIN\\fR");
}

TEST_CASE("roff: headings, paragraphs and lists of Markdown") {
  CHECK(roff_of_markdown("# The page\n\nOne\ntwo.\n\nThree.\n\n## `a.b`\n\nFour.\n\n"
                         "- **five** and\n  six\n- seven\n\n### deeper\n") ==
        "One two.\n"
        ".PP\n"
        "Three.\n"
        ".SH a.b\n"
        "Four.\n"
        ".IP \\(bu 2\n"
        "five and six\n"
        ".IP \\(bu 2\n"
        "seven\n"
        ".SS deeper\n");
}

TEST_CASE("roff: code, bold, links and what only looks like them") {
  CHECK(roff_of_markdown("a `b-c` **d `e`** [f `g`](#h) [i] *j `k") ==
        "a \\fBb\\-c\\fR d \\fBe\\fR f \\fBg\\fR [i] *j \\(gak\n");
  CHECK(roff_of_markdown("a code `of two\nlines` ends") == "a code \\fBof two lines\\fR ends\n");
}

TEST_CASE("roff: a row of a table says what each column holds, its meaning first") {
  CHECK(
      roff_of_markdown("| field | type | default | meaning |\n|---|---|---|---|\n"
                       "| `ttl` | time |  | how long |\n| `n` | `a\\|b` | `1` |  |\n\nAfter.\n") ==
      ".TP\n"
      "\\fBttl\\fR\n"
      "how long\n"
      ".br\n"
      "type: time\n"
      ".TP\n"
      "\\fBn\\fR\n"
      "type: \\fBa|b\\fR; default: \\fB1\\fR\n"
      ".PP\n"
      "After.\n");
}
