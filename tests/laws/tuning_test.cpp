// Goal: `tune` finds the optima that can be computed, and says where there are none.
// Method: whole searches on scenarios whose best TTL is known, with fixed seeds; an answer counts
// by what it costs more than the best (1 % at most), never by its distance, for optima are flat.

#include "catch.hpp"
#include "study/interval.hpp"
#include "study/tune.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <functional>

using namespace dibs;
using namespace dibs::study;

namespace {

struct law {
  std::string file;
  std::string objective;
  std::vector<scenario::override_value> overrides{};
  std::vector<std::string> where{};
};

runner_options two_at_a_time(std::size_t) {
  runner_options options;
  options.jobs = 2;
  return options;
}

tuning search(const law& l, std::uint64_t seed) {
  space_request r;
  r.file = std::string(DIBS_SOURCE_DIR) + "/tests/laws/" + l.file + ".yaml";
  r.search = {"lease.ttl=3s..60s"};
  r.overrides = l.overrides;
  r.where = l.where;
  r.seed = seed;
  auto where = space::make(r);
  REQUIRE(where);
  const auto what = goal::make({.objective = l.objective, .constraints = {}}, {});
  REQUIRE(what);
  tuning_options how;
  how.runs = 20'000;
  stock kept;
  lab runs(
      seed, {.runs = how.runs}, experiment_in(*where, kept, what->index.names(), two_at_a_time));
  auto found = tune(*where, *what, how, runs, [](const std::string&) {});
  INFO((found ? "" : found.error().text));
  REQUIRE(found);
  return std::move(*found);
}

const law restart{"restart", "ttm.mean"};
const law one_offer{"one_offer", "(30s * accepts.missed + supply.lease_s) / offers.sent"};

/// Time to match with fresh drivers at every try: (c + qT + (1-q) m F) / ((1-q) F), F = 1-e^(-T/m).
double restart_cost(double t) {
  const double answered = 1 - std::exp(-t / 6);
  return (5 + 0.2 * t + 0.8 * 6 * answered) / (0.8 * answered);
}

/// 30 s for each accept that comes too late, and the seconds held: 30 (1-q) e^(-T/m) + qT + (1-q) m
/// F.
double one_offer_cost(double t) {
  const double late = std::exp(-t / 6);
  return 30 * 0.8 * late + 0.2 * t + 0.8 * 6 * (1 - late);
}

constexpr double restart_least = 16.696706;
constexpr double one_offer_least = 9.327106;

/// How many of so many searches end within 1 % of the least cost.
int hits(const law& l, const std::function<double(double)>& cost, double least, int seeds) {
  int found = 0;
  for (int s = 1; s <= seeds; ++s) {
    const tuning t = search(l, 1000U + static_cast<std::uint64_t>(s));
    const double best = std::strtod(t.best[0].c_str(), nullptr);
    const double regret = cost(best) / least - 1;
    fmt::print("{} seed {}: {} {}, regret {:.2f} %, {} runs\n",
               l.file,
               1000 + s,
               t.answer == answer::found ? "best" : "no answer, tried",
               t.best[0],
               100 * regret,
               t.spent.all());
    found += t.answer == answer::found && regret <= 0.01 ? 1 : 0;
  }
  return found;
}

/// How many of so many searches say that there is no best value inside.
int refusals(const law& l, int seeds) {
  int said = 0;
  for (int s = 1; s <= seeds; ++s) {
    const tuning t = search(l, 2000U + static_cast<std::uint64_t>(s));
    fmt::print("{} seed {}: {} ({}), {} runs\n",
               l.file,
               2000 + s,
               t.answer == answer::boundary ? "boundary"
               : t.answer == answer::flat   ? "flat"
                                            : "WRONG",
               t.why,
               t.spent.all());
    said += t.answer == answer::boundary || t.answer == answer::flat ? 1 : 0;
  }
  return said;
}

/// Nobody ignores, and the longer she has had the offer the likelier she answers now.
law without_optimum() {
  law l = restart;
  l.overrides = {{"drivers.classes.all.response", "{dist: uniform, min: 1s, max: 12s}"},
                 {"drivers.classes.all.accept", "1"},
                 {"drivers.classes.all.ignore", "0"}};
  return l;
}

/// Nobody ignores, tries cost nothing and answers have no memory: every TTL is as good.
law flat() {
  law l = restart;
  l.overrides = {{"drivers.classes.all.accept", "1"},
                 {"drivers.classes.all.ignore", "0"},
                 {"matchers.overhead", "0s"}};
  return l;
}

}  // namespace

