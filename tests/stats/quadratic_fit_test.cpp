// Goal: the least place of a quadratic is found through noise, with an interval that covers it.
// Method: known quadratics, with and without noise on common seeds.

#include "catch.hpp"
#include "stats/cubic_fit.hpp"
#include "stats/noise.hpp"

using namespace dibs;
using namespace dibs::stats;
using dibs::stats::test::noise;

namespace {

const std::vector<place> line{{-1}, {-0.5}, {0}, {0.5}, {1}};

}  // namespace

TEST_CASE("quadratic fit: a parabola's vertex is found exactly") {
  std::vector<std::vector<double>> samples;
  for (const place& z : line) {
    const double y = 3 + 2 * (z[0] - 0.3) * (z[0] - 0.3);
    samples.push_back({y, y + 1, y - 1});
  }
  const auto least = minimise_quadratic(line, samples, 1);
  REQUIRE(least);
  CHECK(least->at[0] == Approx(0.3));
  CHECK(least->low[0] == Approx(0.3));
  CHECK(least->high[0] == Approx(0.3));
  CHECK(least->inside);
}

TEST_CASE("quadratic fit: where nothing bends upwards, or the vertex is outside, an end is least") {
  for (const double bend : {-1.0, 0.0, 0.2}) {
    std::vector<std::vector<double>> samples;
    for (const place& z : line) {
      const double y = bend * z[0] * z[0] - z[0];
      samples.push_back({y, y});
    }
    const auto least = minimise_quadratic(line, samples, 1);
    REQUIRE(least);
    CHECK(least->at[0] == 1);
    CHECK_FALSE(least->inside);
  }
}

TEST_CASE("quadratic fit: two variables that lean on each other") {
  std::vector<place> points;
  std::vector<std::vector<double>> samples;
  for (const double x : {-1.0, 0.0, 1.0}) {
    for (const double y : {-1.0, 0.0, 1.0}) {
      points.push_back({x, y});
      const double u = x - 0.2;
      const double v = y + 0.4;
      const double f = 2 * u * u + v * v + 1.5 * u * v;
      samples.push_back({f, f});
    }
  }
  const auto least = minimise_quadratic(points, samples, 2);
  REQUIRE(least);
  CHECK(least->at[0] == Approx(0.2));
  CHECK(least->at[1] == Approx(-0.4));
}

TEST_CASE("quadratic fit: the interval covers the vertex about as often as it says") {
  int covered = 0;
  constexpr int trials = 400;
  for (std::uint64_t seed = 1; seed <= trials; ++seed) {
    std::vector<std::vector<double>> samples;
    for (std::size_t p = 0; p < line.size(); ++p) {
      const double u = line[p][0] - 0.1;
      samples.emplace_back();
      for (std::uint64_t r = 0; r < 25; ++r) {
        samples.back().push_back(u * u + 0.5 * noise(seed, r) +
                                 0.5 * noise(seed, 100 * (p + 1) + r));
      }
    }
    const auto least = minimise_quadratic(line, samples, 1);
    REQUIRE(least);
    covered += least->low[0] <= 0.1 && 0.1 <= least->high[0] ? 1 : 0;
  }
  CHECK(covered >= 0.92 * trials);
  CHECK(covered <= 0.98 * trials);
}

TEST_CASE("quadratic fit: too few points determine nothing") {
  CHECK_FALSE(minimise_quadratic(
      std::vector<place>{{-1}, {1}}, std::vector<std::vector<double>>{{1, 2}, {1, 2}}, 1));
}

TEST_CASE("cubic fit: a cubic's least value is found exactly, and a parabola's as well") {
  for (const double cubic : {-0.3, 0.0, 0.3}) {
    std::vector<std::vector<double>> samples;
    for (const place& z : line) {
      const double u = z[0] - 0.2;
      const double y = 3 + 2 * u * u + cubic * u * u * u;
      samples.push_back({y, y + 1, y - 1});
    }
    const auto least = minimise_cubic(line, samples);
    REQUIRE(least);
    CAPTURE(cubic);
    CHECK(least->at[0] == Approx(0.2));
    CHECK(least->low[0] == Approx(0.2).margin(0.005));
    CHECK(least->high[0] == Approx(0.2).margin(0.005));
    CHECK(least->inside);
    CHECK(least->order == 3);
  }
}

TEST_CASE("cubic fit: what falls throughout is least at its end, and the best may lie beyond") {
  std::vector<std::vector<double>> samples;
  for (const place& z : line) {
    const double y = -z[0];
    samples.push_back({y, y + 1});
  }
  const auto least = minimise_cubic(line, samples);
  REQUIRE(least);
  CHECK(least->at[0] == 1);
  CHECK_FALSE(least->inside);
  CHECK(std::isinf(least->high[0]));
  const std::vector<place> few{{-1}, {0}, {1}};
  samples.resize(3);
  CHECK_FALSE(minimise_cubic(few, samples));
}

TEST_CASE("cubic fit: of many cubics in noise the interval covers the least value") {
  int covered = 0;
  constexpr int tries = 400;
  for (std::uint64_t seed = 1; seed <= tries; ++seed) {
    std::vector<std::vector<double>> samples;
    for (std::size_t p = 0; p < line.size(); ++p) {
      const double u = line[p][0] - 0.1;
      samples.emplace_back();
      for (std::uint64_t r = 0; r < 30; ++r) {
        samples.back().push_back(2 * u * u - 0.4 * u * u * u + noise(seed, r) +
                                 noise(seed, 1000 + 100 * p + r));
      }
    }
    const auto least = minimise_cubic(line, samples);
    REQUIRE(least);
    covered += least->low[0] <= 0.1 && 0.1 <= least->high[0];
  }
  CAPTURE(covered);
  CHECK(covered >= 0.93 * tries);
  CHECK(covered <= 0.97 * tries);
}
