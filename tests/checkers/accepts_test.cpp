#include "catch.hpp"
#include "history.hpp"

using namespace dibs;
using namespace dibs::checkers;
using namespace dibs::checkers::test;
using events::lease_ending;
using events::offer_response;
using events::try_ending;

namespace {

const auto only_accepts = [] {
  auto what = fenced();
  what.promises = lease::bit(invariant::accepts_accounted);
  return what;
}();

const node_id matcher{node_kind::matcher, 0};
const node_id her_phone{node_kind::driver, 3};

/// Offered to driver 3 for ride 10, on her screen for 15 s.
history offered(history h = {}) {
  h.grant(1, 3, 10);
  h.add(events::offer_sent{token_id{1}, driver_id{3}, ride_id{10}, matcher_id{0}}).show(1);
  return h;
}

history& close(history& h, try_ending why) {
  return h.add(events::try_closed{token_id{1}, driver_id{3}, ride_id{10}, matcher_id{0}, why});
}

history& lose(history& h, node_id from, node_id to) {
  return h.add(events::message_lost{from, to, ride_id{10}, token_id{1}, events::loss_cause::loss});
}

history& leave(history& h) {
  return h.add(events::ride_abandoned{ride_id{10}, events::abandonment::tries});
}

accept_account account_of(const history& h, const options& what = only_accepts) {
  run_checker c(what);
  c.observe(h.events());
  CHECK(c.finish(at(100s)).kept());
  const accept_account& a = c.account();
  CHECK(a.in_time == a.trips + a.unwanted + a.lost);
  return a;
}

const accept_account none{};
const accept_account trip{.in_time = 1, .trips = 1};
const accept_account unwanted{.in_time = 1, .unwanted = 1};
const accept_account lost{.in_time = 1, .lost = 1};

}  // namespace

TEST_CASE("accepts: a yes becomes a trip, whenever", "[checkers]") {
  history h = offered();
  h.at(5s).answer(1, offer_response::accepted);
  CHECK(account_of(history(h).commit(1)) == trip);
  CHECK(account_of(history(h).at(15s).expire(1).at(16s).commit(1)) == trip);
  CHECK(account_of(history(h).commit(1).commit(1)) == trip);
  CHECK(account_of(history(h).answer(1, offer_response::accepted).commit(1)) == trip);
  // A copy of the offer is shown and answered when all is over.
  CHECK(account_of(history(h).commit(1).show(1).answer(1, offer_response::accepted)) == trip);
}

TEST_CASE("accepts: what is late, declined or outside of the measured time is not counted",
          "[checkers]") {
  CHECK(account_of(offered().at(5s).answer(1, offer_response::declined)) == none);
  CHECK(account_of(offered().at(15s).answer(1, offer_response::accepted).commit(1)) == none);
  CHECK(account_of(offered().at(15s).expire(1).dismiss(1).at(16s).answer(
            1, offer_response::accepted)) == none);
  auto later = only_accepts;
  later.measured_from = at(6s);
  CHECK(account_of(offered().at(5s).answer(1, offer_response::accepted).commit(1), later) == none);
  CHECK(account_of(offered().at(6s).answer(1, offer_response::accepted).commit(1), later) == trip);
  later.measured_until = at(6s);
  CHECK(account_of(offered().at(6s).answer(1, offer_response::accepted).commit(1), later) == none);
}

TEST_CASE("accepts: one that was declined first and then accepted counts", "[checkers]") {
  CHECK(account_of(offered()
                       .at(2s)
                       .answer(1, offer_response::declined)
                       .at(3s)
                       .answer(1, offer_response::accepted)) == lost);
}

TEST_CASE("accepts: it is lost if the ride was wanted when it was decided against", "[checkers]") {
  const auto said = [](history h) { return h.at(14s).answer(1, offer_response::accepted); };
  history refused = said(offered()).refuse(1);
  CHECK(account_of(leave(refused)) == lost);
  history run_out = offered().at(10s).expire(1);
  CHECK(account_of(said(leave(run_out))) == lost);
  history given_up = offered().at(3s);
  CHECK(account_of(said(leave(close(given_up, try_ending::timed_out)))) == lost);
  history down = offered().at(3s).add(events::node_crashed{matcher}).at(4s);
  CHECK(account_of(said(leave(down))) == lost);
  history unwritten = said(offered()).deny_write(1);
  CHECK(account_of(leave(unwritten)) == lost);
  CHECK(account_of(said(offered())) == lost);  // nothing had come of it when the run ended
}

