#include "match/lease_keeping.hpp"

#include "catch.hpp"
#include "listed_actions.hpp"

using namespace dibs;
using namespace dibs::match;

namespace {

constexpr node_id leader{node_kind::lease_manager, 1};
const local_time offered_at = local_time{} + 100s;

matcher_rules eager() {
  matcher_rules rules;
  rules.lease.ttl = 10s;
  rules.lease.renewal = {.kind = lease::renewal::eager, .timeout = 1s, .retry = 2s};
  return rules;
}

/// An offer that stays on the screen for a minute, under a lease that was asked for a second ago.
ride_search an_offer() {
  ride_search p;
  p.ride = ride_id{1};
  p.driver = driver_id{2};
  p.token = token_id{3};
  p.stage = search_stage::offered;
  p.asked_at = offered_at - 1s;
  p.renew_until = offered_at + 60s;
  return p;
}

}  // namespace

TEST_CASE("lease keeping: the wait ends with the lease, or once no answer can come") {
  const auto ends_after = [](matcher_rules rules, sim_duration left) {
    const lease_keeping lease(rules);
    ride_search p = an_offer();
    turn t(offered_at);
    lease.keep(t, p, left);
    return std::pair(p.ends - offered_at, p.outlasted);
  };
  matcher_rules rules = eager();
  CHECK(ends_after(rules, 10s) == std::pair<sim_duration, bool>(10s, false));
  CHECK(ends_after(rules, 90s) == std::pair<sim_duration, bool>(65s, true));
  rules.lease.grace = 2s;
  CHECK(ends_after(rules, 10s) == std::pair<sim_duration, bool>(12s, false));
  rules.hears_late_answers = true;
  CHECK(ends_after(rules, 90s) == std::pair<sim_duration, bool>(92s, false));
  // A lock does not end by itself, and where no lease is taken none ends.
  rules.protocol.expires = false;
  CHECK(ends_after(rules, 10s) == std::pair<sim_duration, bool>(65s, true));
  rules.protocol.expires = true;
  rules.protocol.leases = false;
  CHECK(ends_after(rules, 10s) == std::pair<sim_duration, bool>(65s, true));
}

TEST_CASE(
    "lease keeping: a lease is renewed as long as the offer stands, and at no instant twice") {
  const matcher_rules rules = eager();
  const lease_keeping lease(rules);
  ride_search p = an_offer();
  turn t(offered_at);
  lease.keep(t, p, 10s);
  const auto due = timers<messages::renew_due>(t.actions());
  REQUIRE(due.size() == 1);
  CHECK(due[0].wait == 5s);

  turn at_end(p.ends);
  lease.renew(at_end, p, due[0].what, leader);
  CHECK(at_end.actions().empty());
  turn before_end(p.ends - 1ns);
  lease.renew(before_end, p, due[0].what, leader);
  lease.renew(before_end, p, due[0].what, leader);
  REQUIRE(sent<messages::renew>(before_end.actions()).size() == 1);
  CHECK(sent<messages::renew>(before_end.actions())[0].to == leader);
}

TEST_CASE("lease keeping: a repeated renewal keeps its number, and old answers say nothing") {
  const matcher_rules rules = eager();
  lease_keeping lease(rules);
  ride_search p = an_offer();
  p.ends = offered_at + 10s;
  turn t(offered_at + 5s);
  lease.renew(t, p, {p.ride, p.token, 0, false}, leader);
  turn silent(offered_at + 6s);
  lease.unanswered(silent, p, 1);
  const auto again = timers<messages::renew_due>(silent.actions());
  REQUIRE(again.size() == 1);
  CHECK(again[0].wait == 2s);
  turn repeat(offered_at + 8s);
  lease.renew(repeat, p, again[0].what, leader);
  const auto second = sent<messages::renew>(repeat.actions());
  REQUIRE(second.size() == 1);
  CHECK(second[0].what.nth == 1);
  CHECK(second[0].what.attempt == 2);

  turn late(offered_at + 9s);
  lease.extended(late, p, 1, 10s);
  CHECK(late.actions().empty());
  lease.extended(late, p, 2, 10s);
  CHECK(p.renewals_done == 1);
  CHECK(p.trusted_until == offered_at + 8s + 10s);
  lease.unanswered(late, p, 2);
  CHECK(timers<messages::renew_due>(late.actions()).size() == 1);  // of the lease that was extended
}

TEST_CASE("lease keeping: an offer is taken back while it is on the screen, where leases renew") {
  matcher_rules rules = eager();
  const lease_keeping lease(rules);
  const ride_search p = an_offer();
  CHECK(lease.takes_offer_back(turn(p.renew_until - 1ns), p));
  CHECK_FALSE(lease.takes_offer_back(turn(p.renew_until), p));
  rules.lease.renewal.kind = lease::renewal::none;
  CHECK_FALSE(lease.takes_offer_back(turn(offered_at), p));
}
