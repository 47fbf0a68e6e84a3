/// Goal: nine short histories give the figures that were worked out for them by hand.
/// Method: every figure of the list is compared, the zeros too, to 1e-9.
#include "catch.hpp"
#include "metrics/teller.hpp"

#include <map>
#include <string>

namespace {

using namespace dibs;
using namespace dibs::metrics;

/// The figures of a history; all that are not named are zero.
void check(const teller& history, const std::map<std::string, double>& expected) {
  const report measured = history.measured();
  for (const char* name : {"leases.granted",
                           "promises.made",
                           "promises.broken",
                           "supply.online_s",
                           "supply.lease_s",
                           "supply.converted_s",
                           "supply.hidden_s",
                           "supply.wait_s",
                           "supply.starved_s",
                           "leases.phantom_s",
                           "leases.zombie_s",
                           "leases.overhang_s",
                           "leases.early_release",
                           "leases.early_release_s",
                           "confirms.refused",
                           "confirms.stale_refused",
                           "confirms.stale_accepted",
                           "confirms.duplicate",
                           "accepts.lost",
                           "accepts.premature",
                           "double.offers",
                           "double.offer_s",
                           "double.accepts",
                           "double.commits",
                           "double.commit_s",
                           "double.rides"}) {
    CAPTURE(name);
    const auto found = expected.find(name);
    CHECK(figure(measured, name) ==
          Approx(found == expected.end() ? 0 : found->second).margin(1e-9).epsilon(0));
  }
}

TEST_CASE("micro-history 1: a clean commit", "[metrics]") {
  teller h;
  h.online(0, 0);
  h.request(0, 0);
  h.grant(1, 1, 0, 0);
  h.show(1, 1, 16);
  h.accept(6, 1);
  h.confirm_and_commit(6, 1);
  h.promise(6, 1);
  h.trip_ends(60, 1);
  check(h,
        {{"leases.granted", 1},
         {"promises.made", 1},
         {"supply.online_s", 100},
         {"supply.lease_s", 5},
         {"supply.converted_s", 5},
         {"supply.wait_s", 1}});
}

TEST_CASE("micro-history 2: an accept at the very deadline is late for both", "[metrics]") {
  teller h;
  h.online(0, 0);
  h.request(0, 0);
  h.grant(0, 1, 0, 0);
  h.show(0, 1, 15);
  h.expires(15, 1);
  h.accept(15, 1);
  h.refuse(15, 1);
  h.abandon(20, 0);
  check(h,
        {{"leases.granted", 1},
         {"supply.online_s", 100},
         {"supply.lease_s", 15},
         {"supply.hidden_s", 15},
         {"confirms.refused", 1},
         {"confirms.stale_refused", 1},
         {"supply.wait_s", 5}});
  CHECK(figure(h.measured(), "accepts.late") == 1);
}

TEST_CASE("micro-history 3: latency loses an accept", "[metrics]") {
  teller h;
  h.online(0, 0);
  h.request(0, 0);
  h.grant(0, 1, 0, 0);
  h.show(0.5, 1, 15.5);
  h.accept(14.8, 1);
  h.expires(15, 1);
  h.refuse(15.3, 1);
  h.abandon(20, 0);
  check(h,
        {{"leases.granted", 1},
         {"supply.online_s", 100},
         {"supply.lease_s", 15},
         {"supply.hidden_s", 15},
         {"leases.phantom_s", 0.2},
         {"accepts.lost", 1},
         {"accepts.premature", 1},
         {"confirms.refused", 1},
         {"confirms.stale_refused", 1},
         {"supply.wait_s", 5}});
  CHECK(figure(h.measured(), "accepts.premature_count.latency") == 1);
}

/// Up to the second driver's accept, whose lease had expired.
teller two_rides_one_driver() {
  teller h;
  h.online(0, 0);
  h.request(0, 0);
  h.request(0, 1);
  h.grant(0, 1, 0, 0, 0);
  h.show(0, 1, 18);
  h.expires(15, 1);
  h.grant(15, 2, 0, 1, 1);
  h.show(15, 2, 30);
  h.accept(16, 2);
  h.confirm_and_commit(16, 2);
  h.promise(16, 2);
  h.accept(17, 1);
  return h;
}

TEST_CASE("micro-history 4: a double commit without fencing", "[metrics]") {
  teller h = two_rides_one_driver();
  h.confirm_and_commit(17, 1);
  h.promise(17, 1);
  h.revoke(17.5, 1, events::revocation::no_show);
  h.trip_ends(50, 2);
  h.trip_ends(50, 1);
  check(h,
        {{"leases.granted", 2},
         {"supply.online_s", 100},
         {"supply.lease_s", 16},
         {"supply.hidden_s", 15},
         {"supply.converted_s", 1},
         {"confirms.stale_accepted", 1},
         {"double.offers", 1},
         {"double.offer_s", 1},
         {"double.accepts", 1},
         {"double.commits", 1},
         {"double.commit_s", 0.5},
         {"promises.made", 2},
         {"promises.broken", 1},
         {"supply.wait_s", 17},
         {"supply.starved_s", 15}});
}

TEST_CASE("micro-history 5: the same history with fencing", "[metrics]") {
  teller h = two_rides_one_driver();
  h.refuse(17, 1);
  h.abandon(20, 0);
  h.trip_ends(50, 2);
  check(h,
        {{"leases.granted", 2},
         {"supply.online_s", 100},
         {"supply.lease_s", 16},
         {"supply.hidden_s", 15},
         {"supply.converted_s", 1},
         {"double.offers", 1},
         {"double.offer_s", 1},
         {"confirms.refused", 1},
         {"confirms.stale_refused", 1},
         {"accepts.lost", 1},
         {"accepts.premature", 1},
         {"promises.made", 1},
         {"supply.wait_s", 20},
         {"supply.starved_s", 15}});
}

TEST_CASE("micro-history 6: a zombie and a late sweep", "[metrics]") {
  teller h;
  h.online(0, 0);
  h.request(0, 0);
  h.grant(2, 1, 0, 0);
  h.crash(5, matcher(0));
  h.expires(20, 1);
  h.restart(30, matcher(0));
  h.abandon(30, 0);
  check(h,
        {{"leases.granted", 1},
         {"supply.online_s", 100},
         {"supply.lease_s", 18},
         {"supply.hidden_s", 18},
         {"leases.zombie_s", 15},
         {"leases.overhang_s", 3},
         {"leases.phantom_s", 18},
         {"supply.wait_s", 12}});
  // Cut into slices, the overhang lies within the downtime.
  CHECK(figure(h.measured(), "supply.hidden_s.zombie") == 15);
  CHECK(figure(h.measured(), "supply.hidden_s.overhang") == 0);
  CHECK(figure(h.measured(), "supply.hidden_s.undelivered") == 3);
}

TEST_CASE("micro-history 7: a clean-up that comes too early", "[metrics]") {
  teller h;
  h.online(0, 0);
  h.request(0, 0);
  h.grant(0, 1, 0, 0);
  h.show(0, 1, 15);
  h.ends(12, 1, events::lease_ending::released);
  h.accept(13, 1);
  h.refuse(13, 1);
  h.abandon(20, 0);
  check(h,
        {{"leases.granted", 1},
         {"supply.online_s", 100},
         {"supply.lease_s", 12},
         {"supply.hidden_s", 12},
         {"leases.early_release", 1},
         {"leases.early_release_s", 3},
         {"accepts.lost", 1},
         {"accepts.premature", 1},
         {"confirms.refused", 1},
         {"confirms.stale_refused", 1},
         {"supply.wait_s", 8}});
  CHECK(figure(h.measured(), "accepts.premature_count.early_cleanup") == 1);
}

TEST_CASE("micro-history 8: trips that touch are not double, and a repeat is no commit",
          "[metrics]") {
  teller h;
  h.online(0, 0);
  h.request(0, 0);
  h.request(0, 1);
  h.grant(0, 1, 0, 0);
  h.show(0, 1, 15);
  h.accept(4, 1);
  h.confirm_and_commit(4, 1);
  h.confirm(4.2, 1, true);
  h.trip_ends(40, 1);
  h.grant(40, 2, 0, 1);
  h.show(40, 2, 55);
  h.accept(41, 2);
  h.confirm_and_commit(41, 2);
  h.trip_ends(70, 2);
  check(h,
        {{"leases.granted", 2},
         {"supply.online_s", 100},
         {"supply.lease_s", 5},
         {"supply.converted_s", 5},
         {"confirms.duplicate", 1},
         {"supply.wait_s", 40}});
}

TEST_CASE("micro-history 9: a token that goes back, two live leases, and one that ends twice",
          "[metrics]") {
  teller h;
  h.online(0, 0);
  h.grant(0, 5, 0, 0, 0);
  h.grant(1, 4, 0, 1, 1);
  h.expires(15, 5);
  h.expires(16, 4);
  h.expires(17, 4);
  check(h,
        {{"leases.granted", 2},
         {"supply.online_s", 100},
         {"supply.lease_s", 30},
         {"supply.hidden_s", 30},
         {"leases.phantom_s", 30}});
  // Each instant of the driver counts once.
  CHECK(figure(h.measured(), "supply.leased_s") == 16);
}

}  // namespace
