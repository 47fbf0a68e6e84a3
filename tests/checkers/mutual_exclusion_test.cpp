#include "catch.hpp"
#include "history.hpp"

using namespace dibs;
using namespace dibs::checkers::test;
using events::lease_ending;

TEST_CASE("holding: one lease after the other is legal, even at the same instant", "[checkers]") {
  CHECK(broken_in(history{}.at(0s).grant(1, 3, 10).at(15s).expire(1).grant(2, 3, 11).at(20s).end(
            2)) == nothing);
}

TEST_CASE("holding: a grant while the last lease stands breaks S1", "[checkers]") {
  history h;
  h.at(0s).grant(1, 3, 10).at(14s).grant(2, 3, 11).end(1).end(2);
  CHECK(broken_in(h).contains("S1"));
  CHECK(words_of(h) == "driver 4 is held by rides 11 and 12 (tokens 1 and 2)");
}

TEST_CASE("holding: a grant after the deadline breaks S1 all the same if nothing ended the lease",
          "[checkers]") {
  CHECK(broken_in(history{}.at(0s).grant(1, 3, 10).at(20s).grant(2, 3, 11).end(2)).contains("S1"));
}

TEST_CASE("holding: a grant while a confirmed lease awaits the ledger breaks S1", "[checkers]") {
  history h;
  h.at(0s).grant(1, 3, 10).at(4s).confirm(1).at(5s).grant(2, 3, 11);
  CHECK(broken_in(h).contains("S1"));
  CHECK(words_of(h).find("awaits the ledger") != std::string::npos);
}

TEST_CASE("holding: two drivers are held by two leases", "[checkers]") {
  CHECK(broken_in(history{}.at(0s).grant(1, 3, 10).grant(2, 4, 11).at(1s).end(1).end(2)) ==
        nothing);
}

TEST_CASE("holding: a grant during the trip that the lease became breaks S8", "[checkers]") {
  history h;
  h.at(0s).grant(1, 3, 10).confirm(1).commit(1).at(30s).grant(2, 3, 11).end(2).trip_end(1);
  CHECK(broken_in(h) == codes{"S8"});
}

TEST_CASE("holding: a grant at the very end of a trip is legal", "[checkers]") {
  CHECK(broken_in(history{}.at(0s).drive(1, 3, 10, 30s).grant(2, 3, 11).end(2)) == nothing);
}

TEST_CASE("holding: a cancelled trip frees the driver, and its late end is no second one",
          "[checkers]") {
  CHECK(broken_in(history{}
                      .at(0s)
                      .online(3)
                      .grant(1, 3, 10)
                      .confirm(1)
                      .commit(1)
                      .at(9s)
                      .revoke(1)
                      .grant(2, 3, 11)
                      .at(10s)
                      .trip_end(1)
                      .end(2)) == nothing);
}

TEST_CASE("holding: a driver on a trip that the manager could not know of may be leased",
          "[checkers]") {
  // The holder confirms, stops for longer than the hold, and its write comes after the manager
  // freed the driver; the next lease is granted before the manager hears of the trip.
  history h;
  h.at(0s).online(3).grant(1, 3, 10).at(4s).confirm(1).at(34s).end(1, lease_ending::unwritten);
  h.at(35s).commit(1).promise(1).at(36s).grant(2, 3, 11).at(37s).end(2, lease_ending::cancelled);
  h.at(60s).trip_end(1);
  CHECK(broken_in(h) == nothing);
}

TEST_CASE("holding: the expiry of a confirmed lease breaks S8", "[checkers]") {
  for (const auto cause : {lease_ending::expired, lease_ending::swept}) {
    CHECK(broken_in(history{}.at(0s).grant(1, 3, 10).at(4s).confirm(1).at(15s).end(1, cause)) ==
          codes{"S8"});
  }
}

TEST_CASE("holding: a lease ends for want of a write only if it was confirmed", "[checkers]") {
  CHECK(broken_in(history{}.at(0s).grant(1, 3, 10).at(40s).end(1, lease_ending::unwritten)) ==
        codes{"S8"});
  CHECK(broken_in(history{}.at(0s).grant(1, 3, 10).confirm(1).at(40s).end(
            1, lease_ending::unwritten)) == nothing);
}

TEST_CASE("holding: a lease ends as denied by the ledger only if the ledger denied it",
          "[checkers]") {
  history h;
  h.at(0s).grant(1, 3, 10).confirm(1);
  history denied = h;
  CHECK(broken_in(denied.deny_write(1).end(1, lease_ending::denied_by_ledger)) == nothing);
  CHECK(broken_in(h.end(1, lease_ending::denied_by_ledger)) == codes{"S8"});
}

TEST_CASE("holding: a trip needs a lease", "[checkers]") {
  CHECK(broken_in(history{}.at(0s).commit_new(7, 3, 10).at(20s).trip_end(7)) == codes{"S8"});
  CHECK(broken_in(history{}.at(0s).commit_new(token_id::unleased_bit, 3, 10)) == codes{"S8"});
}

TEST_CASE("holding: a trip needs a confirm unless the holder judges for itself", "[checkers]") {
  history h;
  h.at(0s).grant(1, 3, 10).at(4s).commit(1).at(30s).trip_end(1);
  CHECK(broken_in(h) == codes{"S8"});
  auto holder_judges = fenced();
  holder_judges.confirms = false;
  CHECK(broken_in(h, holder_judges) == nothing);
}

TEST_CASE("holding: where the manager commits, a timer left armed breaks S8 and S7", "[checkers]") {
  auto at_manager = fenced();
  at_manager.commit_at_manager = true;
  history h;
  h.at(0s).grant(1, 3, 10).at(4s).confirm(1).commit(1).at(34s).end(1, lease_ending::unwritten);
  CHECK(broken_in(h, at_manager) == codes{"S7", "S8"});
}

TEST_CASE("holding: a lease that the manager knows to be a trip does not end", "[checkers]") {
  auto delayed = fenced();
  delayed.word_takes = 100ms;
  history h;
  h.at(0s).grant(1, 3, 10).at(4s).confirm(1).at(34s - 100ms).commit(1);
  const auto end = [](history of, sim_duration when) {
    return of.at(when).end(1, lease_ending::unwritten);
  };
  CHECK(broken_in(end(h, 34s), delayed) == nothing);
  CHECK(broken_in(end(h, 34s + 1ns), delayed) == codes{"S8"});
  CHECK(broken_in(end(history(h).lose_word(1), 35s), delayed) == nothing);
}

TEST_CASE("holding: a manager that is down hears of a trip when it is back", "[checkers]") {
  auto delayed = fenced();
  delayed.word_takes = 100ms;
  history h;
  h.at(0s).grant(1, 3, 10).at(4s).confirm(1).at(5s).manager_pause().at(6s).commit(1);
  h.at(40s).manager_resume();
  CHECK(broken_in(history(h).end(1, lease_ending::unwritten), delayed) == nothing);
  CHECK(broken_in(history(h).at(40s + 100ms).end(1, lease_ending::unwritten), delayed) == nothing);
  CHECK(broken_in(h.at(40s + 101ms).end(1, lease_ending::unwritten), delayed) == codes{"S8"});
}

TEST_CASE("holding: a trip that is not under way cannot end", "[checkers]") {
  CHECK(broken_in(history{}.at(0s).online(3).drive(1, 3, 10, 30s).trip_end(1)).contains("S8"));
  CHECK(broken_in(history{}.at(0s).grant(1, 3, 10).trip_end(1).end(1)).contains("S8"));
}
