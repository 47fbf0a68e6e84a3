// Goal: an expression over metrics is pooled as ratios of sums, and refuses what it cannot mean.
// Method: samples by hand.

#include "sweep/metric_formula.hpp"

#include "base/random.hpp"
#include "catch.hpp"
#include "has.hpp"
#include "stats/sample_mean.hpp"
#include "sweep/constraint_margin.hpp"
#include "tune/objective.hpp"

#include <fmt/format.h>

#include <cmath>
#include <memory>

using namespace dibs;
using namespace dibs::sweep;
using dibs::test::has;

namespace {

std::string formula_refusal(const std::string& text, bool condition = false) {
  metric_index index;
  const auto f = condition ? metric_formula::margin(text, index) : metric_formula::sum(text, index);
  REQUIRE_FALSE(f);
  CHECK(f.error().code == exit_code::usage);
  return f.error().text;
}

}  // namespace

TEST_CASE("formulas: a ratio is one of sums, a count a mean, and times are in seconds") {
  metric_index index;
  const auto rate = metric_formula::sum("accepts.missed_rate", index);
  const auto cost =
      metric_formula::sum("(30s * accepts.missed + supply.hidden_s) / rides.requested", index);
  REQUIRE(rate);
  REQUIRE(cost);
  CHECK(cost->unit() == text::unit::seconds);
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

TEST_CASE("formulas: what no run showed may still be as rare as so many runs miss") {
  constexpr double tail = 0.05;
  const double three = -std::log(tail);  // the rule of three
  metric_index index;
  const auto count = metric_formula::margin("double.commits <= 1", index);
  const auto share = metric_formula::margin("accepts.missed_rate <= 50%", index);
  const auto all = metric_formula::margin("rides.match_rate >= 50%", index);
  REQUIRE(count);
  REQUIRE(share);
  REQUIRE(all);
  const std::vector<sample> none(4, sample{{0, 1}, {0, 25}, {25, 25}});
  const auto of_count = count->with_unseen(none, tail);
  const auto of_share = share->with_unseen(none, tail);
  const auto of_all = all->with_unseen(none, tail);
  REQUIRE(of_count);
  CHECK(of_count->low == Approx(1 - three / 4));
  CHECK(of_count->high == Approx(1));
  CHECK(of_share->low == Approx(0.5 - three / 100));
  CHECK(of_all->low == Approx(0.5 - three / 100));
  const std::vector<sample> some{{{0, 1}, {1, 25}, {24, 25}}, {{1, 1}, {0, 25}, {25, 25}}};
  for (const auto* f : {&count, &share, &all}) {
    const auto seen = (*f)->with_unseen(some, tail);
    REQUIRE(seen);
    CHECK(seen->low == Approx(*(*f)->of(some)));
    CHECK(seen->high == seen->low);
  }
}

TEST_CASE("formulas: a condition that only none meets, or only all") {
  metric_index index;
  const auto asks = [&](const char* text) {
    const auto f = metric_formula::margin(text, index);
    REQUIRE(f);
    return f->asks_for_none();
  };
  CHECK(asks("double.commits <= 0"));
  CHECK(asks("accepts.missed_rate <= 0%"));
  CHECK(asks("rides.match_rate >= 100%"));
  for (const char* text : {"double.commits <= 1",
                           "double.commits >= 0",
                           "double.commits < 1",
                           "rides.match_rate >= 0%",
                           "rides.match_rate <= 100%",
                           "ttm.p95 <= 0s",
                           "double.commits + double.rides <= 0"}) {
    CAPTURE(text);
    CHECK_FALSE(asks(text));
  }
}

TEST_CASE("formulas: room is what a condition leaves") {
  metric_index index;
  const auto room = metric_formula::margin("ttm.p95 <= 45s", index);
  const auto more = metric_formula::margin("rides.match_rate > 85%", index);
  REQUIRE(room);
  REQUIRE(more);
  const std::vector<sample> runs{{{40, 1}, {90, 100}}, {{46, 1}, {70, 100}}};
  CHECK(*room->of(runs) == Approx(2));
  CHECK(*more->of(runs) == Approx(-0.05));
}

TEST_CASE("formulas: a condition beyond what its metric can be is refused") {
  CHECK(has(formula_refusal("rides.match_rate >= 85", true),
            "can never hold: a share is at most 1; did you mean 85 %?"));
  CHECK(has(formula_refusal("85 <= rides.match_rate", true), "did you mean 85 %?"));
  CHECK(has(formula_refusal("rides.match_rate > 1", true), "a share is at most 1"));
  CHECK_FALSE(has(formula_refusal("rides.match_rate >= 850", true), "did you mean"));
  CHECK(has(formula_refusal("rides.match_rate < 0", true), "rides.match_rate is never below 0"));
  CHECK(has(formula_refusal("ttm.p95 <= -1s", true), "ttm.p95 is never below 0"));
  CHECK(has(formula_refusal("double.commits < 0", true), "double.commits is never below 0"));
  CHECK(has(formula_refusal("accepts.missed_rate <= 5", true),
            "always holds: a share is at most 1; did you mean 5 %?"));
  CHECK(has(formula_refusal("accepts.missed_rate >= -1", true),
            "always holds: accepts.missed_rate is"));
  metric_index index;
  for (const char* fine : {"rides.match_rate >= 1",
                           "rides.match_rate >= 85%",
                           "rides.match_rate <= 0",
                           "double.commits <= 0",
                           "double.commits >= 85",
                           "ttm.p95 <= 45s",
                           "rides.match_rate * (1 - rides.match_rate) >= 0.2",
                           "ttm.p95 - ttm.p50 <= -1s"}) {
    CAPTURE(fine);
    CHECK(metric_formula::margin(fine, index));
  }
}

TEST_CASE("formulas: what has no value has none, and no pseudo-values") {
  metric_index index;
  const auto rate = metric_formula::sum("accepts.missed_rate", index);
  CHECK_FALSE(rate->of(std::vector<sample>{{{0, 0}}}));
  CHECK(rate->pseudo_values(std::vector<sample>{{{1, 2}}, {{0, 0}}}).empty());
}

TEST_CASE("formulas: unknown metrics, clashing units and texts are refused") {
  CHECK(has(formula_refusal("ttm.p9x5"), "no metric"));
  CHECK(has(formula_refusal("acepts.missed_rate"), "did you mean `accepts.missed_rate`"));
  CHECK(has(formula_refusal("ttm.p95 + rides.match_rate"), "adds a time and a number"));
  CHECK(has(formula_refusal("ttm.p95 <= 0.5", true), "compares a time with a number"));
  CHECK(has(formula_refusal("\"fenced\""), "no quantity"));
  CHECK(has(formula_refusal("throughput"), "names `throughput`, which is no metric"));
  CHECK(has(formula_refusal("p95 <= 45s", true), "did you mean `ttm.p95`"));
  CHECK(has(formula_refusal("3s + 4s"), "names no metric"));
}

TEST_CASE("formulas: what they say of percentiles known by buckets holds of the true ones") {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    stream random(seed);
    stats::histogram h;
    for (int i = 0; i < 500; ++i) {
      h.add(sim_duration{static_cast<std::int64_t>(1 + random.below(60'000'000'000))});
    }
    const auto kept = std::make_shared<const stats::sparse_histogram>(stats::sparse_of(h, 0));
    const double truth = h.quantile(0.95);
    for (const double bound : {truth * 0.999, truth, truth * 1.001}) {
      CAPTURE(seed, bound);
      metric_index index;
      const auto room = metric_formula::margin(fmt::format("ttm.p95 <= {:.6f}s", bound), index);
      REQUIRE(room);
      const std::vector<sample> runs(5, sample{{truth, 1, kept}});
      const auto standing = constraint_margin_of(*room, runs, 0.05);
      REQUIRE(standing);
      CHECK(room->unsure(runs) < 0.01 * truth);
      CHECK(standing->least <= bound - truth + 1e-6);
      CHECK(bound - truth - 1e-6 <= standing->most);
    }
  }
}
