#include "scenario/diagnostics.hpp"

#include "catch.hpp"
#include "scenario/texts.hpp"
#include "text/spelling.hpp"

namespace dibs::scenario::test {

TEST_CASE("diagnostics: place, path, found, expected, source line, caret and hint") {
  const reading r = read(base + "matchers: {cuont: 0}\n");
  REQUIRE(r.diagnostics.size() == 1);
  CHECK(format(r.diagnostics[0]) ==
        "test.yaml:4:12: error[E-UNKNOWN] matchers.cuont: there is no such field\n"
        "    matchers: {cuont: 0}\n"
        "               ^\n"
        "    hint: did you mean `count`?");
  const reading range = read(base + "matchers: {count: 0}\n");
  REQUIRE(range.diagnostics.size() == 1);
  CHECK(format(range.diagnostics[0]) ==
        "test.yaml:4:19: error[E-RANGE] matchers.count: must be at least 1 (got 0)\n"
        "    matchers: {count: 0}\n"
        "                      ^");
}

TEST_CASE("diagnostics: columns count characters, and the caret stands under the place") {
  const reading r = read(base + "world: {trip: {dist: \"\xc3\xa9t\xc3\xa9\", \xc3\xa4: 1}}\n");
  REQUIRE(r.diagnostics.size() == 1);
  CHECK(r.diagnostics[0].column == 22);
}

TEST_CASE("diagnostics: nothing that a terminal obeys is printed as it is") {
  const reading r = read(base + "name: \"\\e[31m\\x07\\u202eevil\"\n\"\\e]0;x\": 1\n");
  REQUIRE(r.diagnostics.size() == 2);
  for (const diagnostic& c : r.diagnostics) {
    const std::string text = format(c);
    CHECK(text.find('\x1b') == std::string::npos);
    CHECK(text.find('\x07') == std::string::npos);
    CHECK(text.find("\xe2\x80\xae") == std::string::npos);
    CHECK(text.find("\\x1b") != std::string::npos);
  }
  CHECK(text::display_text("a\x1b[0m\xff\xc2\x9b\xe2\x80\xae") == "a\\x1b[0m\\xff\\x9b\\u202e");
}

TEST_CASE("diagnostics: long lines and long keys are cut") {
  const std::string key(5000, 'k');
  const reading r = read(base + key + ": 1\n");
  REQUIRE(r.diagnostics.size() == 1);
  CHECK(format(r.diagnostics[0]).size() < 1500);
}

TEST_CASE("diagnostics: what is not told is counted") {
  std::string text = base;
  for (int i = 0; i < 23; ++i) {
    text += "zebra" + std::to_string(i) + ": 1\n";
  }
  const reading r = read(text);
  REQUIRE(r.diagnostics.size() == diagnostic_log::told_max + 1);
  CHECK(format(r.diagnostics.back()) == "test.yaml: error[E-LIMIT] 3 more errors are not shown");
  for (int i = 23; i < 3000; ++i) {
    text += "zebra" + std::to_string(i) + ": 1\n";
  }
  const reading many = read(text);
  CHECK(format(many.diagnostics.back()) ==
        "test.yaml: error[E-LIMIT] at least 980 more errors are not shown");
}

TEST_CASE("diagnostics: the nearest name is near") {
  const std::vector<std::string> known{"count", "policy", "view_lag"};
  CHECK(text::closest_spelling("cuont", known) == "count");
  CHECK(text::closest_spelling("viewlag", known) == "view_lag");
  CHECK(text::closest_spelling("zebra", known).empty());
  CHECK(text::closest_spelling("qqq", {"lag", "ttl"}).empty());
  CHECK(text::closest_spelling("tll", {"lag", "ttl"}) == "ttl");
  CHECK(text::closest_spelling(std::string(1000, 'x'), known).empty());
}

TEST_CASE("diagnostics: far into a long line the excerpt shows the place, cut on both sides") {
  const reading r = read(base + "question: \"" + std::string(50'000, 'a') +
                         "\" : " + std::string(9000, 'b') + "\n");
  REQUIRE(r.diagnostics.size() == 1);
  const std::string text = format(r.diagnostics[0]);
  INFO(text);
  CHECK(text.size() < 1000);
  CHECK(text.find("\n    ...aaa") != std::string::npos);
  CHECK(text.find("bbb...\n") != std::string::npos);
  const std::size_t line = text.find("\n    ...") + 1;
  const std::size_t caret = text.find('\n', line) + 1;
  CHECK(text[line + (text.find('^', caret) - caret)] == ':');
}

TEST_CASE("diagnostics: bytes that are no UTF-8 are escaped one by one") {
  CHECK(text::display_text("\xed\xa0\x80") == "\\xed\\xa0\\x80");
  CHECK(text::display_text("\xe0\x80\xaf\xf0\x80\x80\xaf") ==
        "\\xe0\\x80\\xaf\\xf0\\x80\\x80\\xaf");
  CHECK(text::display_text("\xf4\x90\x80\x80") == "\\xf4\\x90\\x80\\x80");
  CHECK(text::display_text("\xed\x9f\xbf\xef\xbf\xbd") == "\xed\x9f\xbf\xef\xbf\xbd");
  const reading r = read(base + "question: \"\xed\xa0\x80\"\n");
  CHECK(all_of(r).find('\xed') == std::string::npos);
}

TEST_CASE("diagnostics: a control character in UTF-8 is named by its code point") {
  const reading r = read(base + "question: \"\xc2\x9b\"\n");
  REQUIRE(r.diagnostics.size() == 1);
  CHECK(r.diagnostics[0].message == "expected text (got the control character U+009B)");
  CHECK(r.diagnostics[0].hint == "remove it, or write it as an escape");
}

}  // namespace dibs::scenario::test
