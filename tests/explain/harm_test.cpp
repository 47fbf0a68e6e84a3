/// What is found to have made a harm, and which words crossed.
#include "explain/harm.hpp"

#include "catch.hpp"
#include "explain/root_cause.hpp"
#include "explain/told.hpp"
#include "has.hpp"
#include "history/event_text.hpp"
#include "history/message_in_flight.hpp"

#include <algorithm>

using namespace dibs;
using namespace dibs::explain;
using dibs::test::has;

namespace {

constexpr node_id first_matcher{node_kind::matcher, 0};

/// A call of the first matcher about lease 1, on driver 1 for ride 1, and its answer.
void asks(metrics::teller& h, double at, events::call what) {
  h.tell(at, events::call_made{first_matcher, what, driver_id{0}, ride_id{0}, token_id{1}});
}

void hears(metrics::teller& h, double at, events::call what, events::call_answer answer) {
  h.tell(at,
         events::call_answered{first_matcher, what, answer, driver_id{0}, ride_id{0}, token_id{1}});
}

std::vector<std::string> crossings(const history::recorded_run& h) {
  const history::indexed_run c(h);
  return history::message_crossings(c, history::messages_in_flight(c, {0}));
}

/// Ride 1 waits from 0 s on while its only driver is held for others, a lease each 10 s.
metrics::teller starved(std::uint32_t leases) {
  metrics::teller h;
  h.online(0, 0);
  h.request(0, 0);
  for (std::uint32_t n = 1; n <= leases; ++n) {
    h.request(10 * n - 9, n);
    h.grant(10 * n - 9, n, 0, n, 1, 9s);
    h.expires(10 * n, n);
  }
  h.abandon(10 * leases + 5, 0);
  put_in_order(h);
  return h;
}

}  // namespace

TEST_CASE("flights: a confirm crosses the end of its lease, whenever that was heard") {
  metrics::teller h = accepted();
  asks(h, 15, events::call::confirm);
  h.expires(16, 1);
  h.refuse(17, 1);
  hears(h, 18, events::call::confirm, events::call_answer::no);
  const auto told = crossings(told_by(h, lease::protocol::fenced));
  REQUIRE(told.size() == 1);
  CHECK(told[0] ==
        "the confirm of lease 1 (matcher/1 to lease manager, 0:15.000 to 0:17.000) and the end of "
        "lease 1 (lease manager to matcher/1, said at 0:16.000)");
}

TEST_CASE("flights: an end that the confirm itself brought about crosses nothing") {
  metrics::teller h = accepted();
  asks(h, 15, events::call::confirm);
  h.expires(17, 1);
  h.refuse(17, 1);
  hears(h, 18, events::call::confirm, events::call_answer::no);
  CHECK(crossings(told_by(h, lease::protocol::fenced)).empty());
}

TEST_CASE("flights: a holder that closed its try by itself is not said to have heard then") {
  metrics::teller own = offered();
  own.expires(16, 1);
  own.close(16.5, 1, events::try_ending::timed_out);
  const history::recorded_run by_itself = told_by(own, lease::protocol::fenced);
  const history::indexed_run c(by_itself);
  CHECK(history::messages_in_flight(c, {0}).back().when.end == dibs::never);

  metrics::teller heard = offered();
  heard.expires(16, 1);
  heard.close(16.5, 1, events::try_ending::lease_lost);
  const history::recorded_run by_word = told_by(heard, lease::protocol::fenced);
  const history::indexed_run d(by_word);
  CHECK(history::messages_in_flight(d, {0}).back().when.end == metrics::teller::s(16.5));
}

TEST_CASE("harm: a ride that starved is told of all who were held while it did") {
  const history::recorded_run two = told_by(starved(2), lease::protocol::fenced);
  const history::indexed_run c(two);
  const harm short_one = first_of(c, metrics::harm_kind::starved_ride);
  CHECK(short_one.tries == std::vector<metrics::try_index>{0, 1});
  CHECK(short_one.further == 0);

  const history::recorded_run nine = told_by(starved(9), lease::protocol::fenced);
  const history::indexed_run d(nine);
  const harm long_one = first_of(d, metrics::harm_kind::starved_ride);
  CHECK(long_one.tries.size() == 6);
  CHECK(long_one.further == 3);
  const auto t = explanation_of(d, number_of(d, metrics::harm_kind::starved_ride), {});
  REQUIRE(t);
  CHECK(t->besides == "of the leases that held drivers near it while it waited 3 are not told of");
}

