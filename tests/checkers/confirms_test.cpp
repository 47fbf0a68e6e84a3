#include "catch.hpp"
#include "checkers/observed_state.hpp"
#include "history.hpp"

using namespace dibs;
using namespace dibs::checkers::test;
using events::confirm_refusal;
using events::lease_ending;

namespace {

history granted() {
  history h;
  return h.at(0s).online(3).grant(5, 3, 10);
}

history driven(history h) { return h.commit(5).at(50s).trip_end(5); }

}  // namespace

TEST_CASE("confirms: up to the last nanosecond a confirm is in time", "[checkers]") {
  CHECK(broken_in(driven(granted().at(15s - 1ns).confirm(5))) == nothing);
}

TEST_CASE("confirms: a confirm at the deadline is late: S3", "[checkers]") {
  const history h = driven(granted().at(15s).confirm(5));
  CHECK(broken_in(h) == codes{"S3"});
  CHECK(words_of(h) ==
        "a confirm of token 5 of driver 4 for ride 11 was taken, but the token had expired");
}

TEST_CASE("confirms: grace moves the deadline of a confirm and no more", "[checkers]") {
  auto patient = fenced();
  patient.grace = 2s;
  CHECK(broken_in(driven(granted().at(17s - 1ns).confirm(5)), patient) == nothing);
  CHECK(broken_in(driven(granted().at(17s).confirm(5)), patient) == codes{"S3"});
  CHECK(broken_in(granted().at(17s - 1ns).refuse(5).at(17s).expire(5), patient) == codes{"S3"});
  CHECK(broken_in(granted().at(17s).refuse(5).expire(5), patient) == nothing);
}

TEST_CASE("confirms: a grace below 0 brings the deadline forward, but for a lease without end",
          "[checkers]") {
  auto hasty = fenced();
  hasty.grace = -2s;
  CHECK(broken_in(driven(granted().at(13s - 1ns).confirm(5)), hasty) == nothing);
  CHECK(broken_in(driven(granted().at(13s).confirm(5)), hasty) == codes{"S3"});
}

TEST_CASE("confirms: the manager's own clock judges", "[checkers]") {
  history h;
  h.manager_clock(-3s).at(5s).grant(5, 3, 10);
  CHECK(broken_in(driven(history(h).at(20s - 1ns).confirm(5))) == nothing);
  CHECK(broken_in(driven(history(h).at(20s).confirm(5))) == codes{"S3"});
}

TEST_CASE("confirms: a lease without end can be confirmed at any time", "[checkers]") {
  history h;
  h.manager_clock(-3s).at(0s).grant(5, 3, 10, forever).at(40s).confirm(5);
  CHECK(broken_in(driven(h)) == nothing);
}

TEST_CASE("confirms: a token that is not current or not known is refused", "[checkers]") {
  history h = granted();
  h.at(15s).expire(5).grant(6, 3, 11);
  CHECK(broken_in(history(h).at(16s).refuse(5, confirm_refusal::other_token).at(17s).end(6)) ==
        nothing);
  CHECK(broken_in(history(h).at(16s).confirm(5).at(17s).end(6)) == codes{"S3", "S10"});
  history unknown;
  unknown.at(0s).add(events::confirm_accepted{token_id{9}, driver_id{3}, ride_id{10}, false});
  CHECK(broken_in(unknown) == codes{"S3"});
}

TEST_CASE("confirms: a lease that was granted over, or is a trip already, is not current",
          "[checkers]") {
  history h = granted();
  h.at(1s).grant(6, 3, 11).at(2s).confirm(5);
  CHECK(broken_in(h).contains("S3"));
  auto holder_judges = fenced();
  holder_judges.confirms = false;
  history trip = granted();
  trip.at(1s).commit(5).at(2s).confirm(5).at(50s).trip_end(5);
  CHECK(broken_in(trip, holder_judges) == codes{"S3"});
}

TEST_CASE("confirms: a lease for one ride does not confirm another", "[checkers]") {
  CHECK(broken_in(driven(granted().at(1s).confirm(5, 11))) == codes{"S3"});
}

