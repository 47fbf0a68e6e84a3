#include "sweep/comparison.hpp"

#include "has.hpp"
#include "report/comparison_text.hpp"
#include "report/verdict.hpp"
#include "sweep/small.hpp"

using namespace dibs;
using namespace dibs::sweep;
using dibs::test::has;

namespace {

results::run_record run(std::uint64_t seed, double offers, double rides = 100) {
  results::run_record r;
  r.seed = seed;
  r.measures = {{"double.offers", offers, {}, {}}, {"rides.requested", rides, {}, {}}};
  return r;
}

}  // namespace

TEST_CASE("compare: a known difference is found, and what is equal is called so") {
  const std::vector<results::run_record> a{run(1, 10), run(2, 20), run(3, 30)};
  const std::vector<results::run_record> b{run(1, 15), run(2, 26), run(3, 36)};
  const auto c = compare("old", a, "new", b);
  REQUIRE(c);
  CHECK(c->seeds == std::vector<std::uint64_t>{1, 2, 3});
  REQUIRE(c->differences.size() == 2);
  CHECK(c->differences[0].metric == "double.offers");
  CHECK(c->differences[0].change.value == Approx(17.0 / 3));
  CHECK(c->differences[0].what == results::difference_status::changed);
  CHECK(c->differences[1].what == results::difference_status::same);
  const std::string text = report::text_of(*c, {}, {.all = true});
  CHECK(has(text, "double.offers"));
  CHECK(has(text, "+5.7 +/- 1.4"));
  CHECK(has(text, "The same in every pair"));
}

TEST_CASE("compare: runs are paired by seed, whatever their order") {
  const std::vector<results::run_record> a{run(1, 10), run(2, 20), run(9, 1000)};
  const std::vector<results::run_record> b{run(2, 21), run(1, 11), run(7, 0)};
  const auto c = compare("a", a, "b", b);
  REQUIRE(c);
  CHECK(c->seeds == std::vector<std::uint64_t>{1, 2});
  CHECK(c->differences[0].change.value == 1);
}

TEST_CASE("compare: no difference seen is said as such") {
  const std::vector<results::run_record> a{run(1, 10), run(2, 20), run(3, 30)};
  const std::vector<results::run_record> b{run(1, 12), run(2, 19), run(3, 30)};
  const auto c = compare("a", a, "b", b);
  REQUIRE(c);
  CHECK(has(report::text_of(*c, {}, {.all = true}),
            "No difference seen at this size\n  double.offers"));
  CHECK(
      has(report::json_of(std::span(&*c, 1)), "\"finding\": \"no difference seen at this size\""));
}

TEST_CASE("compare: shares differ by points, whether or not there is an interval") {
  const auto hidden = [](std::uint64_t seed, double seconds) {
    results::run_record r;
    r.seed = seed;
    r.measures = {{"supply.hidden_share", seconds / 1000, seconds, 1000}};
    return r;
  };
  const std::vector<results::run_record> a{hidden(1, 10), hidden(2, 20), hidden(3, 30)};
  const std::vector<results::run_record> b{hidden(1, 15), hidden(2, 26), hidden(3, 36)};
  const auto c = compare("a", a, "b", b);
  REQUIRE(c);
  // 5, 6 and 6 of 1,000: 0.0333 is the standard error, and Student's t of 2 is 4.303.
  CHECK(has(report::text_of(*c, {}, {.all = true}), "2 %  2.57 %  +0.57 +/- 0.14 points   +28 %"));
  const std::vector<results::run_record> two{hidden(1, 15), hidden(2, 25)};
  const auto few = compare("a", std::span(a).first(2), "b", two);
  REQUIRE(few);
  CHECK(has(report::text_of(*few, {}, {.all = true}), "1.50 %  2 %  +0.500 points   +33 %"));
}

TEST_CASE("compare: what two pairs agree on has no interval, and that is said") {
  const std::vector<results::run_record> a{run(1, 10), run(2, 20)};
  const std::vector<results::run_record> b{run(1, 13), run(2, 23)};
  const auto c = compare("a", a, "b", b);
  REQUIRE(c);
  const std::string text = report::text_of(*c, {}, {.all = true});
  CHECK(has(text, "too few for an interval"));
  CHECK_FALSE(has(text, "+3 +/-"));
  CHECK(has(report::json_of(std::span(&*c, 1)), "\"half_width_95\": null"));
}

TEST_CASE("compare: sides without two seeds in common are refused") {
  const auto c =
      compare("a", std::vector{run(1, 1), run(2, 2)}, "b", std::vector{run(2, 1), run(3, 1)});
  REQUIRE_FALSE(c);
  CHECK(c.error().code == exit_code::usage);
  CHECK(has(c.error().text, "one seed in common"));
}

TEST_CASE("compare: the verdict says what is better, worse and not seen to differ") {
  const auto run_of = [](std::uint64_t seed, double doubles, double hidden, double matched) {
    results::run_record r;
    r.seed = seed;
    r.measures = {{"double.commits", doubles, {}, {}},
                  {"supply.hidden_share", hidden / 1000, hidden, 1000},
                  {"rides.match_rate", matched / 100, matched, 100},
                  {"double.offers", doubles, {}, {}}};
    return r;
  };
  const std::vector<results::run_record> a{
      run_of(1, 10, 10, 50), run_of(2, 20, 20, 60), run_of(3, 30, 30, 55)};
  const std::vector<results::run_record> b{
      run_of(1, 5, 15, 51), run_of(2, 14, 26, 60), run_of(3, 24, 36, 54)};
  const auto c = compare("a", a, "b", b);
  REQUIRE(c);
  CHECK(report::verdict_of(*c) ==
        "B is better in pairs of trips on one driver (20 to 14.3 a run); it is worse in drivers' "
        "time hidden for nothing (2 % to 2.57 %). No difference is seen in riders matched.");
  const auto back = compare("b", b, "a", a);
  CHECK(has(report::verdict_of(*back), "B is better in drivers' time hidden for nothing"));
  const auto equal = compare("a", a, "a", a);
  CHECK(has(report::verdict_of(*equal), "the same in both harms"));
  // By itself the text has the main figures alone, and says how many more there are.
  const std::string text = report::text_of(*c, {}, {});
  CHECK(has(text, "1 figure more: --all"));
  CHECK_FALSE(has(text, "double.offers"));
  const std::string one = report::text_of(*c, {}, {.metrics = {"double.offers"}});
  CHECK(has(one, "double.offers"));
  CHECK_FALSE(has(one, "supply.hidden_share"));
}
