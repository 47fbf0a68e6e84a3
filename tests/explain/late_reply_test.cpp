// Goal: a try that was given up for want of a reply, which came later, is told so.
// Method: requests, confirms and writes whose yes arrives after the matcher had given them up,
// told by hand.

#include "explain/late_reply.hpp"

#include "catch.hpp"
#include "explain/told.hpp"
#include "has.hpp"
#include "report/explanation_text.hpp"

#include <algorithm>

using namespace dibs;
using namespace dibs::explain;
using dibs::test::has;
using metrics::teller;

namespace {

constexpr node_id matcher{node_kind::matcher, 0};

void asks(teller& h, double at, events::call what, token_id token, std::uint32_t request = 0) {
  h.tell(at, events::call_made{matcher, what, driver_id{0}, ride_id{0}, token, request});
}

void hears_yes(teller& h, double at, events::call what, std::uint32_t request = 0) {
  h.tell(
      at,
      events::call_answered{
          matcher, what, events::call_answer::yes, driver_id{0}, ride_id{0}, token_id{1}, request});
}

void gives_up(teller& h, double at, token_id token) {
  h.tell(at,
         events::try_closed{
             token, driver_id{0}, ride_id{0}, matcher_id{0}, events::try_ending::no_reply});
}

/// It waits for 0.3 s; her lease is granted at 3 s, heard of at 5 s and back at 7 s.
teller unheard_lease(bool is_given_up = true) {
  teller h;
  h.online(0, 0);
  h.request(0, 0);
  asks(h, 1, events::call::acquire, token_id::none(), 4);
  if (is_given_up) {
    gives_up(h, 1.3, token_id::none());
  }
  h.grant(3, 1, 0, 0);
  hears_yes(h, 5, events::call::acquire, 4);
  asks(h, 5, events::call::release, token_id{1});
  h.ends(7, 1, events::lease_ending::released);
  put_in_order(h);
  return h;
}

history::recorded_run impatient(const teller& h,
                                lease::protocol protocol = lease::protocol::fenced) {
  history::recorded_run whole = told_by(h, protocol);
  whole.scenario.matchers.reply_timeout = 300ms;
  return whole;
}

bool is_told(const explanation& t, const char* what) {
  return std::any_of(
      t.steps.begin(), t.steps.end(), [&](const timeline_step& s) { return has(s.what, what); });
}

}  // namespace

TEST_CASE(
    "late reply: a driver is held in vain by a matcher that waits for less than a reply takes") {
  const history::recorded_run h = impatient(unheard_lease());
  const history::indexed_run c(h);
  const auto t = explanation_of(c, number_of(c, metrics::harm_kind::hiding_lease), {});
  REQUIRE(t);
  CHECK(t->learnt->decided == teller::s(1.3));
  CHECK(t->learnt->reason ==
        "matcher/1 waits 300 ms for a reply (`reply_timeout`), and the yes of the lease manager "
        "came 4 s after it had asked for lease 1: it had given that try up at 0:01.300, and driver "
        "1 was held in vain");
  REQUIRE_FALSE(t->learnt->remedies.empty());
  CHECK(t->learnt->remedies[0].set[0].path == "matchers.reply_timeout");
  CHECK(t->learnt->remedies[0].set[0].value == "5s");
  CHECK(is_told(*t, "asks the lease manager for a lease on driver 1 for ride 1"));
  CHECK(is_told(*t, "is done with driver 1 for ride 1: no reply came"));
  CHECK(is_told(*t, "hears a yes about driver 1 for ride 1"));
  const timeline_step* turn = step_marked(*t, step_mark::decided);
  REQUIRE(turn != nullptr);
  CHECK(has(turn->what, "no reply came"));
  // The same of the ride, whose harm it is.
  CHECK(is_told(*explanation_of(c, ride_id{0}, {}), "hears a yes about driver 1 for ride 1"));
}

