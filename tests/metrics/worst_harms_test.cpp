#include "metrics/worst_harms.hpp"

#include "catch.hpp"
#include "metrics/teller.hpp"

#include <string>

namespace {

using namespace dibs;
using namespace dibs::metrics;

TEST_CASE("worst harms: the worst few of each kind, the most instructive kinds first",
          "[metrics]") {
  worst_harms found;
  int told_of = 0;
  for (int i = 0; i < 1000; ++i) {
    found.add(harm_kind::double_offer, sim_duration{1s} * (i % 10), at(1s), ride_id{7}, {}, [&] {
      ++told_of;
      return "offer " + std::to_string(i % 10);
    });
  }
  found.add(harm_kind::double_commit, 1ms, at(5s), ride_id{3}, {4, 9}, [] {
    return std::string("commit");
  });
  const auto all = found.take();
  REQUIRE(all.size() == 4);
  CHECK(all[0].sentence == "commit");
  CHECK(all[0].ride == 4);
  CHECK(all[0].tries == std::vector<try_index>{4, 9});
  CHECK(all[1].sentence == "offer 9");
  CHECK(all[3].sentence == "offer 9");
  CHECK(told_of < 50);  // the sentences of the others are never put together
}

TEST_CASE("worst harms: lengths are told as people say them", "[metrics]") {
  CHECK(describe(1200us) == "1.2 ms");
  CHECK(describe(180ms) == "0.18 s");
  CHECK(describe(12300ms) == "12.3 s");
  CHECK(describe(245s) == "4 min 5 s");
}

TEST_CASE("worst harms: a history tells its harms in plain words", "[metrics]") {
  teller h;
  h.online(0, 0);
  h.request(0, 0);
  h.request(0, 1);
  h.grant(0, 1, 0, 0, 2);
  h.send(0, 1);
  h.show(0, 1, 18);
  h.pause(10, matcher(2));
  h.expires(15, 1);
  h.grant(15, 2, 0, 1, 1);
  h.send(15, 2);
  h.show(15, 2, 30);
  h.accept(16, 2);
  h.confirm_and_commit(16, 2);
  h.accept(17, 1);
  SECTION("a double commit") {
    h.confirm_and_commit(17, 1);
    h.promise(17, 1);
    h.revoke(17.5, 1, events::revocation::no_show);
    h.trip_ends(60, 2);
    const auto all = h.measured().notables;
    REQUIRE(all.size() == 7);
    CHECK(all[0].ride == 1);
    CHECK(all[0].sentence == "driver 1 was committed to it and to ride 2 at once, for 0.50 s");
    CHECK(all[1].sentence == "driver 1 was promised, and the promise was broken 0.50 s later");
    CHECK(all[2].sentence == "its confirm for driver 1 was taken 2.00 s after the lease had ended");
    CHECK(all[3].sentence == "driver 1 accepted it while she was bound to ride 2, for 0.50 s");
    CHECK(all[4].sentence == "driver 1 saw its offer and that of ride 1 at once, for 1.00 s");
    CHECK(all[5].sentence ==
          "waited 15.0 s with nobody free, while drivers near it were held by leases that came to "
          "nothing");
    CHECK(all[6].kind == harm_kind::hiding_lease);
  }
  SECTION("a lost accept, with its reason") {
    h.refuse(17, 1);
    const auto all = h.measured().notables;
    REQUIRE(all.size() == 4);
    CHECK(all[0].sentence ==
          "driver 1 accepted 2.00 s after its lease ended, its offer from matcher/3 still on her "
          "screen");
  }
}

TEST_CASE("worst harms: the lease that hid a driver longest is named, with what became of it") {
  teller h;
  h.online(0, 0);
  h.online(0, 1);
  h.request(0, 0);
  h.request(0, 1);
  h.grant(1, 1, 0, 0, 2);
  h.send(1, 1);
  h.show(1, 1, 12);
  h.grant(2, 2, 1, 1, 1);
  h.send(2, 2);
  h.show(2, 2, 14);
  h.tell(5, events::node_crashed{node_id{node_kind::matcher, 2}});
  h.accept(6, 2);
  h.confirm_and_commit(7, 2);
  h.expires(30, 1);
  h.trip_ends(60, 2);
  const auto all = h.measured().notables;
  REQUIRE(all.size() == 1);  // the other one became a trip
  CHECK(all[0].kind == harm_kind::hiding_lease);
  CHECK(all[0].t == teller::s(1));
  CHECK(all[0].sentence ==
        "its lease hid driver 1 from everybody else for 29.0 s, 14.0 s of that past its deadline, "
        "25.0 s of that with matcher/3 down, and came to nothing: she did not answer its offer in "
        "time");
}

TEST_CASE("worst harms: of leases of equal length one under which nobody was asked comes first") {
  teller h;
  h.online(0, 0);
  h.online(0, 1);
  h.request(0, 0);
  h.request(0, 1);
  h.grant(1, 1, 0, 0);
  h.send(1, 1);
  h.show(1, 1, 16);
  h.grant(2, 2, 1, 1);
  h.expires(16, 1);
  h.expires(17, 2);
  const auto all = h.measured().notables;
  REQUIRE(all.size() == 2);
  CHECK(all[0].ride == 2);
  CHECK(all[1].ride == 1);
}

TEST_CASE("worst harms: who is back without memory of a lease is named beside its time down") {
  teller h;
  h.online(0, 0);
  h.request(0, 0);
  h.grant(1, 1, 0, 0, 2);
  h.send(1, 1);
  h.show(1, 1, 16);
  h.crash(5, node_id{node_kind::matcher, 2});
  h.restart(6, node_id{node_kind::matcher, 2});
  h.expires(16, 1);
  const auto all = h.measured().notables;
  REQUIRE(all.size() == 1);
  CHECK(all[0].sentence ==
        "its lease hid driver 1 from everybody else for 15.0 s, 11.0 s of that with matcher/3 down "
        "or back without its memory, and came to nothing: she did not answer its offer in time");
}

TEST_CASE("worst harms: a pause that cost an accept is named", "[metrics]") {
  teller h;
  h.online(0, 0);
  h.request(0, 0);
  h.grant(0, 1, 0, 0, 2);
  h.send(0, 1);
  h.show(0, 1, 15);
  h.pause(10, matcher(2));
  h.accept(14, 1);
  h.expires(15, 1);
  const auto all = h.measured().notables;
  REQUIRE(all.size() == 2);
  CHECK(all[0].sentence ==
        "driver 1 accepted 1.00 s before its lease ended, in vain, while matcher/3 was paused");
}

TEST_CASE("worst harms: an accept for a rider who left while it was under way is not told as lost",
          "[metrics]") {
  teller h;
  h.online(0, 0);
  h.request(0, 0);
  h.grant(0, 1, 0, 0);
  h.show(0, 1, 15);
  h.accept(4, 1);
  h.abandon(4.01, 0);
  h.ends(4.06, 1, events::lease_ending::cancelled);
  const auto all = h.measured().notables;
  REQUIRE(all.size() == 1);
  CHECK(all[0].sentence ==
        "its lease hid driver 1 from everybody else for 4.06 s, and came to nothing: it was called "
        "off");
}

}  // namespace
