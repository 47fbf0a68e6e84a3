// Goal: trade-offs, several fields at once, lists, second valleys and demand that was held out.
// Method: invented figures with noise that is common to all values, in place of runs.

#include "has.hpp"
#include "report/tuning_text.hpp"
#include "tune/invented.hpp"

using namespace dibs;
using namespace dibs::tune;
using namespace dibs::tune::test;
using dibs::test::has;

TEST_CASE("tune: the trade-off is weighed on seeds that all of it was run on") {
  figures w{valley};
  w.missed = [](const numbers& x) { return 1 + 12 / x[0]; };
  w.hidden = [](const numbers& x) { return x[0]; };
  const tuning t = search(w, {}).result;
  REQUIRE(t.exchanges.size() == t.rows.size());
  CHECK(t.exchanges[0].from == 0);
  for (std::size_t i = 1; i < t.exchanges.size(); ++i) {
    const trade_off_point& e = t.exchanges[i];
    CHECK(t.rows[e.row].on_front);
    CHECK(t.rows[e.row].seeds >= t.exchange_seeds);
    CHECK(t.rows[e.row].seeds > 20);  // the ends are clearly worse after the first look
    const double at = value_of(t.rows[e.row].values[0]);
    const double before = value_of(t.rows[t.exchanges[i - 1].row].values[0]);
    const double weight = at * before / 12;
    CHECK(e.from == Approx(weight).epsilon(0.05));
    CHECK(e.from_within.low <= e.from);
    CHECK(e.from_within.high >= e.from);
    CHECK(t.exchanges[i - 1].to == e.from);
  }
  CHECK(t.of_grid.size() == 1);
  CHECK(has(whole_text_of(t), "lease.ttl = " + t.of_grid[0] + " was chosen among 10 by"));
}

TEST_CASE("tune: a budget that is spent on the best leaves some for the trade-off") {
  figures w{valley};
  w.noise = 3;
  w.missed = [](const numbers& x) { return 1 + 12 / x[0]; };
  w.hidden = [](const numbers& x) { return x[0]; };
  asked a;
  a.how.runs = 2000;
  a.how.precision = 0.001;
  const tuning t = search(w, a).result;
  CHECK(t.answer == tuning_status::inconclusive);
  CHECK(t.rows[t.best_row].seeds > 40);
  CHECK(t.exchange_seeds > 25);
}

TEST_CASE("tune: two fields that lean on each other, one of them in whole numbers") {
  asked a;
  a.search = {"lease.ttl=3s..60s", "matchers.count=2..9"};
  const found f = search({[](const numbers& x) {
                           const double u = std::log(x[0] / 12);
                           const double v = std::log(x[1] / 4);
                           return 10 + 4 * u * u + 3 * v * v + 2 * u * v;
                         }},
                         a);
  CHECK(f.result.answer == tuning_status::found);
  CHECK(value_of(f.result.best[0]) == Approx(12).epsilon(0.3));
  CHECK(f.result.best[1] == "4");
  CHECK(f.result.range_ends.size() == 4);
}

TEST_CASE("tune: a kink, where no cubic has its least value, is not passed by") {
  const auto kinked = [](const numbers& x) {
    return 14 + x[0] + (x[0] < 5 ? 5 * (5 - x[0]) : 0.0);
  };
  for (const std::uint64_t seed : {1U, 2U, 3U, 4U, 5U, 6U, 7U, 8U, 9U, 10U}) {
    const tuning t = search({kinked}, {}, seed).result;
    CAPTURE(seed, t.best[0]);
    CHECK(kinked({value_of(t.best[0])}) <= 19 * 1.01);
    if (t.interval[0]) {
      CHECK(value_of((*t.interval[0])[0]) <= 5);
      CHECK(value_of((*t.interval[0])[1]) >= 5);
    }
  }
}

TEST_CASE("tune: a field without effect keeps none from its answer") {
  asked a;
  a.search = {"lease.ttl=3s..60s", "matchers.count=2..5"};
  const tuning t = search({valley}, a).result;
  CHECK(t.answer == tuning_status::found);
  CHECK(valley({value_of(t.best[0])}) <= 10.1);
  const std::string text = report::text_of(t, {}, {});
  CHECK(has(text, "matchers.count makes no difference of more than 1 % there"));
  CHECK_FALSE(has(text, "lease.ttl makes no difference"));
}