TEST_CASE("late reply: a reply that came in time is none, nor is one to another request") {
  const history::recorded_run in_time = impatient(unheard_lease(false));
  const history::indexed_run c(in_time);
  CHECK_FALSE(late_reply_of(c, c.tries()[0]));
  teller other = unheard_lease(false);
  asks(other, 0.4, events::call::acquire, token_id::none(), 3);
  gives_up(other, 0.7, token_id::none());
  put_in_order(other);
  const history::recorded_run whole = impatient(other);
  const history::indexed_run d(whole);
  CHECK_FALSE(late_reply_of(d, d.tries()[0]));
}

TEST_CASE("late reply: a yes is lost to a confirm whose answer comes too late") {
  teller h = accepted();
  asks(h, 6, events::call::confirm, token_id{1});
  gives_up(h, 6.3, token_id{1});
  h.confirm(8, 1);
  hears_yes(h, 10, events::call::confirm);
  h.ends(12, 1, events::lease_ending::cancelled);
  put_in_order(h);
  const history::recorded_run whole = impatient(h);
  const history::indexed_run c(whole);
  const root_cause l = root_cause_of(c, first_of(c, metrics::harm_kind::lost_accept));
  CHECK(l.decided == teller::s(6.3));
  CHECK(has(l.reason, "came 4 s after it had asked it to confirm driver 1 for ride 1"));
  REQUIRE_FALSE(l.remedies.empty());
  CHECK(l.remedies[0].set[0].path == "matchers.reply_timeout");
}

TEST_CASE("late reply: a ride has two drivers since the first trip was heard of too late") {
  teller h;
  h.what.drivers = 2;
  h.online(0, 0);
  h.online(0, 1);
  h.request(0, 0);
  h.offer(1, 1, 0, 0, 0);
  h.show(2, 1, 14);
  h.accept(3, 1);
  const token_id own = token_id::unleased(matcher_id{0}, 1);
  asks(h, 3.5, events::call::write, own);
  gives_up(h, 3.8, own);
  h.offer(4, 2, 1, 0, 0);
  h.commit(5, 1);
  h.show(5, 2, 17);
  h.tell(
      6.5,
      events::call_answered{
          matcher, events::call::write, events::call_answer::yes, driver_id{0}, ride_id{0}, own});
  h.accept(8, 2);
  h.commit(10, 2);
  put_in_order(h);
  const history::recorded_run whole = impatient(h, lease::protocol::none);
  const history::indexed_run c(whole);
  const harm b = first_of(c, metrics::harm_kind::double_commit);
  REQUIRE(b.of_one_ride);
  const root_cause l = root_cause_of(c, b);
  CHECK(l.decided == teller::s(3.8));
  CHECK(has(l.reason, "the yes of the ledger came 3 s after it had asked it to write driver 1"));
  CHECK(has(l.reason, "and ride 1 was offered to driver 2"));
  CHECK(l.remedies[0].set[0].path == "matchers.reply_timeout");
  CHECK(l.remedies[0].metric == "double.rides");
}

TEST_CASE("late reply: branches that disagree are no chance where a rule decides each time") {
  const auto told_with = [](const history::recorded_run& h) {
    const history::indexed_run c(h);
    const explanation_options how{.find_turn = [](const harm&) {
      point_of_no_return found{at(2'775ms), at(2'776ms), 22};
      found.by = inconclusive_reason::mixed;
      found.otherwise = at(3'435ms);
      return std::optional(found);
    }};
    return report::describe(*explanation_of(c, number_of(c, metrics::harm_kind::hiding_lease), how),
                            {},
                            {.width = 1000});
  };
  const std::string by_rule = told_with(impatient(unheard_lease()));
  CHECK_FALSE(has(by_rule, "by chance"));
  CHECK(has(by_rule, "Decided at 0:01.300 ( > )\n"));
  CHECK(has(by_rule, "the events alone tell what decided it (22 runs"));
  CHECK(has(told_with(impatient(unheard_lease(false))), "it does not again: by chance"));
}
