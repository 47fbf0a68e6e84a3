// Goal: the trade-off's corners are the best for some weight, and turn where they should.
// Method: harms with noise that all rows share, whose means are known.

#include "tune/pareto_front.hpp"

#include "catch.hpp"
#include "stats/noise.hpp"

#include <cmath>

using namespace dibs;
using namespace dibs::tune;
using dibs::stats::test::noise;

namespace {

constexpr std::size_t luck_runs = 40;

/// All runs share most of their luck; a hundredth is each row's own.
harm_samples row_of(double missed, double hidden, std::uint64_t own, std::uint64_t seed = 1) {
  harm_samples h;
  for (std::size_t r = 0; r < luck_runs; ++r) {
    h.missed.push_back(missed + noise(seed, r) + 0.01 * noise(seed, 1000 * own + r));
    h.hidden.push_back(hidden + 5 * noise(seed, 500 + r) +
                       0.01 * noise(seed, 100'000 + 1000 * own + r));
  }
  return h;
}

}  // namespace

TEST_CASE(
    "pareto front: what is worse in both harms is beaten, what lies above the hull is no corner") {
  const std::vector<harm_samples> rows{
      row_of(4, 1, 1), row_of(1, 10, 2), row_of(2.4, 6.5, 3), row_of(3, 2, 4), row_of(4.5, 7, 5)};
  CHECK(non_dominated(rows) == std::vector<bool>{true, true, true, true, false});
  CHECK(pareto_hull(rows) == std::vector<std::size_t>{0, 3, 1});
}

TEST_CASE("pareto front: a corner is as good as the next at the weight where it turns") {
  const std::vector<harm_samples> rows{row_of(4, 1, 1), row_of(3, 2, 2), row_of(1, 10, 3)};
  const auto turns = trade_off_weights(rows, pareto_hull(rows));
  REQUIRE(turns.size() == 2);
  CHECK(turns[0].at == Approx(1).epsilon(0.02));
  CHECK(turns[1].at == Approx(4).epsilon(0.02));
  for (const trade_off_weight& t : turns) {
    CHECK(t.within.low < t.at);
    CHECK(t.within.high > t.at);
    CHECK(t.within.high - t.within.low < 0.1);
  }
}

TEST_CASE("pareto front: of many turns the interval covers the truth") {
  int covered = 0;
  constexpr int tries = 400;
  for (std::uint64_t seed = 1; seed <= tries; ++seed) {
    const std::vector<harm_samples> rows{row_of(4, 1, 1, seed), row_of(3.99, 1.04, 2, seed)};
    const std::vector<std::size_t> both{0, 1};
    const auto turns = trade_off_weights(rows, both);
    covered += turns[0].within.low <= 4 && 4 <= turns[0].within.high;
  }
  CAPTURE(covered);
  CHECK(covered >= 0.93 * tries);
  CHECK(covered <= 0.97 * tries);
}

TEST_CASE("pareto front: what moves both harms together leaves their quotient where it is") {
  std::vector<harm_samples> rows{row_of(4, 1, 1), row_of(3, 5, 2)};
  for (std::size_t r = 0; r < luck_runs; ++r) {
    const double luck = noise(7, r);
    rows[1].missed[r] -= luck;
    rows[1].hidden[r] += 4 * luck;
  }
  const auto turns = trade_off_weights(rows, pareto_hull(rows));
  REQUIRE(turns.size() == 1);
  CHECK(turns[0].at == Approx(4).epsilon(0.02));
  CHECK(turns[0].within.high - turns[0].within.low < 0.1);
}

TEST_CASE("pareto front: of what is not shown to be missed less no weight is known") {
  std::vector<harm_samples> rows{row_of(4, 1, 1), row_of(4, 2, 2)};
  rows[1].missed[0] -= 0.5;  // by one run of luck
  const auto turns = trade_off_weights(rows, pareto_hull(rows));
  REQUIRE(turns.size() == 1);
  CHECK(turns[0].within.low == 0);
  CHECK(std::isinf(turns[0].within.high));
}

TEST_CASE("pareto front: one row is all of it, and turns nowhere") {
  const std::vector<harm_samples> rows{row_of(4, 1, 1)};
  CHECK(pareto_hull(rows) == std::vector<std::size_t>{0});
  CHECK(trade_off_weights(rows, pareto_hull(rows)).empty());
}
