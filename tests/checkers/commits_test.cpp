#include "catch.hpp"
#include "history.hpp"

using namespace dibs;
using namespace dibs::checkers::test;
using events::confirm_refusal;
using events::lease_ending;

namespace {

/// Token 1 of driver 3 is given up before its write, and token 2 has become her trip.
history late_write() {
  history h;
  h.at(0s).online(3).grant(1, 3, 10).confirm(1).at(30s).end(1, lease_ending::unwritten);
  return h.at(40s).grant(2, 3, 11).confirm(2).commit(2);
}

/// The ledger of `lease` promises nothing about trips.
const auto open_ledger = under(dibs::lease::protocol::lease);

}  // namespace

TEST_CASE("commits: a trip ends although its token is another driver's by now", "[checkers]") {
  history h;
  h.at(0s).online(1).online(2).grant(5, 1, 1).at(4s).confirm(5).commit(5);
  h.at(6s).grant(5, 2, 2).at(7s).end(5);
  h.at(40s).add(events::trip_ended{token_id{5}, driver_id{1}, ride_id{1}, {}});
  h.at(50s).grant(6, 1, 3).confirm(6).commit(6).at(60s).trip_end(6);
  CHECK_FALSE(broken_in(h).contains("S4"));
}

TEST_CASE("commits: trips that touch do not overlap, whichever fact comes first", "[checkers]") {
  CHECK(broken_in(history{}.at(0s).drive(1, 3, 10, 40s).drive(2, 3, 11, 10s)) == nothing);
  auto only_commits = fenced();
  only_commits.promises = 1U << static_cast<unsigned>(invariant::no_double_commit);
  history crossed;
  crossed.at(0s).grant(1, 3, 10).confirm(1).commit(1);
  crossed.at(40s).grant(2, 3, 11).confirm(2).commit(2).trip_end(1);
  CHECK(broken_in(crossed.at(50s).trip_end(2), only_commits) == nothing);
}

TEST_CASE("commits: a driver on two trips for a nanosecond breaks S4", "[checkers]") {
  history h = late_write();
  h.at(60s - 1ns).commit(1).at(60s).trip_end(2).at(70s).trip_end(1);
  CHECK(broken_in(h).contains("S4"));
  const auto first = judged(h.events(), fenced(), 100s).violations.at(0);
  CHECK(h.events()[first.event_index].t == at(60s - 1ns));
}

TEST_CASE("commits: two trips of a driver are told by rides and tokens", "[checkers]") {
  auto only_commits = fenced();
  only_commits.promises = 1U << static_cast<unsigned>(invariant::no_double_commit);
  CHECK(words_of(late_write().at(45s).commit(1), only_commits) ==
        "driver 4 is on the trips of rides 12 and 11 (tokens 2 and 1)");
}

TEST_CASE("commits: `lease` does not promise S4, and nothing else breaks with it", "[checkers]") {
  history h = late_write();
  h.at(45s).commit(1).promise(1).at(60s).trip_end(1).grant(3, 3, 12).at(62s).end(3);
  h.at(63s).revoke(2, events::revocation::no_show);
  CHECK(broken_in(h, open_ledger) == nothing);
  CHECK(broken_in(h) == codes{"S3", "S4"});
}

TEST_CASE("commits: a ride with two drivers breaks S4", "[checkers]") {
  history h;
  h.at(0s).grant(1, 3, 10).confirm(1).commit(1).at(1s).grant(2, 4, 10).confirm(2).commit(2);
  CHECK(broken_in(h) == codes{"S4"});
  CHECK(words_of(h) == "ride 11 has drivers 4 and 5 (tokens 1 and 2)");
}

TEST_CASE("commits: a ride may have a second driver once the first is withdrawn", "[checkers]") {
  history h;
  h.at(0s).grant(1, 3, 10).confirm(1).commit(1).at(1s);
  h.revoke(1, events::revocation::driver_cancelled);
  CHECK(broken_in(h.grant(2, 4, 10).confirm(2).commit(2)) == nothing);
}

TEST_CASE("commits: a double commit at the very end of a run lasts for nothing", "[checkers]") {
  auto only_commits = fenced();
  only_commits.promises = 1U << static_cast<unsigned>(invariant::no_double_commit);
  history h = late_write();
  h.at(90s).commit(1);
  CHECK(broken_in(h, only_commits, 90s) == nothing);
  CHECK(broken_in(h, only_commits, 90s + 1ns) == codes{"S4"});
}

TEST_CASE("commits: the third of three trips conflicts as well", "[checkers]") {
  history h = late_write();
  h.at(45s).commit(1).at(50s).trip_end(2).at(51s).commit_new(3, 3, 12);
  const auto j = judged(h.events(), fenced(), 100s);
  std::size_t doubles = 0;
  for (const auto& v : j.violations) {
    doubles += v.broken == invariant::no_double_commit ? 1 : 0;
  }
  CHECK(doubles == 2);
}

TEST_CASE("commits: a token that commits twice breaks S5", "[checkers]") {
  CHECK(broken_in(history{}.at(0s).grant(1, 3, 10).confirm(1).commit(1).at(1s).commit(1)) ==
        codes{"S5", "S11"});
  // Also without leases, and after the trip.
  const auto made_up = token_id::unleased(matcher_id{1}, 4).value;
  history h;
  h.at(0s).commit_new(made_up, 3, 10).at(20s).trip_end(made_up).at(30s).commit(made_up);
  CHECK(broken_in(h, under(lease::protocol::none)).contains("S5"));
}

TEST_CASE("commits: a retry of a write gets the same answer", "[checkers]") {
  history taken;
  taken.at(0s).grant(1, 3, 10).confirm(1).commit(1).at(1s).deny_write(1);
  CHECK(broken_in(taken) == codes{"S5"});
  history refused;
  refused.at(0s).grant(1, 3, 10).confirm(1).deny_write(1).at(1s).deny_write(1);
  CHECK(broken_in(history(refused).end(1, lease_ending::denied_by_ledger)) == nothing);
  CHECK(broken_in(refused.at(2s).commit(1)) == codes{"S5"});
}

TEST_CASE("commits: a token commits the ride that it was granted for", "[checkers]") {
  CHECK(broken_in(history{}.at(0s).grant(1, 3, 10).confirm(1).commit(1, 11)) == codes{"S5"});
}

TEST_CASE("commits: a retry of a confirm changes nothing", "[checkers]") {
  history h;
  h.at(0s).grant(1, 3, 10).at(1s).confirm(1).at(2s);
  CHECK(broken_in(history(h).confirm_again(1).commit(1)) == nothing);
  CHECK(broken_in(history(h).confirm(1).commit(1)) == codes{"S5"});
}

TEST_CASE("commits: a retry of a confirm is not refused until the trip is over", "[checkers]") {
  history h;
  h.at(0s).grant(1, 3, 10).at(1s).confirm(1).at(2s);
  CHECK(broken_in(history(h).refuse(1).commit(1)) == codes{"S5"});
  CHECK(broken_in(history(h).commit(1).refuse(1, confirm_refusal::on_trip)) == codes{"S5"});
  CHECK(broken_in(h.commit(1).at(9s).trip_end(1).refuse(1, confirm_refusal::no_lease)) == nothing);
}