TEST_CASE("harm: a broken promise is told with the trip that she drove") {
  metrics::teller h;
  h.online(0, 0);
  for (std::uint32_t r = 0; r < 3; ++r) {
    h.request(0, r);
    h.offer(1, r + 1, 0, r, r);
    h.show(2, r + 1, 14);
    h.accept(3 + r, r + 1);
    h.commit(3.5 + r, r + 1);
    h.promise(3.6 + r, r + 1);
  }
  h.pick_up(10, 3);
  h.revoke(50, 1, events::revocation::no_show);
  h.revoke(55, 2, events::revocation::no_show);
  h.trip_ends(60, 3);
  put_in_order(h);
  const history::recorded_run told = told_by(h, lease::protocol::none);
  const history::indexed_run c(told);
  int broken = 0;
  for (const harm& b : harms_of(c)) {
    if (!b.broken && b.harm == metrics::harm_kind::broken_promise) {
      ++broken;
      REQUIRE(b.tries.size() == 2);
      CHECK(c.tries()[b.tries[0]].ride == ride_id{2});
    }
  }
  CHECK(broken == 2);
}

TEST_CASE("root cause: a lease that a clock ended early is lost when it ends, by that clock") {
  metrics::teller h;
  h.online(0, 0);
  h.request(0, 0);
  h.grant(1, 1, 0, 0);
  h.send(1, 1);
  h.show(2, 1, 14);
  h.expires(6, 1);
  h.accept(7, 1);
  history::recorded_run told = told_by(h, lease::protocol::fenced);
  scenario::clock_error stepped;
  stepped.id = "manager";
  stepped.node = {node_kind::lease_manager, {}};
  stepped.timers = sim::timebase::wall;
  stepped.steps = {{5s, constant_duration{20s}}};
  told.scenario.clocks = {stepped};
  const history::indexed_run c(told);
  const root_cause l = root_cause_of(c, first_of(c, metrics::harm_kind::lost_accept));
  CHECK(l.decided == metrics::teller::s(5));
  CHECK(has(l.reason, "set forward by 20 s at 0:05.000, and lease 1 ended 10 s before its time"));
}

TEST_CASE("harm: a driver who was hidden is told without a calm that the run has not") {
  metrics::teller h = starved(2);
  const history::recorded_run told = told_by(h, lease::protocol::fenced);
  const history::indexed_run c(told);
  REQUIRE(first_of(c, metrics::harm_kind::starved_ride).tries.size() == 2);
  const auto all = harms_of(c);
  const bool is_hidden = std::any_of(all.begin(), all.end(), [](const harm& b) {
    return !b.broken && b.harm == metrics::harm_kind::hiding_lease;
  });
  REQUIRE(is_hidden);
  const auto t = explanation_of(c, number_of(c, metrics::harm_kind::hiding_lease), {});
  REQUIRE(t);
  CHECK(t->besides.empty());
}

TEST_CASE("root cause: a lease that was given back in vain says so") {
  metrics::teller h = offered();
  h.decline(5, 1);
  asks(h, 5.5, events::call::release);
  h.expires(16, 1);
  history::recorded_run told = told_by(h, lease::protocol::fenced);
  told.scenario.lease.release_frees = false;
  const history::indexed_run c(told);
  const auto t = explanation_of(c, number_of(c, metrics::harm_kind::hiding_lease), {});
  REQUIRE(t);
  REQUIRE(t->learnt);
  CHECK(t->learnt->reason ==
        "matcher/1 gave lease 1 back at 0:05.500, and the lease manager kept driver 1 until it "
        "ran out");
  CHECK(t->learnt->remedies.front().set.front().path == "lease.released");
  const auto given_back =
      std::find_if(t->steps.begin(), t->steps.end(), [](const timeline_step& s) {
        return s.what == "gives back driver 1 for ride 1 (lease 1)";
      });
  CHECK(given_back != t->steps.end());
}

TEST_CASE("fact: the rider at the end of a link is known by the ride") {
  const events::event e{
      metrics::teller::s(1),
      {},
      events::message_lost{
          {node_kind::rider, 155}, first_matcher, ride_id{178}, {}, events::loss_cause::crash}};
  CHECK(history::describe(e) ==
        "misses a message of the rider about ride 179: nobody is up to take it");
  const events::event there{
      metrics::teller::s(1),
      {},
      events::message_lost{
          first_matcher, {node_kind::rider, 155}, ride_id{178}, {}, events::loss_cause::crash}};
  CHECK(history::subjects_of(there.what, false).where == node_id{node_kind::rider, 178});
}
