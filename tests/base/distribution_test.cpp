#include "base/distribution.hpp"

#include "base/real.hpp"
#include "catch.hpp"

#include <algorithm>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <cstdint>
#include <vector>

namespace {

using namespace dibs;

constexpr int draws = 200'000;

/// What `draw` or `draw_signed` gives, many times.
template <class Distribution>
std::vector<double> sorted_seconds(const Distribution& from,
                                   std::uint64_t seed,
                                   sim_duration (*drawn)(const Distribution&, stream&)) {
  stream random(seed);
  std::vector<double> seconds;
  seconds.reserve(draws);
  for (int i = 0; i < draws; ++i) {
    seconds.push_back(in_seconds(drawn(from, random)));
  }
  std::sort(seconds.begin(), seconds.end());
  return seconds;
}

std::vector<double> sorted_seconds(const distribution& from, std::uint64_t seed) {
  return sorted_seconds(from, seed, draw);
}

/// The greatest gap between the drawn and the given distribution function (Kolmogorov's statistic)
/// times sqrt(n); above 1.95 in one of a thousand sound samples.
template <class Cdf>
double misfit(const std::vector<double>& sorted, Cdf cdf) {
  double most = 0;
  const auto n = static_cast<double>(sorted.size());
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const double p = cdf(sorted[i]);
    most = std::max({most,
                     std::fabs(p - static_cast<double>(i) / n),
                     std::fabs(p - static_cast<double>(i + 1) / n)});
  }
  return most * std::sqrt(n);
}

double average(const std::vector<double>& of) {
  double sum = 0;
  for (const double x : of) {
    sum += x;
  }
  return sum / static_cast<double>(of.size());
}

double normal_cdf(double z) { return 0.5 * std::erfc(-z * std::sqrt(0.5)); }

TEST_CASE("distribution: uniform durations spread evenly from min to max", "[distribution]") {
  const distribution d = uniform_duration{2s, 5s};
  const auto seconds = sorted_seconds(d, 1);
  CHECK(misfit(seconds, [](double x) { return (x - 2) / 3; }) < 1.95);
  CHECK(seconds.front() >= 2);
  CHECK(seconds.back() <= 5);
  CHECK(mean_of(d) == 3500ms);
}

TEST_CASE("distribution: exponential durations have their mean and shape", "[distribution]") {
  const distribution d = exponential_duration{3s};
  const auto seconds = sorted_seconds(d, 2);
  CHECK(misfit(seconds, [](double x) { return 1 - std::exp(-x / 3); }) < 1.95);
  CHECK(average(seconds) == Approx(3).epsilon(0.01));
  CHECK(mean_of(d) == 3s);
}

TEST_CASE("distribution: normal differences may be negative", "[distribution]") {
  const distribution d = normal_duration{100ms, 300ms};
  const auto seconds = sorted_seconds(signed_distribution(d), 3, draw_signed);
  CHECK(misfit(seconds, [](double x) { return normal_cdf((x - 0.1) / 0.3); }) < 1.95);
  CHECK(seconds.front() < -1);
}

TEST_CASE("distribution: what a duration has below 0 counts as 0", "[distribution]") {
  const auto seconds = sorted_seconds(normal_duration{100ms, 300ms}, 3);
  const auto zeros = std::count(seconds.begin(), seconds.end(), 0.0);
  CHECK(seconds.front() == 0);
  CHECK(static_cast<double>(zeros) / draws == Approx(normal_cdf(-1.0 / 3)).epsilon(0.02));
  CHECK(in_seconds(mean_of(normal_duration{100ms, 300ms})) ==
        Approx(average(seconds)).epsilon(0.01));
  CHECK(in_seconds(mean_of(normal_duration{0s, 1s})) == Approx(0.3989423));
  CHECK(mean_of(normal_duration{2s, 0s}) == 2s);
  CHECK(mean_of(normal_duration{1h, 1s}) == 1h);
  const std::vector<double> above(seconds.begin() + zeros, seconds.end());
  const double below = normal_cdf(-1.0 / 3);
  CHECK(misfit(above, [below](double x) {
          return (normal_cdf((x - 0.1) / 0.3) - below) / (1 - below);
        }) < 1.95);
}

