#include "text/wrapping.hpp"

#include "catch.hpp"

using namespace dibs::text;

TEST_CASE("fitting: what fits stays as it is") {
  const std::string text = "Usage: x\n\n  --a   one\n  b\n";
  CHECK(fitted(text, 40) == text);
  CHECK(fitted_paragraphs(text, 40) == text);
  CHECK(fitted("no end", 40) == "no end");
}

TEST_CASE("fitting: what is carried over stands below its description") {
  CHECK(fitted("  0   done, and every threshold is met\n", 34) ==
        "  0   done, and every threshold is\n"
        "      met\n");
}

TEST_CASE("fitting: a description without room beside its term goes on lines of its own") {
  CHECK(fitted("  a-term-that-is-long   what it says of itself\n", 30) ==
        "  a-term-that-is-long\n"
        "      what it says of itself\n");
}

TEST_CASE("fitting: a command stays in one line, to be pasted") {
  CHECK(fitted("  dibs run scenarios/a.yaml --seed 1    runs it\n", 24) ==
        "  dibs run scenarios/a.yaml --seed 1\n"
        "      runs it\n");
  CHECK(fitted("  replay: dibs run a.yaml --seed 1\n", 20) ==
        "  replay: dibs run a.yaml --seed 1\n");
}

TEST_CASE("fitting: a paragraph with a line that is too wide is broken into lines anew") {
  const std::string text = "one two three four\nfive six\n\nExit codes:\n  0  done\n";
  CHECK(fitted_paragraphs(text, 14) == "one two three\nfour five six\n\nExit codes:\n  0  done\n");
}

TEST_CASE("fitting: a title begins a paragraph, and a list is not run together") {
  CHECK(fitted_paragraphs("what it does and why\nUsage: x [OPTIONS]\n", 18) ==
        "what it does and\nwhy\nUsage: x [OPTIONS]\n");
  CHECK(fitted_paragraphs("  0  done and every one met\n  1  no\n", 40) ==
        "  0  done and every one met\n  1  no\n");
}

TEST_CASE("fitting: a description that goes on in the next line is broken as one") {
  CHECK(fitted_paragraphs("name  says much of itself and goes on\n"
                          "      here with more words of its own\n",
                          36) ==
        "name  says much of itself and goes\n"
        "      on here with more words of its\n"
        "      own\n");
}
