#include "catch.hpp"
#include "history.hpp"

using namespace dibs;
using namespace dibs::checkers;
using namespace dibs::checkers::test;
using events::offer_response;

namespace {

options only_answers(lease::protocol p = lease::protocol::fenced) {
  auto what = under(p);
  what.promises = bit(invariant::offers_answered_once);
  return what;
}

}  // namespace

TEST_CASE("answers: an offer is answered at most once, whatever is said", "[checkers]") {
  for (const offer_response again : {offer_response::accepted, offer_response::declined}) {
    history h;
    h.at(0s).grant(1, 3, 10).at(2s).answer(1, offer_response::declined).at(9s);
    CHECK(broken_in(history(h), only_answers()) == nothing);
    CHECK(broken_in(history(h).answer(1, again), only_answers()) == codes{"S15"});
  }
}

TEST_CASE("answers: each of many offers is answered once, with a lease and without", "[checkers]") {
  for (const std::uint64_t first :
       {std::uint64_t{1}, token_id::unleased(matcher_id{2}, 60).value}) {
    history h;
    h.at(0s);
    for (std::uint64_t token = first; token < first + 70; ++token) {
      h.grant(token, 3, static_cast<std::uint32_t>(token - first))
          .answer(token, offer_response::declined);
    }
    CHECK(broken_in(history(h), only_answers()) == nothing);
    CHECK(broken_in(history(h).answer(first, offer_response::accepted), only_answers()) ==
          codes{"S15"});
  }
}

TEST_CASE("answers: where nobody promises it nothing is judged", "[checkers]") {
  history h;
  h.at(0s)
      .grant(1, 3, 10)
      .answer(1, offer_response::declined)
      .answer(1, offer_response::declined)
      .end(1);
  CHECK_FALSE(broken_in(h, fenced()).contains("S15"));
}
