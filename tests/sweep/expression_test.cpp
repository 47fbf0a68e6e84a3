#include "sweep/expression.hpp"

#include "has.hpp"
#include "sweep/small.hpp"

#include <map>

using namespace dibs;
using namespace dibs::sweep;
using dibs::test::has;

namespace {

evaluation_scope some_fields() {
  static const std::map<std::string, std::string> fields{{"lease.ttl", "15s"},
                                                         {"lease.offer_window", "12s"},
                                                         {"lease.protocol", "fenced"},
                                                         {"clock.duration", "1h"},
                                                         {"matchers.count", "4"},
                                                         {"network.matcher->driver.loss", "2%"}};
  evaluation_scope in;
  in.own = {"network.matcher->driver.loss"};
  in.value = [](const std::string& path) -> std::optional<std::string> {
    const auto it = fields.find(path);
    return it == fields.end() ? std::nullopt : std::optional(it->second);
  };
  in.nearest = [](const std::string&) { return std::string("lease.ttl"); };
  return in;
}

std::string evaluated(const std::string& text) {
  const auto v = evaluate(text, some_fields());
  INFO((v ? "" : v.error().text));
  REQUIRE(v);
  return *v;
}

bool is_true(const std::string& text) {
  const auto v = holds(text, some_fields());
  INFO((v ? "" : v.error().text));
  REQUIRE(v);
  return *v;
}

std::string refusal_of(const std::string& text) {
  const auto v = evaluate(text, some_fields());
  INFO(text);
  REQUIRE_FALSE(v);
  CHECK(v.error().code == exit_code::usage);
  return v.error().text;
}

}  // namespace

TEST_CASE("expression: fields and quantities add up exactly") {
  CHECK(evaluated("lease.ttl-3s") == "12s");
  CHECK(evaluated("lease.ttl - 3s - 500ms") == "11.5s");
  CHECK(evaluated("lease.ttl-0.1s") == "14.9s");
  CHECK(evaluated("clock.duration / 4") == "900s");
  CHECK(evaluated("2 * (lease.ttl + 1s)") == "32s");
  CHECK(evaluated("-lease.ttl + 20s") == "5s");
  CHECK(evaluated("lease.ttl/lease.offer_window") == "1.25");
  CHECK(evaluated("clock.duration - 5m") == "3300s");
  CHECK(evaluated("2 + 3 * 4 - 6 / 2") == "11");
}

TEST_CASE("expression: min, max, texts and paths of any letters") {
  CHECK(evaluated("min(lease.ttl, 20s, 9s)") == "9s");
  CHECK(evaluated("max(lease.ttl-3s, 1s)") == "12s");
  CHECK(evaluated("network.matcher->driver.loss * 2") == "0.04");
  CHECK(evaluated("`network.matcher->driver.loss`") == "0.02");
  CHECK(evaluated("lease.protocol") == "fenced");
  CHECK(evaluated("\"lease\"") == "lease");
}

TEST_CASE("condition: compares quantities of one kind, and texts for equality") {
  CHECK(is_true("lease.offer_window <= lease.ttl"));
  CHECK(is_true("lease.offer_window<lease.ttl"));
  CHECK_FALSE(is_true("lease.ttl < 15s"));
  CHECK(is_true("lease.ttl >= 15000ms"));
  CHECK(is_true("lease.ttl == 15s"));
  CHECK(is_true("matchers.count != 5"));
  CHECK(is_true("lease.protocol == fenced"));
  CHECK(is_true("lease.protocol != \"none\""));
}

TEST_CASE("expression: what makes no sense is refused with its reason") {
  CHECK(has(refusal_of("lease.tll-3s"), "did you mean `lease.ttl`?"));
  CHECK(has(refusal_of("lease.ttl-3"), "subtracts a time and a number"));
  CHECK(has(refusal_of("lease.ttl*lease.ttl"), "multiplies a time by a time"));
  CHECK(has(refusal_of("lease.ttl/0"), "divides by zero"));
  CHECK(has(refusal_of("lease.protocol+1s"), "no quantity"));
  CHECK(has(refusal_of("lease.ttl-"), "ends where"));
  CHECK(has(refusal_of("(lease.ttl"), "lacks a `)`"));
  CHECK(has(refusal_of("lease.ttl)"), "makes no sense from"));
  CHECK(has(refusal_of("3parsecs"), "no quantity"));
  CHECK(has(refusal_of("`lease.ttl"), "closing"));
  CHECK(has(refusal_of(""), "ends where"));
  CHECK(has(refusal_of("1e308*10"), "finite"));
  CHECK_FALSE(holds("lease.ttl", some_fields()));
  CHECK_FALSE(holds("lease.protocol < fenced", some_fields()));
  CHECK_FALSE(holds("lease.ttl < 3", some_fields()));
}

TEST_CASE("expression: hostile texts exhaust nothing") {
  CHECK(has(refusal_of(std::string(900, '(')), "nested too deeply"));
  CHECK(has(refusal_of(std::string(900, '-')), "nested too deeply"));
  CHECK(has(refusal_of(std::string(100'000, '1')), "too long"));
  CHECK_FALSE(has(refusal_of("\x1b[31m"), "\x1b"));
}
