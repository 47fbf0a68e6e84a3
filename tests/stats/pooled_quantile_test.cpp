// Goal: a quantile of several runs is the value of its rank among all their values.
// Method: random runs beside a sort of all their values; and runs of which only buckets are kept.

#include "stats/pooled_quantile.hpp"

#include "base/random.hpp"
#include "catch.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

using namespace dibs;
using stats::histogram;
using stats::sparse_histogram;

namespace {

struct runs_of_values {
  std::vector<std::int64_t> all;  ///< in order
  std::vector<histogram> runs;
};

/// Some values more than once, and a run without any.
runs_of_values some_runs(std::uint64_t seed) {
  stream random(seed);
  runs_of_values some;
  some.runs.resize(5);
  for (int i = 0; i < 997; ++i) {
    const auto ns = static_cast<std::int64_t>(random.below(4) == 0 ? 15'000'000'000
                                                                   : random.below(40'000'000'000));
    some.all.push_back(ns);
    some.runs[random.below(4)].add(sim_duration{ns});
  }
  std::sort(some.all.begin(), some.all.end());
  return some;
}

std::optional<stats::pooled_quantile> pooled(const runs_of_values& of,
                                             double q,
                                             std::uint64_t values_max) {
  std::vector<sparse_histogram> spreads;
  for (const histogram& h : of.runs) {
    spreads.push_back(h.count() > 0 ? stats::sparse_of(h, values_max) : sparse_histogram{});
  }
  std::vector<const sparse_histogram*> pointers;
  for (const sparse_histogram& s : spreads) {
    pointers.push_back(&s);
  }
  return stats::quantile_of(pointers, q);
}

constexpr double shares[] = {0.001, 0.25, 0.4, 0.5, 0.9, 0.95, 0.99, 0.999};

double exact(const runs_of_values& of, double q) {
  return static_cast<double>(of.all[stats::rank_of(q, of.all.size()) - 1]) / 1e9;
}

}  // namespace

TEST_CASE("quantile: of several runs it is the value of its rank among all of theirs", "[report]") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const runs_of_values some = some_runs(seed);
    for (const double q : shares) {
      CAPTURE(seed, q);
      const auto found = pooled(some, q, sparse_histogram::values_max);
      REQUIRE(found);
      CHECK(found->of.value == exact(some, q));
      CHECK(found->of.unsure.half_width() == 0);
      double mean = 0;
      for (const double pseudo : found->pseudo) {
        mean += pseudo / static_cast<double>(found->pseudo.size());
      }
      CHECK(mean == Approx(found->of.value));
    }
  }
}

TEST_CASE("quantile: where values are too many it says between what it lies", "[report]") {
  const runs_of_values some = some_runs(1);
  for (const double q : shares) {
    CAPTURE(q);
    const auto found = pooled(some, q, 100);
    REQUIRE(found);
    CHECK(found->of.value - found->of.unsure.below <= exact(some, q));
    CHECK(exact(some, q) <= found->of.value + found->of.unsure.above);
    CHECK(found->of.unsure.half_width() < 0.004 * found->of.value);
    if (found->bounded) {
      CHECK(found->of.margin->below >= found->of.unsure.below);
      CHECK(found->of.margin->above >= found->of.unsure.above);
    }
  }
}

TEST_CASE("quantile: runs that are all alike, kept by buckets, still leave it unsure", "[report]") {
  const histogram one = some_runs(1).runs[0];
  const sparse_histogram kept = stats::sparse_of(one, 0);
  const std::vector<const sparse_histogram*> runs(5, &kept);
  for (const double q : {0.25, 0.5, 0.9}) {
    CAPTURE(q);
    const auto found = stats::quantile_of(runs, q);
    REQUIRE(found);
    CHECK(found->bounded);
    CHECK(found->of.half_width() > 0);
    CHECK(found->of.low() <= one.quantile(q));
    CHECK(one.quantile(q) <= found->of.high());
  }
}
