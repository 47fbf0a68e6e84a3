#include "metrics/catalogue.hpp"

#include "catch.hpp"
#include "metrics/teller.hpp"

#include <set>
#include <string>

namespace {

using namespace dibs::metrics;

TEST_CASE("catalogue: holds every name of the contract", "[metrics]") {
  for (const char* name : {"double.offers",
                           "double.offer_s",
                           "double.accepts",
                           "double.commits",
                           "double.commit_s",
                           "double.rides",
                           "promises.broken_rate",
                           "confirms.stale_accepted",
                           "confirms.stale_refused",
                           "confirms.duplicate",
                           "accepts.lost_rate",
                           "accepts.late_rate",
                           "accepts.missed_rate",
                           "accepts.premature.latency",
                           "accepts.premature.skew",
                           "accepts.premature.early_cleanup",
                           "accepts.premature.crash",
                           "accepts.premature.pause",
                           "accepts.premature.loss",
                           "supply.hidden_share",
                           "supply.leased_share",
                           "supply.hidden_s.zombie",
                           "supply.hidden_s.overhang",
                           "supply.hidden_s.declined",
                           "supply.hidden_s.ignored",
                           "supply.hidden_s.undelivered",
                           "supply.hidden_s.lost_accept",
                           "supply.hidden_s.cancelled",
                           "supply.hidden_s.denied_by_ledger",
                           "supply.hidden_s.censored",
                           "supply.starved_share",
                           "supply.utilisation",
                           "leases.granted",
                           "leases.denied",
                           "leases.expired_rate",
                           "leases.conversion",
                           "leases.hold.mean",
                           "leases.hold.p50",
                           "leases.early_release",
                           "leases.overhang_s",
                           "leases.zombie_s",
                           "leases.phantom_s",
                           "offers.sent",
                           "offers.per_match",
                           "offers.contended_share",
                           "rides.requested",
                           "rides.match_rate",
                           "rides.abandon_rate",
                           "rides.goodput",
                           "ttm.mean",
                           "ttm.p50",
                           "ttm.p90",
                           "ttm.p95",
                           "ttm.p99",
                           "ttm.p7",
                           "ttm.p99.9",
                           "pickup.max"}) {
    CAPTURE(name);
    CHECK(find(name) != nullptr);
  }
}

TEST_CASE("catalogue: a name that it does not hold is not found", "[metrics]") {
  for (const char* name : {"",
                           "ttm",
                           "ttm.",
                           "ttm.<stat>",
                           "ttm.p",
                           "ttm.p0",
                           "ttm.p100",
                           "ttm.p9999",
                           "ttm.p5.",
                           "ttm.p.5",
                           "ttm.median",
                           "ttm.p95x",
                           "supply.hidden",
                           "double.offers.p50"}) {
    CAPTURE(name);
    CHECK(find(name) == nullptr);
  }
}

TEST_CASE("catalogue: the nearest name is what was meant", "[metrics]") {
  CHECK(nearest("supply.hiden_share") == "supply.hidden_share");
  CHECK(nearest("ttm.95") == "ttm.p95");
  CHECK(nearest("double.ofers") == "double.offers");
  CHECK(nearest("match_rate") == "rides.match_rate");
  CHECK(nearest("p95") == "ttm.p95");
  CHECK(nearest("zzz.yyy").empty());
}

TEST_CASE("catalogue: names are unique, and each has its sums in a report", "[metrics]") {
  teller of_nothing;
  of_nothing.what.costs = {.missed_accept = 1};
  const report empty = of_nothing.measured();
  std::set<std::string_view> names;
  for (const entry& e : catalogue()) {
    CAPTURE(e.name);
    CHECK(names.insert(e.name).second);
    CHECK(!e.definition.empty());
    if (e.is_family()) {
      const std::string_view histogram = e.prefix().substr(0, e.prefix().size() - 1);
      CHECK(empty.histograms.contains(histogram));
      continue;
    }
    CHECK(empty.sums.contains(e.over.empty() ? e.name : e.over));
    CHECK((e.per.empty() || empty.sums.contains(e.per)));
  }
}

TEST_CASE("catalogue: a metric of a harm says which, and one of service none", "[metrics]") {
  CHECK(harm_of("double.rides") == harm_kind::double_commit);
  CHECK(harm_of("accepts.lost.crash") == harm_kind::lost_accept);
  CHECK(harm_of("accepts.would_be") == harm_kind::lost_accept);
  CHECK(harm_of("supply.hidden_share") == harm_kind::hiding_lease);
  CHECK(harm_of("supply.starved_share") == harm_kind::starved_ride);
  CHECK_FALSE(harm_of("rides.goodput"));
  CHECK_FALSE(harm_of("ttm.p95"));
  CHECK_FALSE(harm_of("supply"));
}

TEST_CASE("catalogue: a percentile is a share", "[metrics]") {
  CHECK(percentile_of("p95").value() == Approx(0.95));
  CHECK(percentile_of("p5").value() == Approx(0.05));
  CHECK(percentile_of("p99.95").value() == Approx(0.9995));
}

}  // namespace