TEST_CASE("confirms: to refuse a live lease in time is wrong, whatever the reason given",
          "[checkers]") {
  for (const auto why : {confirm_refusal::no_lease,
                         confirm_refusal::other_token,
                         confirm_refusal::expired,
                         confirm_refusal::on_trip,
                         confirm_refusal::ride_taken}) {
    CHECK(broken_in(granted().at(15s - 1ns).refuse(5, why).at(15s).expire(5)) == codes{"S3"});
  }
  CHECK(broken_in(granted().at(15s).refuse(5, confirm_refusal::expired).expire(5)) == nothing);
}

TEST_CASE("confirms: a ride that had a driver may be refused as taken", "[checkers]") {
  history h = granted();
  h.at(1s).grant(6, 4, 10).confirm(6).commit(6).at(2s);
  CHECK(broken_in(history(h).refuse(5, confirm_refusal::ride_taken).end(5)) == nothing);
  CHECK(broken_in(history(h).refuse(5, confirm_refusal::no_lease).end(5)) == codes{"S3"});
  CHECK(broken_in(h.revoke(6).refuse(5, confirm_refusal::ride_taken).end(5)) == nothing);
}

TEST_CASE("confirms: a driver on an earlier holder's trip may be refused as on trip",
          "[checkers]") {
  history h;
  h.at(0s).grant(4, 3, 9).confirm(4).at(30s).end(4, lease_ending::unwritten);
  h.at(31s).grant(5, 3, 10).at(32s).commit(4).at(33s);
  CHECK(broken_in(history(h).refuse(5, confirm_refusal::on_trip).end(5).trip_end(4)) == nothing);
  CHECK(broken_in(history(h).trip_end(4).refuse(5, confirm_refusal::on_trip).end(5)) == nothing);
  CHECK(broken_in(history(h).refuse(5, confirm_refusal::no_lease).end(5)) == codes{"S3"});
  history touching;
  touching.at(0s).grant(4, 3, 9).confirm(4).at(30s).end(4, lease_ending::unwritten);
  touching.at(31s).commit(4).at(32s).trip_end(4).grant(5, 3, 10).at(33s);
  CHECK(broken_in(touching.refuse(5, confirm_refusal::on_trip).end(5)) == nothing);
}

TEST_CASE("confirms: a trip from before the grant is no reason to refuse", "[checkers]") {
  history h;
  h.at(0s).drive(4, 3, 9, 10s).at(10s + 1ns).grant(5, 3, 10).at(12s);
  CHECK(broken_in(h.refuse(5, confirm_refusal::on_trip).end(5)) == codes{"S3"});
}

TEST_CASE("confirms: a repeated answer needs a first one for the same token", "[checkers]") {
  CHECK(broken_in(driven(granted().at(1s).confirm(5).at(2s).confirm_again(5))) == nothing);
  CHECK(broken_in(granted().at(1s).confirm_again(5).end(5)) == codes{"S3"});
  // A cache keyed by the driver remembers the answer to token 5.
  history h = driven(granted().at(1s).confirm(5));
  CHECK(broken_in(h.at(51s).grant(6, 3, 11).confirm_again(6).end(6)) == codes{"S3"});
}

TEST_CASE("confirms: a fence takes no token after a newer one, an open ledger does", "[checkers]") {
  history h = granted();
  h.at(1s).confirm(5).at(31s).end(5, lease_ending::unwritten);
  h.drive(6, 3, 11, 10s).at(50s).commit(5).at(60s).trip_end(5);
  CHECK(broken_in(h) == codes{"S3"});
  CHECK(broken_in(h, under(lease::protocol::lease)) == nothing);
}

TEST_CASE("confirms: a fence may take an older token before it hears of the newer", "[checkers]") {
  history h = granted();
  h.at(1s).confirm(5).at(31s).end(5, lease_ending::unwritten).grant(6, 3, 11).at(32s).commit(5);
  h.at(33s).end(6, lease_ending::cancelled).at(60s).trip_end(5);
  CHECK(broken_in(h) == nothing);
}
