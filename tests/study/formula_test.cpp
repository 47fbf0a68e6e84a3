// Goal: an expression over metrics is pooled as ratios of sums, and refuses what it cannot mean.
// Method: samples by hand.

#include "study/formula.hpp"

#include "catch.hpp"
#include "study/interval.hpp"

using namespace dibs;
using namespace dibs::study;

namespace {

std::string refusal(const std::string& text, bool condition = false) {
  metric_index index;
  const auto f = condition ? formula::room(text, index) : formula::sum(text, index);
  REQUIRE_FALSE(f);
  CHECK(f.error().code == exit_code::usage);
  return f.error().text;
}

bool has(const std::string& text, const std::string& part) {
  INFO(text);
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("formulas: a ratio is one of sums, a count a mean, and times are in seconds") {
  metric_index index;
  const auto rate = formula::sum("accepts.missed_rate", index);
  const auto cost =
      formula::sum("(30s * accepts.missed + supply.hidden_s) / rides.requested", index);
  REQUIRE(rate);
  REQUIRE(cost);
  CHECK(cost->unit() == metrics::unit::seconds);
  CHECK(index.names().size() == 4);
  // missed rate, missed, hidden seconds, requested
  const std::vector<sample> runs{{{1, 10}, {1, 1}, {100, 1}, {20, 1}},
                                 {{5, 20}, {5, 1}, {300, 1}, {60, 1}}};
  CHECK(*rate->of(runs) == Approx(6.0 / 30));
  CHECK(*cost->of(runs) == Approx((30 * 3 + 200.0) / 40));
  // Of two runs, what one leaves out is the other alone.
  const auto pseudo = rate->pseudo_values(runs);
  REQUIRE(pseudo.size() == 2);
  CHECK(pseudo[0] == Approx(2 * 6.0 / 30 - 0.25));
  CHECK(pseudo[1] == Approx(2 * 6.0 / 30 - 0.1));
}

TEST_CASE("formulas: room is what a condition leaves") {
  metric_index index;
  const auto room = formula::room("ttm.p95 <= 45s", index);
  const auto more = formula::room("rides.match_rate > 85%", index);
  REQUIRE(room);
  REQUIRE(more);
  const std::vector<sample> runs{{{40, 1}, {90, 100}}, {{46, 1}, {70, 100}}};
  CHECK(*room->of(runs) == Approx(2));
  CHECK(*more->of(runs) == Approx(-0.05));
}

TEST_CASE("formulas: what has no value has none, and no pseudo-values") {
  metric_index index;
  const auto rate = formula::sum("accepts.missed_rate", index);
  CHECK_FALSE(rate->of(std::vector<sample>{{{0, 0}}}));
  CHECK(rate->pseudo_values(std::vector<sample>{{{1, 2}}, {{0, 0}}}).empty());
}

TEST_CASE("formulas: unknown metrics, clashing units and texts are refused") {
  CHECK(has(refusal("ttm.p9x5"), "no metric"));
  CHECK(has(refusal("acepts.missed_rate"), "did you mean `accepts.missed_rate`"));
  CHECK(has(refusal("ttm.p95 + rides.match_rate"), "adds a time and a number"));
  CHECK(has(refusal("ttm.p95 <= 0.5", true), "compares a time with a number"));
  CHECK(has(refusal("fenced"), "no quantity"));
  CHECK(has(refusal("3s + 4s"), "names no metric"));
}
