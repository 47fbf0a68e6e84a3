#include "match/zone_holdings.hpp"

#include "catch.hpp"
#include "listed_actions.hpp"

using namespace dibs;
using namespace dibs::match;

namespace {

constexpr zone_id here{3};
constexpr node_id manager{node_kind::lease_manager, 0};
constexpr matcher_id neighbour_of_self{1};

/// Of four matchers the first; so many of the last ones only look.
matcher_rules with_zones(std::uint32_t readers = 0) {
  matcher_rules rules{.self = matcher_id{0}};
  rules.matching.count = 4;
  rules.lease.zones = lease::zone_options{.readers = readers};
  return rules;
}

local_time clock_at(sim_duration after) { return local_time{} + after; }

}  // namespace

TEST_CASE("zone holdings: the first ride asks for its zone, and all wait until it is given") {
  const matcher_rules rules = with_zones();
  zone_holdings zones(rules);
  turn asked(clock_at(1s));
  CHECK_FALSE(zones.holds_for(asked, here, ride_id{1}, manager));
  CHECK_FALSE(zones.holds_for(asked, here, ride_id{2}, manager));
  CHECK_FALSE(zones.holds_for(asked, here, ride_id{1}, manager));
  REQUIRE(sent<messages::claim_zone>(asked.actions()).size() == 1);
  CHECK(sent<messages::claim_zone>(asked.actions())[0].to == manager);

  turn given(clock_at(2s));
  CHECK(zones.given(given, here) == std::vector{ride_id{1}, ride_id{2}});
  CHECK(timers<messages::zone_renewal_due>(given.actions())[0].wait == 30s);
  CHECK(zones.holds_for(given, here, ride_id{3}, manager));
  zones.lost(here);
  CHECK_FALSE(zones.holds(here, clock_at(2s)));
}

TEST_CASE("zone holdings: a zone is renewed up to a TTL after its last use, or under leases") {
  const matcher_rules rules = with_zones();
  const auto renews = [&](sim_duration idle, bool has_leases) {
    zone_holdings zones(rules);
    turn first(clock_at(1s));
    (void)zones.holds_for(first, here, ride_id{1}, manager);
    (void)zones.given(first, here);
    turn due(clock_at(1s + idle));
    zones.renew(due, {here, 1}, has_leases, manager);
    return sent<messages::claim_zone>(due.actions()).size() == 1;
  };
  CHECK(renews(60s - 1ns, false));
  CHECK_FALSE(renews(60s, false));
  CHECK(renews(60s, true));
}

TEST_CASE("zone holdings: one that was let go is asked for again as soon as it is used") {
  const matcher_rules rules = with_zones();
  zone_holdings zones(rules);
  turn t(clock_at(0s));
  (void)zones.given(t, here);
  turn due(clock_at(100s));
  zones.renew(due, {here, 1}, false, manager);
  CHECK(due.actions().empty());
  turn used(clock_at(101s));
  zones.use(used, here, manager);
  zones.use(used, here, manager);
  CHECK(sent<messages::claim_zone>(used.actions()).size() == 1);
}

TEST_CASE("zone holdings: a timer of an earlier grant renews nothing") {
  const matcher_rules rules = with_zones();
  zone_holdings zones(rules);
  turn t(clock_at(0s));
  (void)zones.given(t, here);
  (void)zones.given(t, here);
  turn due(clock_at(1s));
  zones.renew(due, {here, 1}, true, manager);
  CHECK(due.actions().empty());
  zones.renew(due, {here, 2}, true, manager);
  CHECK(sent<messages::claim_zone>(due.actions()).size() == 1);
}

TEST_CASE("zone holdings: rides go to who holds the zone, but not to one that only looks") {
  const matcher_rules rules = with_zones(3);
  zone_holdings zones(rules);
  turn t(clock_at(0s));
  (void)zones.holds_for(t, here, ride_id{1}, manager);
  CHECK(zones.refused(t, {here, neighbour_of_self}).empty());
  CHECK(zones.silent_about({here, 1}) == manager);  // it asks again
  CHECK(zones.refused(t, {here, matcher_id{0}}) == std::vector{ride_id{1}});
  CHECK_FALSE(zones.silent_about({here, 1}));
}

TEST_CASE("zone holdings: only the last question about a zone is waited for") {
  const matcher_rules rules = with_zones();
  zone_holdings zones(rules);
  turn t(clock_at(0s));
  (void)zones.holds_for(t, here, ride_id{1}, manager);
  zones.ask(t, here, {node_kind::lease_manager, 1});
  CHECK_FALSE(zones.silent_about({here, 1}));
  CHECK(zones.silent_about({here, 2}) == node_id{node_kind::lease_manager, 1});
}

TEST_CASE("zone holdings: a holder that judges stops by its own clock, a margin before the end") {
  for (const lease::judge who : {lease::judge::holder, lease::judge::both}) {
    matcher_rules rules = with_zones();
    rules.lease.zones->ttl = 10s;
    rules.lease.zones->margin = 2s;
    rules.lease.zones->judge = who;
    zone_holdings zones(rules);
    turn asked(clock_at(1s));
    (void)zones.holds_for(asked, here, ride_id{1}, manager);
    turn given(clock_at(4s));  // the answer took 3 s, which count
    (void)zones.given(given, here);
    CHECK(zones.holds(here, clock_at(9s - 1ns)));
    CHECK_FALSE(zones.holds(here, clock_at(9s)));
    turn late(clock_at(9s));
    CHECK_FALSE(zones.holds_for(late, here, ride_id{2}, manager));
    CHECK(sent<messages::claim_zone>(late.actions()).size() == 1);
  }
}

TEST_CASE("zone holdings: where the manager alone judges, a zone is held until it says otherwise") {
  const matcher_rules rules = with_zones();
  zone_holdings zones(rules);
  turn t(clock_at(0s));
  (void)zones.given(t, here);
  CHECK(zones.holds(here, clock_at(1h)));
  zones.lost(here);
  CHECK_FALSE(zones.holds(here, clock_at(1h)));
}

TEST_CASE("zone holdings: a holder that carries on works on, and asks again") {
  matcher_rules rules = with_zones();
  rules.lease.zones->on_loss = lease::on_loss::carry_on;
  zone_holdings zones(rules);
  turn t(clock_at(0s));
  (void)zones.given(t, here);
  zones.lost(here);
  CHECK(zones.holds(here, clock_at(1h)));
  turn refusal(clock_at(61s));
  CHECK(zones.refused(refusal, {here, neighbour_of_self}).empty());
  CHECK(zones.holds(here, clock_at(1h)));
  CHECK(timers<messages::zone_renewal_due>(refusal.actions())[0].wait == 30s);
}