TEST_CASE("accepts: it is unwanted if the ride was gone, or had a driver, before", "[checkers]") {
  history left = offered().at(3s);
  CHECK(account_of(leave(left).at(14s).answer(1, offer_response::accepted).refuse(1)) == unwanted);
  history leaves = offered().at(14s).answer(1, offer_response::accepted);
  CHECK(account_of(leave(leaves).refuse(1)) == unwanted);
  history taken_back = offered().at(14s).answer(1, offer_response::accepted);
  CHECK(account_of(leave(close(taken_back, try_ending::withdrawn))) == unwanted);
  history served =
      offered().grant(2, 4, 10).at(5s).commit(2).at(6s).answer(1, offer_response::accepted);
  CHECK(account_of(history(served).refuse(1)) == unwanted);
  CHECK(account_of(history(served).at(30s).trip_end(2).refuse(1)) == unwanted);
  // Her other driver never came, and the rider waits again.
  history stood_up = served.at(7s).revoke(2, events::revocation::no_show);
  CHECK(account_of(history(stood_up).at(8s).refuse(1)) == lost);
  stood_up.at(8s).add(events::node_crashed{matcher}).at(9s);
  CHECK(account_of(leave(stood_up)) == lost);
}

TEST_CASE("accepts: a crash decides while the ride has a driver who will be called off",
          "[checkers]") {
  history h = offered().grant(2, 4, 10).at(5s).commit(2).at(6s).answer(1, offer_response::accepted);
  h.at(7s).add(events::node_crashed{matcher}).at(8s).revoke(2, events::revocation::no_show);
  CHECK(account_of(h.at(15s).expire(1)) == unwanted);
}

TEST_CASE("accepts: a word that was lost, and not heard after all, decides", "[checkers]") {
  history h = offered().at(5s).answer(1, offer_response::accepted);
  lose(h, her_phone, matcher);
  history in_vain = h;
  CHECK(account_of(leave(in_vain.at(8s)).at(15s).expire(1)) == lost);
  history again = h;
  CHECK(account_of(lose(leave(again.at(8s)), her_phone, matcher).at(15s).expire(1)) == lost);
  history called_off = h;
  CHECK(account_of(leave(close(called_off.at(8s), try_ending::withdrawn))) == lost);
  history heard = history(h).at(6s).call(0, events::call::confirm, 1);
  CHECK(account_of(leave(heard.at(8s)).at(15s).expire(1)) == unwanted);
  history confirmed = h.at(6s).confirm(1);
  CHECK(account_of(leave(confirmed.at(8s)).at(15s).expire(1)) == unwanted);
}

TEST_CASE("accepts: a word that was lost before it, or makes no assignment, decides nothing",
          "[checkers]") {
  const node_id manager{node_kind::lease_manager, 0};
  const node_id ledger{node_kind::ledger, 0};
  history before = offered().at(2s);
  lose(before, matcher, manager).at(5s).answer(1, offer_response::accepted);
  CHECK(account_of(leave(before.at(8s)).at(15s).expire(1)) == unwanted);
  for (const auto& [from, to] : {std::pair(matcher, her_phone), std::pair(manager, ledger)}) {
    history h = offered().at(5s).answer(1, offer_response::accepted);
    CHECK(account_of(leave(lose(h, from, to).at(8s)).at(15s).expire(1)) == unwanted);
  }
}

