#include "catch.hpp"
#include "events/jsonl.hpp"
#include "metrics/random_history.hpp"
#include "metrics/teller.hpp"

#include <sstream>

namespace {

using namespace dibs;
using namespace dibs::metrics;

void check_same(const report& a, const report& b) {
  CHECK(a.sums == b.sums);
  CHECK(a.values() == b.values());
  REQUIRE(a.notables.size() == b.notables.size());
  for (std::size_t i = 0; i < a.notables.size(); ++i) {
    CHECK(a.notables[i].sentence == b.notables[i].sentence);
  }
  REQUIRE(a.series.size() == b.series.size());
  for (std::size_t i = 0; i < a.series.size(); ++i) {
    CHECK(a.series[i].waiting == b.series[i].waiting);
    CHECK(a.series[i].double_commits == b.series[i].double_commits);
  }
}

TEST_CASE("report: recomputed from events.jsonl it agrees to the last digit", "[metrics]") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    teller h = random_history({.seed = seed, .is_sane = seed % 2 == 0}).told();
    h.what.search_radius_m = 4000;
    std::string text = events::jsonl_header();
    for (const events::event& e : h.history) {
      append_jsonl(text, e);
    }
    std::istringstream file(text);
    const auto read = events::read_jsonl(file);
    REQUIRE(read.has_value());
    check_same(h.measured(), recompute(*read, h.what, h.end));
  }
}

TEST_CASE("report: batches make no difference", "[metrics]") {
  const teller h = random_history({.seed = 5}).told();
  collector piecemeal(h.what);
  for (const events::event& e : h.history) {
    piecemeal.observe(std::span(&e, 1));
  }
  check_same(h.measured(), piecemeal.finish(h.end));
}

TEST_CASE("report: merged ones give ratios of sums, not means of ratios", "[metrics]") {
  teller busy;
  busy.online(0, 0);
  for (std::uint32_t r = 0; r < 3; ++r) {
    busy.request(10, r);
  }
  busy.grant(10, 1, 0, 0);
  busy.confirm_and_commit(12, 1);
  teller idle;
  idle.what.measured_until = at(50s);
  idle.end = at(50s);
  idle.online(0, 0);
  idle.request(20, 0);
  idle.grant(20, 1, 0, 0);
  idle.confirm_and_commit(24, 1);
  const report a = busy.measured();
  const report b = idle.measured();
  for (const report& both : {merge(a, b), merge(b, a)}) {
    CHECK(both.value("rides.match_rate") == 0.5);  // not (1/3 + 1) / 2
    CHECK(both.value("rides.goodput") == Approx(2 / 150.0 * 3600));
    CHECK(both.value("supply.utilisation") == Approx((88 + 26) / 150.0));
    CHECK(both.value("ttm.mean") == Approx(3));
    CHECK(both.value("ttm.max") == Approx(4));
    CHECK(both.value("leases.hold.p50") == Approx(2));
    CHECK(both.value("double.commits_bound") == 1.0);
  }
}

TEST_CASE("report: what is undefined or unknown has no value", "[metrics]") {
  const report nothing = teller{}.measured();
  CHECK(!nothing.value("supply.hidden_share").has_value());  // 0 / 0
  CHECK(!nothing.value("ttm.p50").has_value());
  CHECK(!nothing.value("ttm").has_value());
  CHECK(!nothing.value("accepts.premature_count.loss").has_value());  // a sum, not a metric
  CHECK(nothing.value("rides.requested") == 0.0);
}

TEST_CASE("report: rides count by their request, and are followed to the end", "[metrics]") {
  teller h;
  h.what.measured_from = at(10s);
  h.what.measured_until = at(20s);
  h.online(0, 0);
  h.online(0, 1);
  h.request(9, 0);   // before
  h.request(10, 1);  // in
  h.request(19, 2);  // in
  h.grant(19, 1, 0, 1);
  h.send(19, 1);
  h.request(20, 3);  // after
  h.grant(21, 2, 1, 2);
  h.send(21, 2);
  h.confirm_and_commit(22, 1);
  h.confirm_and_commit(25, 2);
  h.pick_up(31, 1);
  h.cancel(40, 2);
  h.abandon(41, 3);
  const report r = h.measured();
  CHECK(figure(r, "rides.requested") == 2);
  CHECK(r.value("rides.match_rate") == 1);
  CHECK(r.value("ttm.mean") == Approx((12 + 6) / 2.0));
  CHECK(r.value("pickup.mean") == Approx(9));
  CHECK(r.value("offers.per_match") == 1);
  CHECK(figure(r, "offers.sent") == 1);  // events count by their own instant
  CHECK(figure(r, "rides.cancelled") == 1);
  CHECK(figure(r, "rides.abandoned") == 0);
  CHECK(figure(r, "rides.committed") == 0);
}

