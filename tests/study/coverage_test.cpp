// Goal: of 1,000 small studies, 93 to 97 % of their 95 % intervals cover the truth.
// Method: one offer a ride, so that figures have closed forms; ten runs of about a hundred rides
// are one study. Quantiles on invented delays, through the same histograms and estimates.

#include "base/distribution.hpp"
#include "base/random.hpp"
#include "catch.hpp"
#include "engine/prepared.hpp"
#include "metrics/histogram.hpp"
#include "scenario/read.hpp"
#include "study/estimate.hpp"
#include "study/formula.hpp"
#include "study/interval.hpp"

#include <cmath>

using namespace dibs;
using namespace dibs::study;

namespace {

constexpr int studies = 1000;
constexpr std::uint32_t runs_of_a_study = 10;

constexpr const char* one_offer = R"(version: 1
name: one_offer
clock: {warmup: 0s, duration: 60s, drain: 1min}
world: {geography: none, trip: {dist: constant, value: 1s}}
demand:
  - {kind: poisson, rate: 10/s, until: 10s}
riders: {ask_again: never}
drivers:
  count: 300
  classes:
    - {name: all, share: 1, response: {dist: exponential, mean: 8s}, accept: 1, ignore: 0}
matchers:
  count: 1
  policy: {kind: random}
  look_again: none
  tries: offer
  offers: {max: 1, total_wait: 1h}
lease: {protocol: fenced}
output: {series: 1min}
)";

/// The runs of all studies at one TTL; study s has the seeds of root s.
std::vector<std::vector<run_record>> all_runs(const std::string& ttl) {
  const auto read = scenario::read_text(one_offer, "one_offer.yaml", ".", {{"lease.ttl", ttl}});
  REQUIRE(read.ok());
  const auto shared = engine::prepare(read.value);
  REQUIRE(shared);
  std::vector<std::vector<run_record>> all(studies);
  for (int s = 0; s < studies; ++s) {
    for (std::uint32_t k = 0; k < runs_of_a_study; ++k) {
      engine::run_options how;
      how.seed = engine::seed_of(static_cast<std::uint64_t>(s) + 1, k);
      const auto ran = engine::run(read.value, *shared, how);
      REQUIRE(ran);
      all[static_cast<std::size_t>(s)].push_back(record_of(*ran));
    }
  }
  return all;
}

std::vector<const measure*> column(const std::vector<run_record>& runs, const std::string& metric) {
  std::vector<const measure*> all;
  for (const run_record& r : runs) {
    const auto m = std::find_if(r.measures.begin(), r.measures.end(), [&](const measure& each) {
      return each.metric == metric;
    });
    REQUIRE(m != r.measures.end());
    all.push_back(&*m);
  }
  return all;
}

void check_coverage(int covered) {
  CHECK(covered >= 0.93 * studies);
  CHECK(covered <= 0.97 * studies);
}

}  // namespace

TEST_CASE("coverage: ratios, means, differences and formulas of 1,000 small studies") {
  const auto at_10 = all_runs("10s");
  const auto at_15 = all_runs("15s");
  const double late_10 = std::exp(-10.0 / 8);
  const double late_15 = std::exp(-15.0 / 8);
  metric_index index;
  const auto cost = formula::sum("(30s * accepts.late + supply.lease_s) / rides.requested", index);
  REQUIRE(cost);
  const double true_cost = 30 * late_15 + 8 * (1 - late_15);
  int rate = 0;
  int hold = 0;
  int difference = 0;
  int of_cost = 0;
  for (std::size_t s = 0; s < studies; ++s) {
    const auto expired =
        estimate_of("leases.expired_rate", column(at_15[s], "leases.expired_rate"));
    rate += std::abs(expired->value - late_15) <= *expired->half_width ? 1 : 0;
    const auto held = estimate_of("leases.hold.mean", column(at_15[s], "leases.hold.mean"));
    hold += std::abs(held->value - 8 * (1 - late_15)) <= *held->half_width ? 1 : 0;
    const auto d = difference_of("leases.expired_rate",
                                 column(at_10[s], "leases.expired_rate"),
                                 column(at_15[s], "leases.expired_rate"));
    difference += std::abs(d->mean - (late_15 - late_10)) <= d->half_width ? 1 : 0;
    std::vector<sample> samples(runs_of_a_study);
    for (std::size_t k = 0; k < runs_of_a_study; ++k) {
      for (const std::string& name : index.names()) {
        samples[k].push_back({*column(at_15[s], name)[k]->value, 1});
      }
    }
    const auto whole = cost->of(samples);
    of_cost += std::abs(*whole - true_cost) <= mean_of(cost->pseudo_values(samples)).half_width();
  }
  CAPTURE(rate, hold, difference, of_cost);
  check_coverage(rate);
  check_coverage(hold);
  check_coverage(difference);
  check_coverage(of_cost);
}

TEST_CASE("coverage: quantiles of runs with two thousand delays each") {
  const distribution delays = exponential_duration{8s};
  for (const auto& [q, truth] :
       {std::pair(0.5, 8 * std::log(2.0)), std::pair(0.95, 8 * std::log(20.0))}) {
    int covered = 0;
    for (std::uint64_t s = 0; s < studies; ++s) {
      std::vector<measure> runs;
      for (std::uint64_t k = 0; k < runs_of_a_study; ++k) {
        stream random = stream::keyed(s + 1, purpose::replication, k);
        metrics::histogram h;
        for (int i = 0; i < 2000; ++i) {
          h.add(draw(delays, random));
        }
        runs.push_back({"ttm.p95", h.quantile(q), {}, {}});
      }
      std::vector<const measure*> pointers;
      for (const measure& m : runs) {
        pointers.push_back(&m);
      }
      const auto e = estimate_of("ttm.p95", pointers);
      covered += std::abs(e->value - truth) <= *e->half_width ? 1 : 0;
    }
    CAPTURE(q, covered);
    check_coverage(covered);
  }
}
