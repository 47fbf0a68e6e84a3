#include "text/utf8.hpp"

#include "catch.hpp"
#include "scenario/texts.hpp"
#include "text/escape.hpp"

#include <nlohmann/json.hpp>

#include <string>

namespace dibs::text::test {

namespace {

/// What turns the direction of a line, cannot be seen, or is a control: one of each kind.
const std::string hazards[] = {"\u061c",
                               "\u200b",
                               "\u200f",
                               "\u202e",
                               "\u2066",
                               "\ufeff",
                               "\ufff9",
                               "\ufffb",
                               "\U000e0001",
                               "\U000e007f",
                               "\u0085"};

}  // namespace

TEST_CASE("characters: what reorders a line or is not seen is told as an escape") {
  for (const std::string& each : hazards) {
    CAPTURE(each);
    CHECK(display_text("a" + each + "b", 60).find(each) == std::string::npos);
    CHECK_FALSE(
        scenario::test::read(scenario::test::base + "question: \"who " + each + " wins?\"\n").ok());
  }
  for (const std::string plain : {"\u061b", "\u200a", "\u2010", "\ufff8", "\ufffc", "\U000e0080"}) {
    CHECK(display_text(plain) == plain);
  }
}

TEST_CASE("characters: a tamed document of JSON is the same document") {
  for (const std::string& each : hazards) {
    const std::string raw = nlohmann::json{{"folder " + each, each}}.dump(2) + "\n";
    const std::string tame = display_escaped(raw);
    CAPTURE(tame);
    CHECK(tame.find(each) == std::string::npos);
    CHECK(nlohmann::json::parse(tame) == nlohmann::json::parse(raw));
  }
  CHECK(display_escaped("\x1b[1mbold\x1b[0m, \u00b1 5\n") == "\x1b[1mbold\x1b[0m, \u00b1 5\n");
  CHECK(display_escaped("\xff\x80") == "\xff\x80");
}

}  // namespace dibs::text::test
