#include "results/assessment.hpp"

#include "catch.hpp"
#include "samples.hpp"

#include <string>

using namespace dibs;
using scenario::comparison;

TEST_CASE("bound check: each comparison is met on the right side of its bound") {
  const auto met = [](double value, comparison is) {
    return results::meets(value, {"m", is, 1.0, ""});
  };
  CHECK(met(0.9, comparison::less));
  CHECK_FALSE(met(1.0, comparison::less));
  CHECK(met(1.0, comparison::at_most));
  CHECK_FALSE(met(1.1, comparison::at_most));
  CHECK(met(1.0, comparison::equal));
  CHECK_FALSE(met(0.9, comparison::equal));
  CHECK(met(1.0, comparison::at_least));
  CHECK_FALSE(met(0.9, comparison::at_least));
  CHECK(met(1.1, comparison::greater));
  CHECK_FALSE(met(1.0, comparison::greater));
}

TEST_CASE("bound check: a missed threshold is 99, a broken promise wins over it") {
  auto a = results::sample_account();
  const results::metric_estimates f(a);
  auto verdicts = results::judge_bounds(a, f);
  REQUIRE(verdicts.size() == 2);
  CHECK(verdicts[0].met);
  CHECK_FALSE(verdicts[1].met);
  CHECK(results::exit_code_of(a, verdicts) == exit_code::threshold_missed);
  a.runs[0].checks.broken = 1;
  CHECK(results::exit_code_of(a, verdicts) == exit_code::invariant_broke);
  a.runs[0].checks.broken = 0;
  verdicts[1].met = true;
  CHECK(results::exit_code_of(a, verdicts) == exit_code::done);
}

TEST_CASE("bound check: an undefined figure meets no bound") {
  auto a = results::sample_account();
  a.scenario.thresholds = {{"pickup.p95", comparison::at_most, 1e9, "<= 1000000000s"}};
  const auto verdicts = results::judge_bounds(a, results::metric_estimates(a));
  CHECK_FALSE(verdicts[0].met);
  CHECK(results::shown_against(verdicts[0]) == "undefined");
}

TEST_CASE("bound check: a quantile of too many values meets what both of its ends meet") {
  auto a = results::sample_account();
  a.runs = {results::sample_run(1)};
  stats::histogram& ttm = a.runs[0].metrics.histograms["ttm"] = {};
  const auto p50_is = [&](comparison is, double bound) {
    a.scenario.thresholds = {{"ttm.p50", is, bound, ""}};
    return results::judge_bounds(a, results::metric_estimates(a))[0].met;
  };
  for (std::uint64_t i = 1; i < stats::histogram::exact_max; ++i) {
    ttm.add(10s + sim_duration(1us) * static_cast<std::int64_t>(i));
  }
  CHECK(p50_is(comparison::at_least, 10.524288));
  CHECK(p50_is(comparison::at_most, 10.524288));
  CHECK_FALSE(p50_is(comparison::less, 10.524288));
  ttm.add(10s);
  ttm.add(10s);
  const auto [from, to] = ttm.around(0.5);
  CHECK(from < 10.524);
  CHECK(10.525 < to);
  CHECK_FALSE(p50_is(comparison::at_least, 10.525));
  CHECK_FALSE(p50_is(comparison::at_most, 10.525));
  CHECK(p50_is(comparison::at_least, from));
  CHECK(p50_is(comparison::at_most, to));
  a.scenario.thresholds = {{"ttm.p50", comparison::at_most, 10.525, ""}};
  const auto open = results::judge_bounds(a, results::metric_estimates(a))[0];
  CHECK(results::shown_against(open).find("+/-") != std::string::npos);
}

TEST_CASE("bound check: a near miss does not look like the bound itself") {
  results::bound_check v;
  v.bound = {"supply.hidden_share", comparison::at_most, 0.01, "<= 1%"};
  v.found = results::metric_estimate{{0.0100004}, text::unit::share};
  CHECK(results::shown_against(v) == "1.00004 %");
  v.found->value = 0.0200004;
  CHECK(results::shown_against(v) == "2.00 %");
  v.found->value = 0.01;
  CHECK(results::shown_against(v) == "1 %");
}

TEST_CASE("bound check: promises of all replications are judged together") {
  auto a = results::sample_account();
  a.runs.push_back(results::sample_run(2));
  a.runs[1].checks.broken = 1U << 3;
  a.runs[1].checks.violation_count = 7;
  a.runs[1].checks.violations.push_back({lease::invariant::no_double_commit, at(1s), 5, "twice"});
  const auto promises = results::promises_of(a);
  REQUIRE(promises.size() == 21);
  CHECK(promises[0].kept);
  CHECK_FALSE(promises[3].kept);
  REQUIRE(results::violations_of(a).size() == 1);
  CHECK(results::violations_of(a)[0].replication == 1);
  CHECK(results::violation_count(a) == 7);
}
