#include "base/real.hpp"

#include "base/random.hpp"
#include "catch.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <utility>

namespace {

using namespace dibs;

/// How many doubles lie between the two.
std::int64_t ulps_between(double a, double b) {
  const auto in_order = [](double x) {
    const auto bits = std::bit_cast<std::int64_t>(x);
    return bits < 0 ? static_cast<std::int64_t>(0x8000000000000000ULL) - bits : bits;
  };
  const std::int64_t gap = in_order(a) - in_order(b);
  return gap < 0 ? -gap : gap;
}

/// The worst disagreement over a grid of `steps` arguments.
template <class Ours, class Theirs>
std::int64_t worst(Ours ours, Theirs theirs, double low, double high, int steps) {
  std::int64_t most = 0;
  for (int i = 0; i <= steps; ++i) {
    const double x = low + (high - low) * i / steps;
    const std::int64_t gap = ulps_between(ours(x), theirs(x));
    most = gap > most ? gap : most;
  }
  return most;
}

constexpr int steps = 1'000'000;
constexpr double turn = 6.283185307179586;

double libm_log(double x) { return std::log(x); }
double libm_exp(double x) { return std::exp(x); }
double libm_sin(double x) { return std::sin(x); }
double libm_cos(double x) { return std::cos(x); }
double libm_asin(double x) { return std::asin(x); }

TEST_CASE("real: the logarithm is within 2 ulp of the C library's", "[real]") {
  CHECK(worst(real::log, libm_log, 1e-9, 1, steps) <= 2);
  CHECK(worst(real::log, libm_log, 0.9, 1.1, steps) <= 2);
  CHECK(worst(real::log, libm_log, 1, 1e6, steps) <= 2);
  const auto of_power = [](auto f) { return [f](double e) { return f(std::pow(10.0, e)); }; };
  CHECK(worst(of_power(real::log), of_power(libm_log), -307, 308, steps) <= 2);
  CHECK(real::log(1) == 0);
}

TEST_CASE("real: the exponential is within 2 ulp of the C library's", "[real]") {
  CHECK(worst(real::exp, libm_exp, -1, 1, steps) <= 2);
  CHECK(worst(real::exp, libm_exp, -40, 40, steps) <= 2);
  CHECK(worst(real::exp, libm_exp, -708, 709.7, steps) <= 2);
  CHECK(worst(real::exp, libm_exp, -745, -708, 10'000) <= 2);
  CHECK(real::exp(0) == 1);
  CHECK(real::exp(-746) == 0);
  CHECK(std::isinf(real::exp(710)));
}

TEST_CASE("real: sine and cosine are within 2 ulp of the C library's over a turn", "[real]") {
  CHECK(worst(real::sin, libm_sin, -turn, turn, steps) <= 2);
  CHECK(worst(real::cos, libm_cos, -turn, turn, steps) <= 2);
  CHECK(worst(real::sin, libm_sin, -1e-3, 1e-3, steps) <= 2);
  CHECK(real::sin(0) == 0);
  CHECK(real::cos(0) == 1);
}

TEST_CASE("real: sine and cosine keep their digits next to every quarter turn", "[real]") {
  for (int quarter = -4; quarter <= 4; ++quarter) {
    double x = quarter * (turn / 4);
    for (int step = 0; step < 1000 && x <= turn; ++step) {
      REQUIRE(ulps_between(real::sin(x), std::sin(x)) <= 2);
      REQUIRE(ulps_between(real::cos(x), std::cos(x)) <= 2);
      x = std::nextafter(x, 10);
    }
  }
}

TEST_CASE("real: the arc sine is within 4 ulp of the C library's", "[real]") {
  CHECK(worst(real::asin, libm_asin, 0, 0.01, steps) <= 2);
  CHECK(worst(real::asin, libm_asin, 0, 0.26, steps) <= 2);
  CHECK(worst(real::asin, libm_asin, 0.26, 0.5, steps) <= 4);
  CHECK(worst(real::asin, libm_asin, 0.5, 1, steps) <= 4);
  CHECK(real::asin(0) == 0);
  CHECK(real::asin(1) == std::asin(1.0));
}

TEST_CASE("real: the normal quantile agrees with 30-digit values", "[real]") {
  // Computed with mpmath at 60 digits: -sqrt(2) erfcinv(2p).
  const std::array<std::pair<double, double>, 9> known{{
      {1.1102230246251565e-16, -8.20953615160138685563076877867},
      {1e-12, -7.03448382530113193261417600448},
      {1e-06, -4.75342430882289895733886399995},
      {0.001, -3.09023230616781353535800457626},
      {0.02425, -1.97296105131188483760274814279},
      {0.075, -1.43953147093845593494980102247},
      {0.3, -0.524400512708040815969454362264},
      {0.9, 1.28155156554460059348744828852},
      {0.999, 3.09023230616781327775820233256},
  }};
  for (const auto& [p, quantile] : known) {
    INFO("p = " << p);
    CHECK(real::normal_quantile(p) == Approx(quantile).epsilon(1e-15));
  }
  CHECK(real::normal_quantile(0.5) == 0);
}

TEST_CASE("real: the normal quantile undoes the distribution function", "[real]") {
  for (int i = 1; i < 100'000; ++i) {
    const double p = i / 100'000.0;
    const double back = 0.5 * std::erfc(-real::normal_quantile(p) * std::sqrt(0.5));
    REQUIRE(std::fabs(back - p) <= 1e-15 * (1 + p / (1 - p)));
  }
}

TEST_CASE("real: the normal quantile is odd around one half, and rises", "[real]") {
  double last = real::normal_quantile(0x1p-53);
  for (int i = 1; i < 65536; ++i) {
    const double p = i / 65536.0;
    const double value = real::normal_quantile(p);
    REQUIRE(value > last);
    REQUIRE(value == -real::normal_quantile(1 - p));
    last = value;
  }
}

TEST_CASE("real: 100,000 arguments give the same bits in every build", "[real][golden]") {
  // Goal: one changed bit on any compiler, optimisation level or CPU fails here.
  // Method: hash the bits of all functions over fixed pseudo-random arguments.
  stream random(20240607);
  std::uint64_t hash = 0;
  const auto add = [&hash](double x) {
    hash = scramble(hash ^ std::bit_cast<std::uint64_t>(x)) + 0x9e3779b97f4a7c15ULL;
  };
  for (int i = 0; i < 100'000; ++i) {
    const double u = random.unit();
    add(real::log(u));
    add(real::exp((u - 0.5) * 1400));
    add(real::sin((u - 0.5) * 12.5));
    add(real::cos((u - 0.5) * 12.5));
    add(real::asin(u));
    add(real::asin(u * 0.004));
    add(real::normal_quantile(u));
  }
  CHECK(hash == 2116165624763859352ULL);
}

}  // namespace