TEST_CASE("tuning laws: the formulas have their least values where they should") {
  CHECK(restart_cost(11.786824) == Approx(restart_least).epsilon(1e-7));
  CHECK(one_offer_cost(6 * std::log(16.0)) == Approx(one_offer_least).epsilon(1e-6));
}

TEST_CASE("tuning laws: the optimum of the restart law, and the objective's value there") {
  const tuning t = search(restart, 1);
  CHECK(t.answer == answer::found);
  const double best = std::strtod(t.best[0].c_str(), nullptr);
  CHECK(restart_cost(best) <= 1.01 * restart_least);
  const row& r = t.rows[t.best_row];
  CHECK(std::abs(r.objective->value - restart_cost(best)) <= 2 * r.objective->half_width);
}

TEST_CASE("tuning laws: an optimum that a condition cuts off is no best value") {
  law cut = restart;
  cut.where = {"lease.ttl <= 10s"};
  const tuning t = search(cut, 1);
  INFO(t.why);
  CHECK(t.answer == answer::boundary);
  CHECK_FALSE(t.interval[0].has_value());
}

/// How many times less the difference of two TTLs varies on common seeds, on so many of them.
double reduction(const law& l, const std::string& low, const std::string& high, std::size_t seeds) {
  space_request r;
  r.file = std::string(DIBS_SOURCE_DIR) + "/tests/laws/" + l.file + ".yaml";
  r.search = {"lease.ttl=" + low + "," + high};
  auto where = space::make(r);
  REQUIRE(where);
  const auto what = goal::make({.objective = l.objective, .constraints = {}}, {});
  REQUIRE(what);
  stock kept;
  lab runs(1, {}, experiment_in(*where, kept, what->index.names(), two_at_a_time));
  REQUIRE(runs.extend(std::vector<std::uint32_t>{1, 2}, block::fresh, seeds, 0));
  const auto a = what->costs(runs.of(1, block::fresh), seeds);
  const auto b = what->costs(runs.of(2, block::fresh), seeds);
  std::vector<double> difference;
  for (std::size_t i = 0; i < seeds; ++i) {
    difference.push_back(b[i] - a[i]);
  }
  const double times = (variance_of(a) + variance_of(b)) / variance_of(difference);
  fmt::print(
      "{}, {} and {}: {:.1f} times less variance on common seeds\n", l.file, low, high, times);
  return times;
}

TEST_CASE("tuning laws: common seeds make differences between neighbours at least 5 times surer") {
  for (const auto& [low, high] : {std::pair("8s", "10s"),
                                  std::pair("10s", "12s"),
                                  std::pair("12s", "15s"),
                                  std::pair("15s", "20s")}) {
    CHECK(reduction(restart, low, high, 60) >= 5);
  }
}

// By arithmetic 7.1, 8.3, 7.0 and 6.2 times; of a variance ratio so many seeds tell a tenth. The
// farther the two are apart, the more offers end well in one and badly in the other: 15 s and 22.5
// s would give 4.6.
TEST_CASE("tuning laws: common seeds help as much where each ride has one offer") {
  for (const auto& [low, high] : {std::pair("8s", "10s"),
                                  std::pair("10s", "12s"),
                                  std::pair("12s", "15s"),
                                  std::pair("15s", "20s")}) {
    CHECK(reduction(one_offer, low, high, 300) >= 5);
  }
}

TEST_CASE("tuning laws: some searches of each law") {
  CHECK(hits(restart, restart_cost, restart_least, 2) == 2);
  CHECK(hits(one_offer, one_offer_cost, one_offer_least, 2) == 2);
  CHECK(refusals(without_optimum(), 2) == 2);
  CHECK(refusals(flat(), 1) == 1);
}

TEST_CASE("long tuning laws: 58 of 60 searches end within 1 % of the restart law's least",
          "[.long]") {
  CHECK(hits(restart, restart_cost, restart_least, 60) >= 58);
}

TEST_CASE("long tuning laws: 58 of 60 searches end within 1 % of the linear cost's least",
          "[.long]") {
  CHECK(hits(one_offer, one_offer_cost, one_offer_least, 60) >= 58);
}

TEST_CASE("long tuning laws: no number is invented where there is no optimum, 20 of 20",
          "[.long]") {
  CHECK(refusals(without_optimum(), 20) == 20);
  CHECK(refusals(flat(), 20) == 20);
}
