#include "catch.hpp"
#include "history.hpp"

using namespace dibs;
using namespace dibs::checkers;
using namespace dibs::checkers::test;
using events::lease_ending;
using events::offer_response;

namespace {

/// B1 and B2 alone, where a withdrawal takes 500 ms.
options only_phones() {
  auto what = fenced();
  what.promises = 1U << static_cast<unsigned>(invariant::phones_kept_apart) |
                  1U << static_cast<unsigned>(invariant::accepts_outlast_expiry);
  what.withdrawal = 500ms;
  return what;
}

history shown() { return history{}.at(0s).grant(1, 3, 10).at(1s).show(1); }

}  // namespace

TEST_CASE("phone bounds: two offers that only touch are apart", "[checkers]") {
  history h = shown();
  h.at(15s).expire(1).grant(2, 3, 11).show(2).dismiss(1).at(20s).dismiss(2);
  CHECK(broken_in(h, only_phones()) == nothing);
}

TEST_CASE("phone bounds: an offer that outlives its lease meets the next", "[checkers]") {
  history h = shown();
  h.at(15s).expire(1).grant(2, 3, 11).show(2).at(15s + 1ns).dismiss(1);
  CHECK(broken_in(h, only_phones()) == codes{"B1"});
  CHECK(words_of(h, only_phones()) ==
        "driver 4 was shown the offers of rides 11 and 12 at once (tokens 1 and 2)");
}

TEST_CASE("phone bounds: the same ride offered twice is no conflict", "[checkers]") {
  history h = shown();
  h.at(15s).expire(1).grant(2, 3, 10).show(2).at(16s).dismiss(1);
  CHECK(broken_in(h, only_phones()) == nothing);
}

TEST_CASE("phone bounds: an offer that was withdrawn may be seen until the word arrives",
          "[checkers]") {
  const auto withdrawn = [](sim_duration next) {
    return shown().at(5s).end(1, lease_ending::cancelled).at(next).grant(2, 3, 11).show(2).at(9s);
  };
  CHECK(broken_in(withdrawn(5s + 500ms).dismiss(1), only_phones()) == nothing);
  CHECK(broken_in(withdrawn(5s + 501ms).dismiss(1), only_phones()) == codes{"B1"});
}

// Shown long after its lease was given back, so its withdrawal has been there before it.
TEST_CASE("phone bounds: an offer that its own withdrawal overtook is the network's",
          "[checkers]") {
  const auto overtaken = [](sim_duration at) {
    return history{}
        .at(0s)
        .grant(1, 3, 10)
        .at(1s)
        .grant(2, 4, 12)
        .at(2s)
        .end(1, lease_ending::cancelled)
        .at(2s + 1ns)
        .grant(3, 3, 11)
        .show(3)
        .at(at)
        .show(1)
        .at(9s);
  };
  CHECK(broken_in(overtaken(4s), only_phones()) == nothing);
}

TEST_CASE("phone bounds: two accepts that bind at once break B1", "[checkers]") {
  history h = shown();
  h.at(3s).answer(1, offer_response::accepted).at(4s).grant(2, 3, 11).show(2);
  CHECK(broken_in(history(h).at(5s).answer(2, offer_response::accepted).at(6s), only_phones()) ==
        codes{"B1"});
  // The first had been refused, and its lease was over.
  h.at(5s).end(1, lease_ending::denied_by_ledger).at(6s).answer(2, offer_response::accepted).at(7s);
  CHECK(broken_in(h, only_phones()) == nothing);
}

TEST_CASE("phone bounds: a trip binds until it is over", "[checkers]") {
  history h = shown();
  h.at(3s).answer(1, offer_response::accepted).confirm(1).commit(1);
  const auto next = [](history of) {
    return of.grant(2, 3, 11).show(2).answer(2, offer_response::accepted).at(99s);
  };
  CHECK(broken_in(next(history(h).at(20s)), only_phones()) == codes{"B1"});
  CHECK(broken_in(next(h.at(20s).trip_end(1)), only_phones()) == nothing);
}

TEST_CASE("phone bounds: a lease that runs out under an accept in time breaks B2", "[checkers]") {
  CHECK(broken_in(shown().at(14s).answer(1, offer_response::accepted).at(15s).expire(1),
                  only_phones()) == codes{"B2"});
  CHECK(broken_in(shown().at(15s).expire(1).at(16s).answer(1, offer_response::accepted),
                  only_phones()) == codes{"B2"});
  CHECK(broken_in(shown().at(14s).answer(1, offer_response::declined).at(15s).expire(1),
                  only_phones()) == nothing);
  CHECK(broken_in(shown().at(14s).answer(1, offer_response::accepted).end(1), only_phones()) ==
        nothing);
}

TEST_CASE("phone bounds: what was lost or down is out of bounds", "[checkers]") {
  const auto late = [](history h) {
    return h.at(14s).answer(1, offer_response::accepted).at(15s).expire(1);
  };
  CHECK(broken_in(late(shown().lose_message(1)), only_phones()) == nothing);
  CHECK(broken_in(late(shown().at(2s).holder_crash().at(3s).holder_restart()), only_phones()) ==
        nothing);
  CHECK(broken_in(late(shown().at(2s).manager_pause().manager_resume()), only_phones()) == nothing);
  history before;
  before.at(0s).manager_pause().manager_resume().at(1s).grant(1, 3, 10).show(1).at(15s);
  CHECK(broken_in(before.answer(1, offer_response::accepted).at(16s).expire(1), only_phones()) ==
        codes{"B2"});
}

TEST_CASE("phone bounds: a lease that ran out because its confirm was refused for cause is excused",
          "[checkers]") {
  history h = shown();
  h.at(5s).answer(1, offer_response::accepted).at(6s).refuse(1, events::confirm_refusal::on_trip);
  CHECK(broken_in(h.at(15s).expire(1), only_phones()) == nothing);
}
