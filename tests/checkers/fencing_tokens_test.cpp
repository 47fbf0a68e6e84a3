#include "catch.hpp"
#include "history.hpp"

using namespace dibs;
using namespace dibs::checkers::test;
using events::lease_ending;

TEST_CASE("tokens: a driver's tokens grow, whatever the others' are", "[checkers]") {
  CHECK(
      broken_in(history{}.at(0s).grant(5, 3, 10).end(5).grant(9, 4, 11).end(9).grant(6, 3, 12).end(
          6)) == nothing);
}

TEST_CASE("tokens: a smaller token for the same driver breaks S2", "[checkers]") {
  CHECK(broken_in(history{}.at(0s).grant(5, 3, 10).end(5).grant(4, 3, 11).end(4)) == codes{"S2"});
}

TEST_CASE("tokens: the same token again breaks S2 and S10", "[checkers]") {
  CHECK(broken_in(history{}.at(0s).grant(5, 3, 10).end(5).grant(5, 3, 11).end(5)) ==
        codes{"S2", "S10"});
}

TEST_CASE("tokens: a grant needs a token that a ledger can compare", "[checkers]") {
  const auto made_up = token_id::unleased(matcher_id{0}, 1).value;
  CHECK(broken_in(history{}.at(0s).grant(made_up, 3, 10).end(made_up)) == codes{"S2"});
}

TEST_CASE("tokens: an end of a lease that was granted over breaks S6", "[checkers]") {
  CHECK(broken_in(history{}.at(0s).grant(4, 3, 10).grant(5, 3, 11).end(4).end(5)) ==
        codes{"S1", "S6"});
}

TEST_CASE("tokens: an end that follows a commit is legal once", "[checkers]") {
  auto holder_judges = fenced();
  holder_judges.confirms = false;
  history h;
  h.at(0s).grant(4, 3, 10).commit(4).lose_word(4).at(1s).trip_end(4).at(15s).expire(4);
  CHECK(broken_in(history(h), holder_judges) == nothing);
  CHECK(broken_in(h.expire(4), holder_judges) == codes{"S6", "S7", "S11"});
}

TEST_CASE("tokens: a stale release that ends the current lease breaks S6", "[checkers]") {
  // The driver declines token 4 as it expires; its release ends token 5.
  history h;
  h.at(0s)
      .grant(4, 3, 10)
      .at(14900ms)
      .answer(4, events::offer_response::declined)
      .at(15s)
      .expire(4);
  h.grant(5, 3, 11);
  history right = h;
  CHECK(broken_in(right.at(20s).decline(5)) == nothing);
  CHECK(broken_in(h.at(15100ms).end(5, lease_ending::declined)) == codes{"S6"});
}

TEST_CASE("tokens: an end of a token that is not current breaks S6", "[checkers]") {
  history h;
  h.at(0s).grant(4, 3, 10).at(15s).expire(4).grant(5, 3, 11).at(16s).end(4).at(17s).end(5);
  CHECK(broken_in(h).contains("S6"));
}

TEST_CASE("tokens: a driver who accepted did not decline", "[checkers]") {
  CHECK(broken_in(history{}
                      .at(0s)
                      .grant(4, 3, 10)
                      .answer(4, events::offer_response::accepted)
                      .end(4, lease_ending::declined)) == codes{"S6"});
}

TEST_CASE("tokens: a renewal moves the deadline, up to the last nanosecond", "[checkers]") {
  CHECK(broken_in(history{}.at(0s).grant(4, 3, 10).at(15s - 1ns).renew(4).at(30s - 1ns).expire(
            4)) == nothing);
  CHECK(broken_in(history{}.at(0s).grant(4, 3, 10).at(14s).renew(4).at(15s).expire(4)) ==
        codes{"S9"});
}

TEST_CASE("tokens: a renewal at the deadline revives an expired lease: S6 and S10", "[checkers]") {
  history h;
  h.at(0s).grant(4, 3, 10).at(15s).renew(4).at(30s).expire(4);
  CHECK(broken_in(h) == codes{"S6", "S10"});
  auto patient = fenced();
  patient.grace = 2s;
  CHECK(broken_in(history{}.at(0s).grant(4, 3, 10).at(17s - 1ns).renew(4).at(34s - 1ns).expire(4),
                  patient) == nothing);
  CHECK(broken_in(history{}.at(0s).grant(4, 3, 10).at(17s).renew(4).at(34s).expire(4), patient) ==
        codes{"S6", "S10"});
}

TEST_CASE("tokens: a renewal of a trip breaks S6 once the manager must have heard of it",
          "[checkers]") {
  auto told_late = fenced();
  told_late.confirms = false;
  told_late.word_takes = 1s;
  history h;
  h.at(0s).grant(4, 3, 10).at(5s).commit(4);
  CHECK(broken_in(history(h).at(6s).renew(4).at(9s).trip_end(4), told_late) == nothing);
  CHECK(broken_in(history(h).at(6s + 1ns).renew(4).at(9s).trip_end(4), told_late) == codes{"S6"});
  h.at(5500ms).trip_end(4);
  CHECK(broken_in(history(h).at(6s).renew(4), told_late) == nothing);
  CHECK(broken_in(history(h).at(6s + 1ns).renew(4), told_late) == codes{"S6"});
}

TEST_CASE("tokens: a renewal of an ended or unknown lease breaks S6", "[checkers]") {
  CHECK(broken_in(history{}.at(0s).grant(4, 3, 10).at(1s).end(4).at(2s).renew(4)) ==
        codes{"S6", "S10"});
  history unknown;
  unknown.at(0s).add(events::lease_renewed{token_id{9}, driver_id{3}, at_local(15s)});
  CHECK(broken_in(unknown) == codes{"S6"});
}

TEST_CASE("tokens: a renewal of a confirmed lease breaks S6 and does not shorten its hold",
          "[checkers]") {
  history h;
  h.at(0s).grant(4, 3, 10).confirm(4).at(1s).renew(4, 5s);
  CHECK(broken_in(history(h).at(30s).end(4, lease_ending::unwritten)) == codes{"S6"});
  CHECK(broken_in(h.at(29s).end(4, lease_ending::unwritten)) == codes{"S6", "S9"});
}

TEST_CASE("tokens: a confirm of an ended token breaks S10 and S3", "[checkers]") {
  CHECK(broken_in(history{}.at(0s).grant(4, 3, 10).at(1s).end(4).at(2s).confirm(4)) ==
        codes{"S3", "S10"});
}

TEST_CASE("tokens: where the manager commits, an ended token cannot become a trip", "[checkers]") {
  history h;
  h.at(0s).grant(4, 3, 10).confirm(4).at(40s).end(4, lease_ending::unwritten);
  h.at(41s).commit(4).at(60s).trip_end(4);
  CHECK(broken_in(h) == nothing);  // a ledger takes a write that was only slow
  auto at_manager = fenced();
  at_manager.commit_at_manager = true;
  CHECK(broken_in(h, at_manager) == codes{"S7", "S10"});
}
