// Texts that are no YAML, no UTF-8 or too large, files that must not be read, and how mistakes add
// up.

#include "scenario/hostile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace dibs::scenario::test {

namespace {

std::string repeated(const std::string& piece, std::size_t times) {
  std::string out;
  out.reserve(piece.size() * times);
  for (std::size_t i = 0; i < times; ++i) {
    out += piece;
  }
  return out;
}

}  // namespace

TEST_CASE("hostile: broken YAML") {
  for (const hostile& h : {
           added("an open quote", "question: ^\"who", "E-SYNTAX", ""),
           added("an open quote and blank lines", "question: ^'who\n\n", "E-SYNTAX", ""),
           added("text after the end", "  ^seed: 1", "E-SYNTAX", ""),
           added("a tab", "lease:\n^\tttl: 10s", "E-SYNTAX", ""),
           {"an open bracket", base + "faults: ^[1, 2\n", "E-SYNTAX", ""},
           {"an open brace", base + "output: ^{series: 5s\n", "E-SYNTAX", ""},
           {"an open brace in a list", base + "faults: [1, ^{kind: 2\n", "E-SYNTAX", ""},
           {"a missing comma", base + "faults: [\"a\" ^\"b\"]\n", "E-SYNTAX", ""},
           added("a stray bracket", "seed: 1\n^]", "E-SYNTAX", ""),
           added("a colon in plain text", "question: who^: me", "E-SYNTAX", ""),
           added("a comparison without quotes",
                 "thresholds:\n  rides.match_rate: >^= 0.8",
                 "E-SYNTAX",
                 ""),
           added("two documents", "^---\nversion: 1", "E-SYNTAX", ""),
           added("an undefined alias", "seed: ^*there", "E-LIMIT", ""),
           added("an anchor", "seed: ^&here 5", "E-LIMIT", "seed"),
           {"a latin-1 byte", base + "question: caf^\xe9\n", "E-ENCODING", ""},
           {"an overlong slash", base + "question: ^\xc0\xaf\n", "E-ENCODING", ""},
           {"a surrogate", base + "question: ^\xed\xa0\x80\n", "E-ENCODING", ""},
           {"a raw terminal escape", base + "question: ^\x1b[31mred\n", "E-ENCODING", ""},
           {"UTF-16", "^\xff\xfe" + std::string("v\0e\0", 4), "E-ENCODING", ""},
           {"a zero byte", base + "question: ^" + std::string(1, '\0') + "\n", "E-ENCODING", ""},
       }) {
    check(h);
  }
}

TEST_CASE("hostile: nesting, size and aliases beyond all bounds are refused") {
  const std::string hundred = "a: &a [x, x, x, x, x, x, x, x, x, x]\n";
  for (const auto& [what, text] : std::vector<std::pair<std::string, std::string>>{
           {"100,000 brackets", repeated("[", 100'000)},
           {"100,000 braces", repeated("{", 100'000)},
           {"24,000 brackets", repeated("[", 24'000)},
           {"100,000 mappings in braces", repeated("{a: ", 100'000)},
           {"24,000 brackets on lines", repeated("[\n", 24'000)},
           {"100,000 dashes", repeated("- ", 100'000)},
           {"100,000 question marks", repeated("? ", 100'000)},
           {"65 levels", repeated("[", 65) + repeated("]", 65)},
           {"too many values",
            "a: [" + repeated("1, ", 24'000) + "1]\nb:\n" + repeated("- 1\n", 1'100)},
           {"too many commas", "a: [" + repeated("1,", 30'000) + "1]\n"},
           {"a megabyte of text", "question: " + repeated("x", 1'000'000)},
           {"a billion laughs", hundred + "b: &b [*a, *a, *a]\nc: [*b, *b, *b]\n"},
           {"an alias to itself", "a: &a [*a]\n"},
       }) {
    INFO(what);
    const reading r = read(text);
    CHECK(std::any_of(r.diagnostics.begin(), r.diagnostics.end(), [](const diagnostic& c) {
      return c.code == "E-LIMIT";
    }));
  }
}

TEST_CASE("hostile: a block of mappings 900 deep is refused") {
  std::string deep;
  for (std::size_t i = 0; i < 900; ++i) {
    deep += std::string(i, ' ') + "a:\n";
  }
  CHECK(read(deep).diagnostics.at(0).code == "E-LIMIT");
}

TEST_CASE("hostile: 64 levels and just as many values as allowed are no offence as such") {
  // They are unknown keys all the same: the point is that the bounds are not hit early.
  const reading levels = read(base + "x: " + repeated("[", 63) + repeated("]", 63) + "\n");
  REQUIRE(levels.diagnostics.size() == 1);
  CHECK(levels.diagnostics[0].code == "E-UNKNOWN");
  const reading more = read(base + "x: " + repeated("[", 64) + repeated("]", 64) + "\n");
  REQUIRE(more.diagnostics.size() == 1);
  CHECK(more.diagnostics[0].code == "E-LIMIT");
}

TEST_CASE("hostile: a run with too many events is refused") {
  for (const std::string& text :
       {demand("rides", "{kind: poisson, rate: 1000000/s}", "", "").text,
        demand("bursts", "{kind: burst, at: 0s, rides: 1000000, every: 1ms}", "", "").text,
        base + "lease: {cleanup: {kind: periodic, every: 1ms}}\nclock: {duration: 8760h}\noutput: "
               "{series: 1h}\n",
        base + "output: {series: 10ms}\nclock: {duration: 24h}\n"}) {
    const reading r = read(text);
    INFO(all_of(r));
    REQUIRE(r.diagnostics.size() == 1);
    CHECK(r.diagnostics[0].code == "E-LIMIT");
  }
}

TEST_CASE("hostile: files that scenarios must not read") {
  for (const char* file : {"/etc/passwd", "../../etc/passwd", "data/../../x", "\"\""}) {
    const reading r = read(demand("", fmt::format("{{kind: trace, file: {}}}", file), "", "").text);
    INFO(file << all_of(r));
    REQUIRE(r.diagnostics.size() == 1);
    CHECK(r.diagnostics[0].code == "E-FILE");
    CHECK(r.diagnostics[0].path == "demand.1.file");
  }
  const reading absent = read(demand("", "{kind: trace, file: absent.csv}", "", "").text);
  REQUIRE(absent.diagnostics.size() == 1);
  CHECK(absent.diagnostics[0].code == "E-FILE");
}

TEST_CASE("hostile: all mistakes are found in one pass, in the order of the text, at most 20") {
  const reading r = read(base +
                         "lease: {ttl: 5, offer_window: 99s, protocol: fenzed}\n"
                         "matchers: {count: 0, view_lagg: 1s}\n"
                         "world: {bounds: {south: 50, north: 40}}\n");
  std::vector<std::string> codes;
  for (const diagnostic& c : r.diagnostics) {
    codes.push_back(c.code + " " + c.path);
  }
  // No diagnostic about the window: the TTL that it is compared with could not be read.
  CHECK(codes == std::vector<std::string>{"E-UNIT lease.ttl",
                                          "E-RANGE lease.protocol",
                                          "E-RANGE matchers.count",
                                          "E-UNKNOWN matchers.view_lagg",
                                          "E-CONFLICT world.bounds.north"});
  std::string many = base;
  for (int i = 0; i < 100; ++i) {
    many += fmt::format("unknown_{}: 1\n", i);
  }
  CHECK(read(many).diagnostics.size() == 21);
  CHECK(read(many).diagnostics.back().message == "80 more errors are not shown");
}

}  // namespace dibs::scenario::test
