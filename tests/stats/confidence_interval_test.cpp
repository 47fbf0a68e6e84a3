#include "stats/confidence_interval.hpp"

#include "catch.hpp"

#include <array>
#include <cmath>
#include <vector>

using namespace dibs;

TEST_CASE("confidence interval: Student's t agrees with published tables") {
  CHECK(stats::student_t_quantile(1) == Approx(12.706204736));
  CHECK(stats::student_t_quantile(10, 0.001) == Approx(4.143700494));  // of the tables
  CHECK(stats::student_t_quantile(19) == Approx(2.0930240544));
  CHECK(stats::student_t_quantile(30) == Approx(2.0422724563));
  CHECK(stats::student_t_quantile(31) == Approx(2.03951).epsilon(1e-5));
  CHECK(stats::student_t_quantile(40) == Approx(2.02108).epsilon(1e-5));
  CHECK(stats::student_t_quantile(120) == Approx(1.97993).epsilon(1e-5));
  CHECK(stats::student_t_quantile(1'000'000) == Approx(1.95997).epsilon(1e-5));
}

TEST_CASE("confidence interval: of a mean, by hand") {
  const std::array<double, 4> samples{1, 2, 3, 4};
  const auto e = stats::t_interval(samples);
  CHECK(e.value == Approx(2.5));
  // sd = sqrt(5/3), t(3) = 3.18244631.
  CHECK(e.half_width() == Approx(3.18244631 * std::sqrt(5.0 / 3) / 2));
}

TEST_CASE("confidence interval: the jackknife of a mean is the textbook interval") {
  const std::vector<double> samples{3, 1, 4, 1, 5, 9, 2, 6};
  double sum = 0;
  for (const double x : samples) {
    sum += x;
  }
  std::vector<double> without;
  for (const double x : samples) {
    without.push_back((sum - x) / 7);
  }
  const auto jack = stats::jackknife_interval(sum / 8, without);
  CHECK(jack.half_width() == Approx(stats::t_interval(samples).half_width()));
}

TEST_CASE("confidence interval: none seen in 6,908 is at most one in a thousand") {
  CHECK(stats::zero_event_bound(6908) == Approx(1e-3));
}

TEST_CASE("confidence interval: of a count of rare things, as published tables have it") {
  const auto interval = [](double n) {
    const auto reach = stats::count_interval(n);
    return std::array{n - reach.below, n + reach.above};
  };
  // Garwood, "Fiducial limits for the Poisson distribution", Biometrika 28, 1936.
  CHECK(interval(1)[0] == Approx(0.0253).epsilon(2e-3));
  CHECK(interval(1)[1] == Approx(5.572).epsilon(1e-4));
  CHECK(interval(10)[0] == Approx(4.795).epsilon(1e-4));
  CHECK(interval(10)[1] == Approx(18.390).epsilon(1e-4));
  CHECK(interval(100)[1] == Approx(121.627).epsilon(1e-4));
}

TEST_CASE("confidence interval: equal samples have no width, whatever rounding makes of them") {
  const std::vector<double> samples(7, 0.1);
  CHECK(stats::t_interval(samples).half_width() == 0);
  const std::vector<double> without(7, 0.1 + 1e-17);
  CHECK(stats::jackknife_interval(0.1, without).half_width() == 0);
}

TEST_CASE(
    "confidence interval: a figure that cannot be below 0, nor a share above 1, has no end there") {
  CHECK_FALSE(stats::clipped_margins(5, 2, {}));
  const auto count = stats::clipped_margins(1, 3, {});
  REQUIRE(count);
  CHECK(count->below == 1);
  CHECK(count->above == 3);
  const auto share = stats::clipped_margins(0.9, 0.3, {.most = 1});
  REQUIRE(share);
  CHECK(share->below == 0.3);
  CHECK(share->above == Approx(0.1));
}

TEST_CASE(
    "confidence interval: what was never seen may still be, as rarely as so many chances miss") {
  const double miss = -std::log(0.025);
  const auto none = stats::clipped_margins(0, 0, {.chances = 20});
  REQUIRE(none);
  CHECK(none->below == 0);
  CHECK(none->above == Approx(miss / 20));
  const auto all = stats::clipped_margins(1, 0, {.most = 1, .chances = 100});
  REQUIRE(all);
  CHECK(all->below == Approx(miss / 100));
  CHECK(all->above == 0);
  CHECK(stats::clipped_margins(0, 0, {.most = 1, .chances = 2})->above == 1);
  CHECK_FALSE(stats::clipped_margins(0.5, 0, {.most = 1, .chances = 100}));
  CHECK_FALSE(stats::clipped_margins(0, 0, {}));
}

TEST_CASE("confidence interval: a few Poisson cases have the exact interval of tables") {
  const double errors = 1.959963985;  // in half a width
  // Three cases in ten replications: 0.6187 to 8.7673 (Garwood 1936).
  const auto three = stats::clipped_margins(0.3, errors * std::sqrt(3) / 10, {.chances = 10});
  REQUIRE(three);
  CHECK(0.3 - three->below == Approx(0.06187).epsilon(1e-4));
  CHECK(0.3 + three->above == Approx(0.87673).epsilon(1e-4));
  // A share of which three lack is the same, seen from the other end.
  const auto lack =
      stats::clipped_margins(0.97, errors * std::sqrt(3) / 100, {.most = 1, .chances = 100});
  REQUIRE(lack);
  CHECK(1 - (0.97 + lack->above) == Approx(0.006187).epsilon(1e-4));
  CHECK(1 - (0.97 - lack->below) == Approx(0.087673).epsilon(1e-4));
  // What varies as twenty cases do has Student's, and so has what is not counted.
  CHECK_FALSE(stats::clipped_margins(2.1, errors * std::sqrt(21) / 10, {.chances = 10}));
  CHECK(stats::clipped_margins(1.9, errors * std::sqrt(19) / 10, {.chances = 10}));
  CHECK_FALSE(stats::clipped_margins(1.9, errors * std::sqrt(19) / 10, {}));
}

TEST_CASE("confidence interval: what does not vary tells of an interval where it can") {
  const stats::possible_range seconds{};
  const stats::possible_range count{.chances = 20};
  const stats::possible_range share{.most = 1, .chances = 20};
  CHECK(stats::is_conclusive_without_variance(0, count, 2));
  CHECK(stats::is_conclusive_without_variance(0, share, 2));
  CHECK(stats::is_conclusive_without_variance(1, share, 2));
  CHECK_FALSE(stats::is_conclusive_without_variance(0, seconds, 100));
  CHECK_FALSE(stats::is_conclusive_without_variance(3, count, 2));
  CHECK_FALSE(stats::is_conclusive_without_variance(3, seconds, 4));
  CHECK(stats::is_conclusive_without_variance(3, seconds, 5));
}
