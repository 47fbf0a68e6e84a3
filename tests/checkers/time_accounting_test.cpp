#include "catch.hpp"
#include "history.hpp"

using namespace dibs;
using namespace dibs::checkers::test;
using events::lease_ending;

namespace {

const auto only_seconds = [] {
  auto what = fenced();
  what.promises = 1U << static_cast<unsigned>(invariant::seconds_conserved);
  return what;
}();

history online() {
  history h;
  return h.at(1s).online(3);
}

}  // namespace

TEST_CASE("time accounting: a driver's day adds up", "[checkers]") {
  history h = online();
  h.at(2s).grant(1, 3, 10).at(6s).decline(1).at(7s).drive(2, 3, 11, 20s);
  h.at(40s).offline(3).at(50s).online(3).grant(3, 3, 12).at(65s).expire(3);
  CHECK(broken_in(h, only_seconds) == nothing);
}

TEST_CASE("time accounting: what is open at the end counts up to it", "[checkers]") {
  CHECK(broken_in(online().grant(1, 3, 10), only_seconds) == nothing);
  CHECK(broken_in(online().grant(1, 3, 10).confirm(1).commit(1), only_seconds) == nothing);
}

TEST_CASE("time accounting: a lease or a trip may outlast the shift", "[checkers]") {
  history h = online();
  h.at(2s).grant(1, 3, 10).at(4s).offline(3).at(6s).decline(1);
  h.at(7s).online(3).drive(2, 3, 11, 5s);
  CHECK(broken_in(h, only_seconds) == nothing);
}

TEST_CASE("time accounting: two leases at once count a second twice", "[checkers]") {
  history h = online();
  h.at(2s).grant(1, 3, 10).at(5s).grant(2, 3, 11).at(6s).end(1).at(7s).end(2);
  CHECK(broken_in(h, only_seconds) == codes{"S11"});
  CHECK(words_of(h, only_seconds) ==
        "driver 4 was counted 2 times for 1000000000 ns: 2 leases and 0 trips");
}

TEST_CASE("time accounting: two leases that only touch do not", "[checkers]") {
  history h = online();
  h.at(2s).grant(1, 3, 10).at(5s).grant(2, 3, 11).end(1).at(7s).end(2);
  CHECK(broken_in(h, only_seconds) == nothing);
}

TEST_CASE("time accounting: a lease during a trip counts a second twice", "[checkers]") {
  history h = online();
  h.at(2s).grant(1, 3, 10).confirm(1).commit(1).at(5s).grant(2, 3, 11).at(6s).end(2);
  CHECK(broken_in(h.trip_end(1), only_seconds) == codes{"S11"});
}

TEST_CASE("time accounting: a lease during a trip of which the manager could not know counts once",
          "[checkers]") {
  history before = online();
  before.grant(1, 3, 10).confirm(1).at(31s).end(1, lease_ending::unwritten).at(32s).commit(1);
  CHECK(broken_in(before.grant(2, 3, 11).at(33s).end(2).trip_end(1), only_seconds) == nothing);
  history after = online();
  after.grant(1, 3, 10).confirm(1).commit(1).lose_word(1);
  after.at(31s).end(1, lease_ending::unwritten);
  CHECK(broken_in(after.grant(2, 3, 11).at(33s).end(2).trip_end(1), only_seconds) == nothing);
}

TEST_CASE("time accounting: two trips at once are counted once, whichever ends first",
          "[checkers]") {
  const auto first = token_id::unleased(matcher_id{0}, 1).value;
  const auto second = token_id::unleased(matcher_id{1}, 1).value;
  history h = online();
  h.commit_new(first, 3, 10).at(2s).commit_new(second, 3, 11);
  CHECK(broken_in(history(h).at(9s).trip_end(first).at(12s).trip_end(second), only_seconds) ==
        nothing);
  h.at(9s).trip_end(second).at(10s).revoke(first, events::revocation::no_show);
  CHECK(broken_in(h, only_seconds) == nothing);
}

TEST_CASE("time accounting: an end that names another token leaves seconds over", "[checkers]") {
  history h = online();
  h.at(2s).grant(1, 3, 10).at(3s).end(1).at(4s).grant(2, 3, 11).at(5s).end(1);
  CHECK(broken_in(h, only_seconds) == codes{"S11"});
}

TEST_CASE("time accounting: an end without a beginning makes seconds up", "[checkers]") {
  history lease = online();
  lease.at(2s).grant(1, 3, 10).at(3s).end(1).end(1);
  CHECK(broken_in(lease, only_seconds) == codes{"S11"});
  history trip = online();
  trip.at(2s).drive(1, 3, 10, 5s).trip_end(1);
  CHECK(broken_in(trip, only_seconds) == codes{"S11"});
  history never = online();
  never.at(2s).grant(1, 3, 10).trip_end(1).at(3s).end(1);
  CHECK(broken_in(never, only_seconds) == codes{"S11"});
  history unknown = online();
  unknown.at(2s).add(events::trip_ended{token_id{9}, driver_id{3}, ride_id{1}, {}});
  CHECK(broken_in(unknown, only_seconds) == codes{"S11"});
}

TEST_CASE("time accounting: at the very end of the run only the counts tell", "[checkers]") {
  history lease = online();
  lease.at(95s).grant(1, 3, 10).at(100s).end(1);
  CHECK(broken_in(lease, only_seconds) == nothing);
  CHECK(broken_in(lease.end(1), only_seconds) == codes{"S11"});
  history trip = online();
  trip.at(95s).drive(1, 3, 10, 5s);
  CHECK(broken_in(trip, only_seconds) == nothing);
  CHECK(broken_in(trip.trip_end(1), only_seconds) == codes{"S11"});
}

TEST_CASE("time accounting: a trip that was called off has ended once", "[checkers]") {
  history h = online();
  h.grant(1, 3, 10).confirm(1).commit(1).at(5s).revoke(1).at(6s).trip_end(1);
  CHECK(broken_in(history(h), only_seconds) == nothing);
  CHECK(broken_in(h.revoke(1), only_seconds) == nothing);
}

TEST_CASE("time accounting: nobody comes online twice or leaves twice", "[checkers]") {
  const history twice = online().at(5s).online(3);
  CHECK(broken_in(twice, only_seconds) == codes{"S11"});
  CHECK(words_of(twice, only_seconds) ==
        "driver 4 was online for 94000000000 ns, but available for 99000000000, leased for 0, "
        "on trip for 0");
  CHECK(broken_in(online().at(5s).offline(3).at(6s).offline(3), only_seconds) == codes{"S11"});
  CHECK(broken_in(online().at(5s).offline(3).online(3), only_seconds) == nothing);
}

TEST_CASE("time accounting: drivers beyond the count that was announced are counted too",
          "[checkers]") {
  history h;
  h.at(0s).online(5000).drive(1, 5000, 10, 5s);
  CHECK(broken_in(h) == nothing);
  CHECK(broken_in(h.trip_end(1), only_seconds) == codes{"S11"});
}