TEST_CASE("tune: a list is chosen from as it is") {
  asked a;
  a.search = {"matchers.count=2,4,8"};
  const found f = search({[](const numbers& x) { return 10 + std::abs(x[0] - 4); }}, a);
  CHECK(f.result.answer == tuning_status::found);
  CHECK(f.result.best[0] == "4");
  CHECK_FALSE(f.result.interval[0]);
}

TEST_CASE("tune: what is as good among several fields, or in a list, is named") {
  asked a;
  a.search = {"matchers.count=2,4,5,8"};
  const found f =
      search({[](const numbers& x) { return x[0] == 5 ? 10.01 : 10 + std::abs(x[0] - 4); }}, a);
  CHECK(f.result.best[0] == "4");
  REQUIRE(f.result.near_optimal.size() == 1);
  CHECK(f.result.near_optimal[0][0] == "5");
  CHECK(has(report::text_of(f.result, {}, {}), "near-optimal matchers.count = 5: at most "));
  a.search = {"lease.ttl=9s,12s", "matchers.count=2,4"};
  const found two = search({[](const numbers& x) { return 10 + 0.001 * x[0] + x[1]; }}, a);
  REQUIRE(two.result.near_optimal.size() == 1);
  CHECK(has(report::text_of(two.result, {}, {}),
            "near-optimal lease.ttl = 12s, matchers.count = 2: at most "));
}

TEST_CASE("tune: of protocols that cost the same the one that promises more is chosen") {
  asked a;
  figures w{[](const numbers&) { return 10.0; }};
  w.noise = 0;
  for (const char* list : {"none,lease,fenced,hold", "fenced,lease", "lease,hold,fenced,none"}) {
    a.search = {std::string("lease.protocol=") + list};
    CHECK(search(w, a).result.best[0] == "fenced");
  }
}

TEST_CASE("tune: a second valley of the grid is told, a slope and noise are not") {
  asked a;
  const auto two_valleys = [](const numbers& x) {
    const double u = std::log(x[0] / 8);
    const double v = std::log(x[0] / 45);
    return 10 + std::min(3 * u * u, 0.2 + 3 * v * v);
  };
  const tuning t = search({two_valleys}, a).result;
  CHECK(value_of(t.best[0]) == Approx(8).epsilon(0.1));
  CHECK(has(report::text_of(t, {}, {}), "lies in a valley of its own"));
  // A bump far above the best hides nothing.
  const auto bump = [](const numbers& x) { return valley(x) + (x[0] > 3 && x[0] < 4.5 ? 5 : 0); };
  CHECK_FALSE(has(report::text_of(search({bump}, a).result, {}, {}), "a valley of its own"));
  for (const std::uint64_t seed : {1U, 2U, 3U, 4U, 5U, 6U}) {
    for (const auto& cost : {valley, lopsided}) {
      CHECK_FALSE(
          has(report::text_of(search({cost}, a, seed).result, {}, {}), "a valley of its own"));
    }
  }
}

TEST_CASE("tune: what is better on demand that was held out is called so") {
  asked a;
  a.elsewhere = figures{[](const numbers& x) {
    const double u = std::log(x[0] / 24);
    return 10 + 2.5 * u * u;
  }};
  const found f = search({valley}, a);
  CHECK(value_of(f.result.best[0]) == Approx(12).epsilon(0.1));
  const auto standing_at = [&](const std::string& value) {
    for (const row& r : f.held_out.rows) {
      if (r.values[0] == value) {
        return r.status;
      }
    }
    FAIL(value << " is no row");
    return row_status::open;
  };
  CHECK(standing_at(f.result.best[0]) == row_status::best);
  CHECK(standing_at("22.1s") == row_status::better);
  CHECK(standing_at("3s") == row_status::worse);
}

TEST_CASE("tune: a time to match that is the least since fewer are matched is told of") {
  const asked a;
  figures w{valley};
  CHECK(has(a.objective, "ttm."));
  CHECK_FALSE(has(report::text_of(search(w, a).result, {}, {}), "counts matched rides alone"));
  w.matched = [](const numbers& x) { return 0.5 + 0.4 * std::min(1.0, x[0] / 30); };
  CHECK(has(report::text_of(search(w, a).result, {}, {}), "ttm.mean counts matched rides alone"));
}

TEST_CASE("tune: more precision takes more fresh seeds") {
  asked a;
  a.how.precision = 0.005;
  const found f = search({valley}, a);
  const row& r = f.result.rows[f.result.best_row];
  CHECK(f.result.answer == tuning_status::found);
  CHECK(r.objective->half_width() <= 0.005 * r.objective->value);
  CHECK(r.seeds > 20);
}