TEST_CASE("distribution: no draw of any kind is below 0 or too long to add up", "[distribution]") {
  const std::vector<distribution> kinds{constant_duration{-1s},
                                        constant_duration{24h * 365 * 100},
                                        uniform_duration{-2s, 24h * 365 * 200},
                                        exponential_duration{24h * 365 * 200},
                                        normal_duration{-1s, 1s},
                                        normal_duration{0s, 24h * 365 * 200},
                                        lognormal_duration{24h * 365, 10},
                                        weibull_duration{24h * 365, 0.1},
                                        gamma_duration{24h * 365 * 5, 0.1},
                                        quantiles_duration{{{0, -1h}, {1, 24h * 365 * 20}}}};
  for (const distribution& kind : kinds) {
    stream random(12);
    stream same(12);
    bool at_an_end = false;
    for (int i = 0; i < 1000; ++i) {
      const sim_duration drawn = draw(kind, random);
      const sim_duration either_way = draw_signed(kind, same);
      REQUIRE(drawn >= 0s);
      REQUIRE(drawn <= draw_max);
      REQUIRE(either_way >= -draw_max);
      REQUIRE(drawn == std::max(either_way, sim_duration{0}));
      at_an_end = at_an_end || drawn == 0s || drawn == draw_max;
    }
    CHECK(at_an_end);
  }
}

TEST_CASE("distribution: lognormal durations have their median, mean and shape", "[distribution]") {
  const distribution d = lognormal_duration{4s, 0.5};
  const auto seconds = sorted_seconds(d, 4);
  CHECK(misfit(seconds, [](double x) { return normal_cdf(std::log(x / 4) / 0.5); }) < 1.95);
  CHECK(in_seconds(mean_of(d)) == Approx(4 * std::exp(0.125)).epsilon(1e-9));
  CHECK(average(seconds) == Approx(4 * std::exp(0.125)).epsilon(0.01));
}

TEST_CASE("distribution: Weibull durations have the mean, quantiles and shape of their formulas") {
  for (const double shape : {0.5, 1.0, 2.5}) {
    const distribution d = weibull_duration{4s, shape};
    const auto seconds = sorted_seconds(d, 13);
    CHECK(misfit(seconds, [shape](double x) { return 1 - std::exp(-std::pow(x / 4, shape)); }) <
          1.95);
    const double mean = 4 * std::tgamma(1 + 1 / shape);
    CHECK(in_seconds(mean_of(d)) == Approx(mean).epsilon(1e-9));
    CHECK(average(seconds) == Approx(mean).epsilon(0.02));
    const double median = 4 * std::pow(std::log(2), 1 / shape);
    CHECK(seconds[draws / 2] == Approx(median).epsilon(0.02));
  }
}

TEST_CASE("distribution: gamma durations have the mean, spread and shape of their formulas") {
  for (const double shape : {0.5, 1.0, 3.0, 50.0}) {
    const distribution d = gamma_duration{6s, shape};
    const auto seconds = sorted_seconds(d, 14);
    CHECK(misfit(seconds,
                 [shape](double x) { return boost::math::gamma_p(shape, x * shape / 6); }) < 1.95);
    CHECK(mean_of(d) == 6s);
    CHECK(average(seconds) == Approx(6).epsilon(0.02));
    double squares = 0;
    for (const double x : seconds) {
      squares += (x - 6) * (x - 6);
    }
    CHECK(squares / draws == Approx(36 / shape).epsilon(0.03));
  }
}

TEST_CASE("distribution: a Weibull and a gamma duration of shape 1 are exponential") {
  stream one(15);
  stream other(15);
  stream third(15);
  for (int i = 0; i < 1000; ++i) {
    const double exponential = in_seconds(draw(exponential_duration{3s}, one));
    CHECK(in_seconds(draw(weibull_duration{3s, 1}, other)) == Approx(exponential).epsilon(1e-9));
    CHECK(in_seconds(draw(gamma_duration{3s, 1}, third)) == Approx(exponential).epsilon(1e-9));
  }
}

TEST_CASE("distribution: quantiles are joined by straight lines", "[distribution]") {
  const distribution d = quantiles_duration{{{0, 3s}, {0.25, 38s}, {0.5, 88s}, {1, 522s}}};
  const auto seconds = sorted_seconds(d, 5);
  const auto cdf = [](double x) {
    if (x < 38) {
      return (x - 3) / 35 * 0.25;
    }
    return x < 88 ? 0.25 + (x - 38) / 50 * 0.25 : 0.5 + (x - 88) / 434 * 0.5;
  };
  CHECK(misfit(seconds, cdf) < 1.95);
  CHECK(in_seconds(mean_of(d)) == Approx(0.25 * 20.5 + 0.25 * 63 + 0.5 * 305).epsilon(1e-9));
  CHECK(average(seconds) == Approx(in_seconds(mean_of(d))).epsilon(0.01));
}

TEST_CASE("distribution: equal neighbouring probabilities are a jump, not a division by zero",
          "[distribution]") {
  const distribution d = quantiles_duration{{{0, 1s}, {0.5, 1s}, {0.5, 9s}, {1, 9s}}};
  stream random(6);
  for (int i = 0; i < 1000; ++i) {
    const sim_duration drawn = draw(d, random);
    REQUIRE((drawn == 1s || drawn == 9s));
  }
  CHECK(mean_of(d) == 5s);
}

