#include "text/escape.hpp"

#include "catch.hpp"
#include "text/json_text.hpp"

#include <nlohmann/json.hpp>

using namespace dibs;

TEST_CASE("escape: words are quoted for a shell only where they need it") {
  CHECK(text::shell_word("scenarios/first-run.yaml") == "scenarios/first-run.yaml");
  CHECK(text::shell_word("") == "''");
  CHECK(text::shell_word("my file.yaml") == "'my file.yaml'");
  CHECK(text::shell_word("it's") == "'it'\\''s'");
  CHECK(text::shell_word("$(rm -r ~)") == "'$(rm -r ~)'");
  CHECK(text::shell_word("a\x1b[31m'") == "$'a\\x1b[31m\\''");
  CHECK(text::shell_word("caf\xc3\xa9") == "'caf\xc3\xa9'");
  CHECK(text::shell_word("a\xe2\x80\xae b") == "$'a\\xe2\\x80\\xae b'");
}

TEST_CASE("escape: no sign of a text is one of the page's or the picture's own") {
  CHECK(text::markup_text("<a b='c'> & \"d\"\x1b") ==
        "&lt;a b=&#39;c&#39;&gt; &amp; &quot;d&quot;\\x1b");
  CHECK(text::link_text("a b/javascript:1?#%") == "a%20b/javascript%3A1%3F%23%25");
}

TEST_CASE("escape: a script gets no sign that would end it, and no number that it would round") {
  CHECK(text::json_for_script({"</script>"}) == R"(["\u003c/script>"])");
  CHECK(text::json_for_script({std::uint64_t{1} << 53U}) == R"(["9007199254740992"])");
  CHECK(text::json_for_script({(std::uint64_t{1} << 53U) - 1}) == "[9007199254740991]");
}

TEST_CASE("escape: a page gets what is shown, whoever reads its JSON") {
  const auto read = [](const nlohmann::ordered_json& j) {
    return nlohmann::json::parse(text::shown_json(text::json_for_script(j)));
  };
  CHECK(read({"</script>"})[0] == "</script>");
  CHECK(read({"a \\ \"b\" \n\tcaf\u00e9"})[0] == "a \\ \"b\" \n\tcaf\u00e9");
  CHECK(read({"a\x1b[31m\u202e\U000e0041\x7f"})[0] == R"(a\u001b[31m\u202e\udb40\udc41\x7f)");
  CHECK(read({{"key\u202e", 1}}).contains(R"(key\u202e)"));
}
