#include "results/metric_estimates.hpp"

#include "catch.hpp"
#include "samples.hpp"
#include "stats/confidence_interval.hpp"

#include <cmath>

using namespace dibs;
using results::metric_estimates;

TEST_CASE("metric estimates: one run has values and no intervals") {
  const auto a = results::sample_account();
  const metric_estimates f(a);
  REQUIRE(f.find("supply.hidden_share"));
  CHECK(f.find("supply.hidden_share")->value == Approx(209'000.0 / 17'280'000));
  CHECK_FALSE(f.find("supply.hidden_share")->margin);
  CHECK_FALSE(f.find("no.such.metric"));
  CHECK(f.replications() == 1);
}

TEST_CASE("metric estimates: over replications counts are means, shares are ratios of sums") {
  auto a = results::sample_account();
  a.runs = {results::sample_run(1, 1), results::sample_run(2, 2)};
  a.runs[1].metrics.sums["supply.online_s"] = 8'640'000;
  a.runs_asked = 2;
  const metric_estimates f(a);
  CHECK(f.find("double.offers")->value == Approx(46.5));
  // t(1) = 12.7062, sd of {31, 62} over sqrt 2 is 15.5; so much varies like few cases.
  const auto ends = stats::clipped_margins(46.5, 12.7062047 * 15.5, {.chances = 2});
  REQUIRE(ends);
  CHECK(f.find("double.offers")->margin->above == Approx(ends->above));
  CHECK(f.find("double.offers")->margin->below == Approx(ends->below));
  CHECK(f.find("double.offers")->half_width() == Approx(ends->half_width()));
  // Of so many offers, one case more adds less; but for that, the rate ends where its count does.
  const auto rate = f.ratio({"double.offers"}, {"offers.sent"});
  REQUIRE(rate);
  REQUIRE(rate->margin);
  CHECK(rate->margin->above / rate->value == Approx(ends->above / 46.5).epsilon(0.01));
  // Seconds are no cases.
  CHECK(f.ratio({"supply.hidden_s"}, {"measured_s"})->margin->below ==
        f.ratio({"supply.hidden_s"}, {"measured_s"})->value);
  const double first = 209'000.0 / 17'280'000;
  const double second = 418'000.0 / 8'640'000;
  CHECK(f.find("supply.hidden_share")->value == Approx(627'000.0 / 25'920'000));
  CHECK(f.find("supply.hidden_share")->value != Approx((first + second) / 2));
  // Two pseudo-values differ by as much as the two ratios that leave one out.
  CHECK(f.find("supply.hidden_share")->margin->above ==
        Approx(12.7062 * std::fabs(first - second) / 2));
}

TEST_CASE("metric estimates: a quantile is that of all replications' values together") {
  auto a = results::sample_account();
  a.runs = {results::sample_run(1), results::sample_run(2)};
  a.runs[1].metrics.histograms["ttm"] = {};
  a.runs[1].metrics.histograms["ttm"].add(1s);
  const metric_estimates f(a);
  // One value more among a thousand moves the median by next to nothing.
  CHECK(f.find("ttm.p50")->value == Approx(*a.runs[0].metrics.value("ttm.p50")).epsilon(0.01));
  const double mean = a.runs[0].metrics.histograms["ttm"].mean();
  CHECK(f.find("ttm.mean")->value == Approx((mean * 1000 + 1) / 1001));
  CHECK(f.find("ttm.mean")->margin->above == Approx(12.7062 * std::fabs(mean - 1) / 2));
}

TEST_CASE("metric estimates: incomplete replications do not count unless there is nothing else") {
  auto a = results::sample_account();
  a.runs = {results::sample_run(1, 1), results::sample_run(2, 9)};
  a.runs[1].interrupted = true;
  CHECK(metric_estimates(a).find("double.offers")->value == 31);
  CHECK_FALSE(metric_estimates(a).find("double.offers")->margin);
  a.runs[0].interrupted = true;
  CHECK(metric_estimates(a).find("double.offers")->value == Approx(155));
  CHECK_FALSE(metric_estimates(a).find("double.offers")->margin);
}

TEST_CASE("metric estimates: the bound of what was never seen is of all replications together") {
  auto a = results::sample_account();
  a.runs = {results::sample_run(1), results::sample_run(2)};
  REQUIRE(metric_estimates(a).find("double.commits_bound"));
  CHECK(metric_estimates(a).find("double.commits_bound")->value == Approx(6.908 / 12204));
  a.runs[1].metrics.sums["double.commits"] = 1;
  CHECK_FALSE(metric_estimates(a).find("double.commits_bound"));
}

TEST_CASE("metric estimates: a ratio without a denominator is undefined") {
  const auto a = results::sample_account();
  CHECK_FALSE(metric_estimates(a).ratio({"double.offers"}, {}));
  CHECK(metric_estimates(a).ratio({"double.offers"}, {"offers.sent"})->value ==
        Approx(31.0 / 7511));
}
