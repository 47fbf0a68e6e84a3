#include "economics/calculator.hpp"

#include "base/random.hpp"
#include "catch.hpp"
#include "economics/answers_of_python.hpp"
#include "has.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace {

using namespace dibs;
using namespace dibs::economics;
using dibs::test::has;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

struct vector_of_the_document {
  std::string name;
  parameters p;
  std::int64_t lease_s = 0;
  double threshold = 0;
  double interval_s = 0;
  double cost = 0;
};

std::string raised_by(const parameters& p) {
  const auto answer = compat(p);
  REQUIRE_FALSE(answer);
  CHECK(answer.error().code == exit_code::usage);
  return answer.error().text.substr(0, answer.error().text.find(':'));
}

std::string refusal_of(const parameters& p) {
  const auto answer = corrected(p);
  REQUIRE_FALSE(answer);
  CHECK(answer.error().code == exit_code::usage);
  return answer.error().text;
}

/// Between 10^low and 10^high, evenly by magnitude.
double magnitude(stream& random, double low, double high) {
  return std::pow(10.0, low + (high - low) * random.unit());
}

TEST_CASE("calculator: compat gives the known answers", "[economics]") {
  const std::vector<vector_of_the_document> known{
      {"interior optimum beyond the range", {5, 0.05, 2, 10, 1}, 50, 0.7, 35, 0.7338888888888889},
      {"int() makes a lease shorter than the minimum",
       {5.9, 0, 50, 0.01, 100},
       5,
       0.7,
       3.5,
       3.4794222222222224},
      {"the end of the range is left out",
       {1.5, 0.1, 0.001, 50, 0.01},
       17,
       0.7,
       11.899999999999999,
       10.588235317728758},
      {"a threshold between its bounds", {10, 5, 5000, 1, 50}, 25, 0.4, 10, 868.1995555555555},
      {"the first of equals", {7.3, 0.1, 1, 0, 0}, 7, 0.7, 4.8999999999999995, 0},
  };
  for (const auto& v : known) {
    INFO(v.name);
    const auto answer = compat(v.p);
    REQUIRE(answer);
    CHECK(answer->lease_s == v.lease_s);
    CHECK(answer->renewal_threshold == Approx(v.threshold).epsilon(1e-12));
    CHECK(answer->renewal_interval_s == Approx(v.interval_s).epsilon(1e-12));
    CHECK(answer->expected_cost_per_hour == Approx(v.cost).epsilon(1e-12));
  }
  CHECK(raised_by({0.2, 0.05, 1, 1, 1}) == "ZeroDivisionError");
}

TEST_CASE("calculator: compat gives what Python computed, to the bit", "[economics]") {
  for (const answer_of_python& v : answers_of_python) {
    INFO("lease " << v.lease_s << ", " << v.name);
    const auto answer = compat(v.p);
    REQUIRE(answer);
    CHECK(answer->lease_s == v.lease_s);
    CHECK(answer->renewal_threshold == v.threshold);
    CHECK(answer->renewal_interval_s == v.interval_s);
    CHECK(answer->expected_cost_per_hour == v.cost);
  }
}

/// The document's loop as it is written, one duration after the other.
std::optional<compat_answer> by_the_loop(const parameters& p) {
  const double minimum = (p.rtt_s * 3) + p.operation_s;
  const double failures_per_second = p.failures_per_hour / 3600;
  double best_cost = infinity;
  std::optional<compat_answer> best;
  for (auto d = static_cast<std::int64_t>(minimum); d < static_cast<std::int64_t>(minimum * 10);
       ++d) {
    const double renewals = 3600 / static_cast<double>(d);
    const double false_positives = (0.001 * renewals) * p.false_positive_cost;
    const double unavailable = failures_per_second * static_cast<double>(d) * 0.5;
    const double cost = false_positives + unavailable * p.unavailability_cost;
    if (cost < best_cost) {
      best_cost = cost;
      best = compat_answer{d, 0, 0, cost};
    }
  }
  return best;
}

TEST_CASE("calculator: compat skips durations, but never the one that the loop finds") {
  stream random(20250726);
  const auto cost = [&random] {
    const double size = magnitude(random, -3, 5);
    return random.unit() < 0.1 ? 0 : (random.unit() < 0.2 ? -size : size);
  };
  for (int i = 0; i < 2000; ++i) {
    const parameters p{.operation_s = magnitude(random, 0, 3),
                       .rtt_s = magnitude(random, -3, 1),
                       .failures_per_hour = magnitude(random, -3, 6),
                       .false_positive_cost = cost(),
                       .unavailability_cost = cost()};
    INFO(p.operation_s << " " << p.rtt_s << " " << p.failures_per_hour << " "
                       << p.false_positive_cost << " " << p.unavailability_cost);
    const auto expected = by_the_loop(p);
    const auto answer = compat(p);
    REQUIRE(expected);
    REQUIRE(answer);
    REQUIRE(answer->lease_s == expected->lease_s);
    REQUIRE(answer->expected_cost_per_hour == expected->expected_cost_per_hour);
  }
}