TEST_CASE("distribution: a constant is itself, and never is for ever", "[distribution]") {
  stream random(7);
  CHECK(draw(constant_duration{15s}, random) == 15s);
  CHECK(draw(constant_duration{forever}, random) == forever);
  CHECK(draw(never_duration{}, random) == forever);
  CHECK(mean_of(constant_duration{15s}) == 15s);
  CHECK(mean_of(never_duration{}) == forever);
}

TEST_CASE("distribution: every kind takes exactly one number from the stream", "[distribution]") {
  const std::vector<distribution> kinds{constant_duration{1s},
                                        uniform_duration{1s, 2s},
                                        exponential_duration{1s},
                                        normal_duration{1s, 1s},
                                        lognormal_duration{1s, 1.0},
                                        weibull_duration{1s, 2},
                                        gamma_duration{1s, 2},
                                        quantiles_duration{{{0, 0s}, {1, 1s}}},
                                        never_duration{}};
  stream one(8);
  one.bits();
  const std::uint64_t second = one.bits();
  for (const distribution& kind : kinds) {
    stream random(8);
    (void)draw(kind, random);
    CHECK(random.bits() == second);
  }
}

TEST_CASE("distribution: a draw grows with its uniform number", "[distribution]") {
  stream random(9);
  for (int i = 0; i < 1000; ++i) {
    const std::uint64_t state = random.bits();
    const std::uint64_t other = random.bits();
    stream low(stream(state).unit() < stream(other).unit() ? state : other);
    stream high(stream(state).unit() < stream(other).unit() ? other : state);
    for (const distribution& d : {distribution{exponential_duration{1s}},
                                  distribution{uniform_duration{1s, 9s}},
                                  distribution{normal_duration{1s, 1s}},
                                  distribution{lognormal_duration{1s, 1.5}},
                                  distribution{weibull_duration{1s, 0.7}},
                                  distribution{gamma_duration{1s, 0.3}},
                                  distribution{gamma_duration{1s, 30}},
                                  distribution{quantiles_duration{{{0, 0s}, {1, 1h}}}}}) {
      stream a = low;
      stream b = high;
      REQUIRE(draw(d, a) <= draw(d, b));
    }
  }
}

TEST_CASE("distribution: what is too long to count becomes the longest, not never",
          "[distribution]") {
  const sim_duration longest = forever - 1ns;
  CHECK(mean_of(lognormal_duration{1h, 30}) == longest);
  CHECK(mean_of(quantiles_duration{{{0, forever}, {1, forever}}}) == longest);
  bool above = false;
  bool below = false;
  stream random(10);
  for (int i = 0; i < 100; ++i) {
    const sim_duration drawn = draw_signed(normal_duration{0s, forever}, random);
    above = above || drawn == draw_max;
    below = below || drawn == -draw_max;
  }
  CHECK(above);
  CHECK(below);
}

TEST_CASE("distribution: a long uniform duration is drawn to the nanosecond", "[distribution]") {
  const sim_duration far = 24h * 365 * 9;  // where doubles are 32 ns apart
  stream random(11);
  bool odd = false;
  for (int i = 0; i < 100; ++i) {
    const sim_duration drawn = draw(uniform_duration{far, far + 99ns}, random);
    REQUIRE(drawn >= far);
    REQUIRE(drawn <= far + 99ns);
    odd = odd || drawn.count() % 2 != 0;
  }
  CHECK(odd);
}

TEST_CASE("distribution: the draws of one seed never change", "[distribution][golden]") {
  stream random(20240607);
  std::vector<std::int64_t> drawn;
  for (const distribution& d :
       {distribution{uniform_duration{2h, 9h}},
        distribution{exponential_duration{20s}},
        distribution{normal_duration{0s, 300ms}},
        distribution{lognormal_duration{4s, 0.5}},
        distribution{quantiles_duration{{{0, 3s}, {0.5, 88s}, {0.99, 522s}, {1, 15min}}}},
        distribution{weibull_duration{4s, 1.7}},
        distribution{gamma_duration{4s, 2.3}}}) {
    drawn.push_back(draw_signed(d, random).count());
    drawn.push_back(draw_signed(d, random).count());
  }
  CHECK(drawn == std::vector<std::int64_t>{17095471907732,
                                           8098580837704,
                                           99066446389,
                                           3745308492,
                                           -156295960,
                                           123789654,
                                           6841820187,
                                           2955253779,
                                           9459032472,
                                           318135042023,
                                           8499033579,
                                           657105559,
                                           4420229402,
                                           9124807615});
}

}  // namespace