TEST_CASE("accepts: only the first that decides counts, and only what is of this try",
          "[checkers]") {
  history over = offered().at(3s).expire(1);
  leave(over.at(4s)).at(5s);
  CHECK(account_of(close(over, try_ending::withdrawn).at(6s).answer(1, offer_response::accepted)) ==
        lost);
  history done = offered().at(5s).answer(1, offer_response::accepted);
  CHECK(account_of(leave(close(done, try_ending::committed).at(6s)).refuse(1)) == unwanted);
  history after = offered(history().add(events::node_crashed{matcher}))
                      .at(5s)
                      .answer(1, offer_response::accepted);
  CHECK(account_of(leave(after.at(6s)).refuse(1)) == unwanted);
  history longer = offered().at(10s).show(1);  // a copy, whose window would last until 25 s
  CHECK(account_of(longer.at(16s).answer(1, offer_response::accepted)) == none);
}

TEST_CASE("accepts: a cancel is an end, a commit is one driver, and one who was called off is none",
          "[checkers]") {
  history cancelled = offered().at(5s).answer(1, offer_response::accepted);
  cancelled.at(6s).add(events::ride_cancelled{ride_id{10}});
  CHECK(account_of(cancelled.refuse(1)) == unwanted);
  const history other = offered().grant(2, 4, 10).at(5s).answer(1, offer_response::accepted);
  const auto off = events::revocation::no_show;
  CHECK(account_of(history(other).commit(2).commit(2).revoke(2, off).refuse(1)) == lost);
  CHECK(account_of(history(other).revoke(2, off).commit(2).refuse(1)) == lost);
}

TEST_CASE("accepts: a lease manager that counts anew gives one number to two drivers",
          "[checkers]") {
  history both = offered().grant(1, 4, 11).at(5s);
  const auto yes = offer_response::accepted;
  both.add(events::offer_answered{token_id{1}, driver_id{3}, ride_id{10}, yes, true});
  both.answer(1, yes).commit(1);
  both.add(events::confirm_refused{
      token_id{1}, driver_id{3}, ride_id{10}, events::confirm_refusal::expired});
  CHECK(account_of(both) == accept_account{.in_time = 2, .trips = 1, .lost = 1});

  history old;
  constexpr std::uint32_t many = 100;  // more than are kept before the old ones are forgotten
  for (const std::uint32_t beyond : {0U, many}) {
    for (std::uint32_t i = 1; i <= many; ++i) {
      old.grant(i, beyond + i, beyond + i);
    }
  }
  old.at(15s);
  for (std::uint32_t i = 1; i <= 2 * many; ++i) {
    old.add(events::lease_ended{
        token_id{i > many ? i - many : i}, driver_id{i}, ride_id{i}, lease_ending::expired});
  }
  run_checker c(only_accepts);
  c.observe(old.at(2h).grant(2 * many, 3, 3 * many).events());
  CHECK(c.finish(at(3h)).kept());
  CHECK(c.account() == none);
}

TEST_CASE("accepts: an account that says otherwise breaks S14", "[checkers]") {
  const history h = offered().at(5s).answer(1, offer_response::accepted).refuse(1);
  check_result j = judged(h.events(), only_accepts, 100s);
  compare(j, lost, lost, at(100s));
  CHECK(j.kept());
  for (const accept_account& wrong : {none,
                                      unwanted,
                                      trip,
                                      accept_account{.in_time = 1, .lost = 2},
                                      accept_account{.in_time = 2, .trips = 1, .lost = 1},
                                      accept_account{.in_time = 2, .unwanted = 1, .lost = 1}}) {
    check_result broken = j;
    compare(broken, lost, wrong, at(100s));
    CHECK(broken.broken == lease::bit(invariant::accepts_accounted));
    CHECK(broken.violation_count == 1);
  }
  compare(j, lost, unwanted, at(100s));
  REQUIRE(j.violations.size() == 1);
  CHECK(j.violations.front().what ==
        "measured are 1 accepts in time: 0 trips, 1 unwanted, 0 lost; the events tell of 1 accepts "
        "in time: 0 trips, 0 unwanted, 1 lost");
  check_result unjudged = judged(h.events(), fenced(), 100s);  // S1 to S12
  compare(unjudged, lost, unwanted, at(100s));
  CHECK((unjudged.broken & lease::bit(invariant::accepts_accounted)) == 0);
}