TEST_CASE("calculator: compat finds the first of equals among billions of durations") {
  // Near the optimum the cost is the same for many durations, after rounding. Python tried those
  // within 3,000,000 s of it.
  CHECK(compat({1e8, 0, 1e-3, 1, 2.88e-10})->lease_s == 299'999'998);
  CHECK(compat({1e8, 0, 1e-3, 1, 2.88e-10})->expected_cost_per_hour == 0x1.9c511dc3a41dep-26);
  CHECK(compat({4e9, 0.5, 1e-3, 7, 2.88e-13})->lease_s == 25'099'800'311);
  CHECK(compat({1e14, 0, 1, 0, 0})->lease_s == 100'000'000'000'000);
}

TEST_CASE("calculator: compat fails as Python does") {
  CHECK(raised_by({nan, .05, 2, 10, 1}) == "ValueError");
  CHECK(raised_by({infinity, -infinity, 1, 1, 1}) == "ValueError");
  CHECK(raised_by({infinity, .05, 2, 10, 1}) == "OverflowError");
  CHECK(raised_by({-infinity, .05, 2, 10, 1}) == "OverflowError");
  CHECK(raised_by({1e308, 0, 1, 1, 1}) == "OverflowError");
  CHECK(raised_by({-1e308, 0, 1, 1, 1}) == "OverflowError");
  CHECK(raised_by({5, 1e308, 1, 1, 1}) == "OverflowError");
  for (const double operation : {0.1, 0.5, 0.999}) {
    CHECK(raised_by({operation, 0, 1, 1, 1}) == "ZeroDivisionError");
  }
  for (const double operation : {0.0, 0.05, 0.099, -0.05, -5.0, -1e300}) {
    CHECK(raised_by({operation, 0, 1, 1, 1}) == "TypeError");
  }
  CHECK(raised_by({5, .05, nan, 10, 1}) == "TypeError");
  CHECK(raised_by({5, .05, 2, nan, 1}) == "TypeError");
  CHECK(raised_by({5, .05, 2, 10, nan}) == "TypeError");
  CHECK(raised_by({5, .05, infinity, 10, 0}) == "TypeError");
  CHECK(raised_by({5, .05, 2, infinity, 1}) == "TypeError");
  CHECK(compat({5, .05, 2, -infinity, 1})->lease_s == 5);
}

TEST_CASE("calculator: compat refuses what the document's loop would never end") {
  CHECK(raised_by({1e300, 0, 1, 1, 1}) == "no answer");
  CHECK(raised_by({1e14, 0, nan, 1, 1}) == "no answer");
}

TEST_CASE("calculator: the corrected lease is sqrt(7.2 fp / (rate un)), or the minimum") {
  const auto lease = [](const parameters& p) { return corrected(p)->lease_s; };
  CHECK(lease({5, 0.05, 2, 10, 1}) == Approx(6).epsilon(1e-12));
  CHECK(lease({1.5, 0.1, 0.001, 50, 0.01}) == Approx(6000).epsilon(1e-12));
  CHECK(corrected({5.9, 0, 50, 0.01, 100})->best_lease_s == Approx(0.0037947331922).epsilon(1e-9));
  CHECK(lease({5.9, 0, 50, 0.01, 100}) == 5.9);
  CHECK(lease({10, 5, 5000, 1, 50}) == 25);
  CHECK(lease({0.2, 0.05, 1, 0, 1}) == Approx(0.35).epsilon(1e-12));
}

TEST_CASE("calculator: no lease that is long enough costs less than the corrected one") {
  stream random(7);
  for (int i = 0; i < 200; ++i) {
    const parameters p{.operation_s = magnitude(random, -3, 3),
                       .rtt_s = magnitude(random, -4, 1),
                       .failures_per_hour = magnitude(random, -3, 4),
                       .false_positive_cost = magnitude(random, -3, 4),
                       .unavailability_cost = magnitude(random, -4, 3)};
    const auto answer = corrected(p);
    REQUIRE(answer);
    const double minimum = minimum_lease(p);
    REQUIRE(answer->lease_s >= minimum);
    REQUIRE(answer->expected_cost_per_hour == cost_per_hour(p, answer->lease_s));
    const double end = 10 * answer->lease_s;
    constexpr int steps = 20'000;
    const double ratio = std::pow(end / minimum, 1.0 / steps);
    double cheapest = minimum;
    for (double d = minimum; d < end; d *= ratio) {
      REQUIRE(cost_per_hour(p, d) >= answer->expected_cost_per_hour * (1 - 1e-12));
      cheapest = cost_per_hour(p, d) < cost_per_hour(p, cheapest) ? d : cheapest;
    }
    REQUIRE(cheapest <= answer->lease_s * ratio * ratio);
    REQUIRE(cheapest >= answer->lease_s / (ratio * ratio));
  }
}

TEST_CASE("calculator: the corrected cost is in dollars an hour throughout") {
  // 6 s: 600 renewals an hour, 0.6 false positives at $10; 2 failures, 3 s each, at $1 a second.
  const auto answer = corrected({5, 0.05, 2, 10, 1});
  REQUIRE(answer);
  CHECK(answer->false_positives_per_hour == Approx(0.6).epsilon(1e-12));
  CHECK(answer->expected_cost_per_hour == Approx(12).epsilon(1e-12));
  // Renewed every 4.2 s, with 3.9 s left at a failure.
  CHECK(answer->renewal_interval_s == Approx(4.2).epsilon(1e-12));
  CHECK(answer->renewed_cost_per_hour == Approx(10 * 3.6 / 4.2 + 2 * 3.9).epsilon(1e-12));
  CHECK(cost_per_hour({5, 0.05, 2, 10, 1}, 50) == Approx(50.72).epsilon(1e-12));
}

TEST_CASE("calculator: the probability of a false positive stays within 0 and 1") {
  for (double d = 1e-6; d < 1e12; d *= 3) {
    // Nothing but the minimum decides, since false positives are free.
    const auto answer = corrected({d, 0, 1, 0, 1});
    REQUIRE(answer);
    INFO("lease " << d);
    CHECK(answer->false_positive_probability > 0);
    CHECK(answer->false_positive_probability <= 1);
    CHECK(answer->false_positive_probability <= answer->false_positives_per_hour * 1.001);
    CHECK(answer->false_positive_probability ==
          Approx(-std::expm1(3600 / d * std::log1p(-0.001))).epsilon(1e-11));
  }
}

TEST_CASE("calculator: the residual is the mean over a cycle of renewals") {
  for (const double f : {0.3, 0.5, 0.7, 1.0}) {
    constexpr int steps = 10'000;
    double sum = 0;
    for (int i = 0; i < steps; ++i) {
      sum += 20 - (i + 0.5) / steps * f * 20;
    }
    CHECK(residual(20, f) == Approx(sum / steps).epsilon(1e-12));
  }
  CHECK(residual(1, 0.7) == Approx(0.65).epsilon(1e-12));
  CHECK(corrected({10, 5, 5000, 1, 50})->residual_s == Approx(25 * 0.8).epsilon(1e-12));
}

TEST_CASE("calculator: corrected refuses what has no meaning and says what it was") {
  for (const double bad : {nan, infinity, -infinity, -1.0, -1e-300}) {
    CHECK(has(refusal_of({bad, .05, 2, 10, 1}), "the time of an operation must be"));
    CHECK(has(refusal_of({5, bad, 2, 10, 1}), "the round trip must be"));
    CHECK(has(refusal_of({5, .05, bad, 10, 1}), "the rate of failures must be"));
    CHECK(has(refusal_of({5, .05, 2, bad, 1}), "the cost of a false positive must be"));
    CHECK(has(refusal_of({5, .05, 2, 10, bad}), "the cost of unavailability must be"));
  }
  CHECK(has(refusal_of({5, -1, 2, 10, 1}), "(got -1)"));
  CHECK(has(refusal_of({5, .05, 0, 10, 1}), "no lease need ever end"));
  CHECK(has(refusal_of({5, .05, 2, 10, 0}), "no lease need ever end"));
  CHECK(has(refusal_of({0, 0, 2, 10, 1}), "the minimum lease"));
  CHECK(corrected({0, .05, 2, 0, 1}));
  CHECK(corrected({5, 0, 2, 10, 1}));
}

TEST_CASE("calculator: corrected refuses an answer beyond floating point") {
  CHECK(has(refusal_of({5, .05, 1e-200, 10, 1e-200}), "does not fit"));
  CHECK(has(refusal_of({5, .05, 2, 1e308, 1}), "does not fit"));
  CHECK(has(refusal_of({5, .05, 1e300, 10, 1e300}), "does not fit"));
  CHECK(has(refusal_of({1e-320, 0, 1, 0, 1}), "does not fit"));
  CHECK(has(refusal_of({1e308, 1e308, 1, 1, 1}), "the minimum lease"));
}

}  // namespace
