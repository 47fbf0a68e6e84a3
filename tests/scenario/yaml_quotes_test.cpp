#include "scenario/yaml_quotes.hpp"

#include "catch.hpp"
#include "scenario/texts.hpp"

namespace dibs::scenario::test {

namespace {

/// Where the only diagnostic about the text stands; the mark is where it should.
void opens_at(const std::string& with_mark, const std::string& message) {
  const marked m = take_mark(with_mark);
  const reading r = read(m.text);
  INFO(all_of(r));
  REQUIRE(r.diagnostics.size() == 1);
  CHECK(r.diagnostics[0].line == m.line);
  CHECK(r.diagnostics[0].column == m.column);
  CHECK(r.diagnostics[0].message == message);
}

}  // namespace

TEST_CASE("quotes: those that are never closed are reported where they open") {
  opens_at("version: 1\nquestion: ^\"why\nseed: 3\n", "these quotes are never closed");
  opens_at("version: 1\nquestion: ^'it''s why\nseed: 3\n", "these quotes are never closed");
  opens_at("version: 1  # it's a comment\nquestion: ^\"why \\\" \nseed: 3\n",
           "these quotes are never closed");
}

TEST_CASE("quotes: those that close where others were to open are reported where they open") {
  opens_at("version: 1\nquestion: ^\"why\nthresholds:\n  ttm.p95: \"<= 45s\"\n",
           "these quotes close in line 4 only");
  opens_at("version: 1\nthresholds: {ttm.p95: ^\"<= 4s, rides.match_rate: \">= 1%\"}\n",
           "these quotes close before the text ends");
}

TEST_CASE("quotes: what is in order has no part in another mistake") {
  const std::string text = "question: \"why\n  so\"\nname: 'a'\nseed: 1\nlease: [\n";
  CHECK_FALSE(unclosed_quote_before(text, 5).has_value());
  const auto open = unclosed_quote_before(text, 2);
  REQUIRE(open.has_value());
  CHECK(open->line == 1);
  CHECK(open->column == 11);
  CHECK(open->closes == 2);
  CHECK_FALSE(unclosed_quote_before("a: it's\nb: 5\" 6\"\n# \"\n", 3).has_value());
}

}  // namespace dibs::scenario::test