TEST_CASE("report: costs are the harms at their prices, over the rides asked for", "[metrics]") {
  teller h;
  h.online(0, 0);
  h.request(0, 0);
  h.request(0, 1);
  h.grant(1, 1, 0, 0);  // hidden for 15 s, in which both rides find nobody
  h.send(1, 1);
  h.show(1, 1, 16);
  h.accept(9, 1);  // in vain
  h.expires(16, 1);
  h.online(17, 1);
  h.offer(20, 2, 1, 0);  // one driver on two trips
  h.offer(20, 3, 1, 1);
  h.confirm_and_commit(21, 2);
  h.confirm_and_commit(22, 3);
  CHECK_FALSE(h.measured().value("costs.per_ride"));
  h.what.costs = {.hidden_driver_s = 2};
  CHECK(h.measured().value("supply.hidden_s") == 15);
  CHECK(h.measured().value("costs.per_ride") == Approx(15 * 2 / 2.0));
  h.what.costs = {.double_assignment = 100};
  CHECK(h.measured().value("costs.per_ride") == Approx(100 / 2.0));
  const report both = merge(h.measured(), h.measured());
  CHECK(both.value("costs.per_ride") == Approx(100 / 2.0));
  for (const auto& [prices_of_one, metric] :
       {std::pair(prices{.missed_accept = 3}, "accepts.missed"),
        {prices{.starved_rider_s = 3}, "supply.starved_s"}}) {
    h.what.costs = prices_of_one;
    CHECK(h.measured().value(metric).value_or(0) > 0);
    CHECK(h.measured().value("costs.per_ride") == Approx(3 * *h.measured().value(metric) / 2));
  }
}

TEST_CASE("report: a driver for a rider who has left is no match", "[metrics]") {
  for (const bool has_left : {false, true}) {
    teller h;
    h.online(0, 0);
    h.request(0, 0);
    h.grant(1, 1, 0, 0);
    if (has_left) {
      h.abandon(5, 0);
    }
    h.confirm_and_commit(5, 1);
    h.revoke(6, 1, events::revocation::rider_cancelled);
    CHECK(h.measured().value("rides.match_rate") == (has_left ? 0 : 1));
    CHECK(figure(h.measured(), "rides.committed") == 1);
    CHECK(h.measured().histograms.at("ttm").count() == (has_left ? 0 : 1));
  }
}

TEST_CASE("report: goodput leaves out what was called off", "[metrics]") {
  teller h;
  h.online(0, 0);
  h.online(0, 1);
  h.request(0, 0);
  h.request(0, 1);
  h.grant(1, 1, 0, 0);
  h.confirm_and_commit(2, 1);
  h.grant(1 + 2, 2, 1, 1);
  h.confirm_and_commit(4, 2);
  h.revoke(50, 2, events::revocation::rider_cancelled);
  CHECK(h.measured().value("rides.goodput") == Approx(36));
  CHECK(figure(h.measured(), "rides.committed") == 2);
}

TEST_CASE("report: a row of the series is the state just before its instant", "[metrics]") {
  teller h;
  h.what.series_step = 10s;
  h.end = at(65s);
  h.online(0, 0);
  h.online(0, 1);
  h.request(5, 0);
  h.request(5, 1);
  h.grant(10, 1, 0, 0);
  h.grant(20, 2, 0, 1);
  h.commit(31, 1);
  h.commit(32, 2);
  h.trip_ends(45, 1);
  h.trip_ends(60, 2);
  const auto series = h.measured().series;
  REQUIRE(series.size() == 6);
  CHECK(series[0].t == at(10s));
  CHECK(series[0].available == 2);
  CHECK(series[0].waiting == 2);
  CHECK(series[1].leased == 1);
  CHECK(series[1].waiting == 1);
  CHECK(series[2].waiting == 0);
  CHECK(series[2].committed == 0);
  CHECK(series[3].on_trip == 1);
  CHECK(series[3].committed == 2);
  CHECK(series[3].double_commits == 1);
  CHECK(series[2].double_commits == 0);
  CHECK(series[5].on_trip == 1);
  CHECK(series[5].online == 2);
  CHECK(series[5].requested == 2);
}

}  // namespace
