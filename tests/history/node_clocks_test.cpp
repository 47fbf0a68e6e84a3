#include "history/node_clocks.hpp"

#include "catch.hpp"
#include "explain/told.hpp"
#include "has.hpp"
#include "history/event_text.hpp"
#include "report/explanation_text.hpp"

#include <algorithm>

using namespace dibs;
using namespace dibs::history;
using dibs::test::has;

namespace {

sim_time s(double seconds) { return metrics::teller::s(seconds); }

/// The lease manager's wall clock is 6 s ahead. Granted at 1 s, over at 16 s, answered at 18 s.
metrics::teller answered_after_the_end() {
  metrics::teller h;
  h.online(0, 0);
  h.request(0, 0);
  h.grant(1, 1, 0, 0);
  h.tell(1.5, events::offer_sent{token_id{1}, driver_id{0}, ride_id{0}, matcher_id{0}});
  h.show(2, 1, 20);
  h.expires(16, 1);
  h.accept(18, 1);
  return h;
}

recorded_run told_with(const metrics::teller& h, scenario::deadline how) {
  recorded_run told = explain::told_by(h, lease::protocol::fenced);
  told.scenario.lease.deadline = how;
  told.scenario.lease.judge = scenario::judge::holder;
  scenario::clock_error ahead;
  ahead.node = {node_kind::lease_manager, {}};
  ahead.offset = constant_duration{6s};
  told.scenario.clocks = {ahead};
  return history_of(told.scenario, 1, h.history, h.end);
}

explain::harm lost_accept_of(const indexed_run& c) {
  return explain::first_of(c, metrics::harm_kind::lost_accept);
}

}  // namespace

TEST_CASE("clocks: where deadlines travel as instants a node judges by its wall clock") {
  const metrics::teller h = answered_after_the_end();
  const recorded_run by_instant = told_with(h, scenario::deadline::absolute);
  const indexed_run c(by_instant);
  const node_id manager{node_kind::lease_manager, 0};
  CHECK(c.clocks().by_wall());
  CHECK(c.clocks().judging(manager, s(1), {}, {}).time_since_epoch() == 7s);
  CHECK(c.clocks().beyond_timers(manager, s(1), {}, {}) == 6s);
  CHECK(c.clocks().beyond_timers(node_of(matcher_id{0}), s(1), {}, {}) == 0s);
  REQUIRE(c.tries().size() == 1);
  CHECK(c.clocks().left_at_offer(c.tries()[0]) == 20s + 500ms);
  CHECK(c.clocks().trusted_until(c.tries()[0]) == s(22));
}

TEST_CASE("clocks: where they travel as durations a wall clock has no part in it") {
  const metrics::teller h = answered_after_the_end();
  const recorded_run by_duration = told_with(h, scenario::deadline::duration);
  const indexed_run c(by_duration);
  CHECK_FALSE(c.clocks().by_wall());
  CHECK(c.clocks().beyond_timers({node_kind::lease_manager, 0}, s(1), {}, {}) == 0s);
  CHECK_FALSE(c.clocks().left_at_offer(c.tries()[0]));
  CHECK(c.clocks().json({true}).empty());
}

TEST_CASE("clocks: a story tells the readings by which its nodes judged") {
  const recorded_run told_history =
      told_with(answered_after_the_end(), scenario::deadline::absolute);
  const indexed_run c(told_history);
  const auto t = explain::explanation_of(c, explain::harm_number{1}, {});
  REQUIRE(t);
  const std::string text = report::describe(*t, {}, {.width = 200});
  CHECK(has(text, " 0:01.000   0:07.000  lease manager"));
  const auto tells = [&](const std::string& part) {
    return std::any_of(t->steps.begin(), t->steps.end(), [&](const explain::timeline_step& each) {
      return has(each.what, part);
    });
  };
  CHECK(tells("for 15 s, until 0:22.000 on its clock"));
  CHECK(tells("of which its clock says that 20.5 s is left"));
  CHECK(has(text, "Own clock: the wall clock"));
}

TEST_CASE("clocks: an offer that is over by its sender's clock is told in plain words") {
  const events::event e{.what = events::offer_sent{}};
  const auto with = [&](sim_duration left) { return describe(e, {.left = left}); };
  CHECK(has(with(-5s), "which was over 5 s ago by its clock"));
  CHECK(has(with(0s), "which is over just now by its clock"));
  CHECK(has(with(5s), "of which its clock says that 5 s is left"));
}

TEST_CASE("clocks: the cause of an answer after the end is the clock that was behind") {
  const recorded_run told_history =
      told_with(answered_after_the_end(), scenario::deadline::absolute);
  const indexed_run c(told_history);
  const explain::root_cause l = explain::root_cause_of(c, lost_accept_of(c));
  INFO(l.reason);
  CHECK(has(l.reason, "the deadline travelled as an instant"));
  CHECK(has(l.reason, "6 s after the lease manager has ended the lease"));
  REQUIRE(l.remedies.size() == 1);
  CHECK(l.remedies[0].set[0].path == "lease.deadline");
  CHECK(l.decided == s(1));
}

TEST_CASE("cause: a write that leaves in time and comes late is the cause of a lost accept") {
  metrics::teller h = answered_after_the_end();
  std::erase_if(h.history, [](const events::event& e) {
    return std::holds_alternative<events::offer_answered>(e.what) ||
           std::holds_alternative<events::lease_ended>(e.what);
  });
  h.accept(5, 1);
  events::call_made write;
  write.client = node_of(matcher_id{0});
  write.what = events::call::write;
  write.driver = driver_id{0};
  write.ride = ride_id{0};
  write.token = token_id{1};
  h.tell(6, write);
  h.expires(16, 1);
  h.tell(20,
         events::write_refused{
             token_id{1}, driver_id{0}, ride_id{0}, events::write_refusal::stale_token});
  const recorded_run late = explain::told_by(h, lease::protocol::fenced);
  const indexed_run c(late);
  const explain::root_cause l = explain::root_cause_of(c, lost_accept_of(c));
  INFO(l.reason);
  CHECK(has(l.reason,
            "which had 10 s left, and asked for the write, and the ledger had it 14 s later"));
  CHECK(l.decided == s(6));
  REQUIRE_FALSE(l.remedies.empty());
  CHECK(l.remedies[0].set[0].path == "lease.commit");
}

TEST_CASE("cause: a lease that stays for a clock that was set back tells of the step") {
  metrics::teller h = explain::offered();
  h.expires(46, 1);
  recorded_run whole = explain::told_by(h, lease::protocol::fenced);
  sim::clock_error back;
  back.node = {node_kind::lease_manager, {}};
  back.timers = sim::timebase::wall;
  back.steps = {{5s, constant_duration{-30s}}};
  whole.scenario.clocks = {back};
  const indexed_run c(whole);
  const explain::harm hidden = explain::first_of(c, metrics::harm_kind::hiding_lease);
  const explain::root_cause l = explain::root_cause_of(c, hidden);
  INFO(l.reason);
  CHECK(has(l.reason, "set back by 30 s at 0:05.000, and lease 1 ended 30 s after its time"));
  CHECK(l.decided == s(5));
  REQUIRE_FALSE(l.remedies.empty());
  CHECK(l.remedies[0].set[0].path == "clocks.1.timers");
  const explain::explanation t =
      *explain::explanation_of(c, explain::number_of(c, metrics::harm_kind::hiding_lease), {});
  const explain::timeline_step* decided = explain::step_marked(t, explain::step_mark::decided);
  REQUIRE(decided != nullptr);
  CHECK(decided->what == "has its wall clock set back by 30 s");
  CHECK(decided->local.time_since_epoch() == -25s);
  // On the monotonic clock a step has no part in it.
  whole.scenario.clocks[0].timers = sim::timebase::monotonic;
  const indexed_run right(whole);
  CHECK(has(explain::root_cause_of(right, hidden).reason, "nobody cleaned it up"));
  const explain::explanation other = *explain::explanation_of(
      right, explain::number_of(right, metrics::harm_kind::hiding_lease), {});
  CHECK(
      std::none_of(other.steps.begin(), other.steps.end(), [](const explain::timeline_step& each) {
        return has(each.what, "wall clock");
      }));
}

TEST_CASE("cause: a lease that ends early under right clocks is owed to the transaction's") {
  metrics::teller h = explain::offered();
  h.expires(9, 1);
  h.accept(12, 1);
  recorded_run whole = explain::told_by(h, lease::protocol::fenced);
  whole.scenario.lease.transaction = constant_duration{7s};
  const indexed_run c(whole);
  const explain::root_cause l = explain::root_cause_of(c, lost_accept_of(c));
  INFO(l.reason);
  CHECK(has(l.reason, "lease 1 ended 7 s before its time"));
  CHECK(has(l.reason, "(`transaction`); no clock is wrong"));
  REQUIRE_FALSE(l.remedies.empty());
  CHECK(l.remedies[0].set[0].path == "lease.transaction");
}

TEST_CASE("cause: a holder whose clock is ahead gives a live lease up") {
  metrics::teller h = explain::accepted();
  h.tell(4, events::try_closed{token_id{1}, driver_id{0}, ride_id{0}, matcher_id{0}, {}});
  h.expires(16, 1);
  explain::put_in_order(h);
  recorded_run whole = explain::told_by(h, lease::protocol::fenced);
  whole.scenario.lease.deadline = scenario::deadline::absolute;
  sim::clock_error ahead;
  ahead.node = {node_kind::matcher, {}};
  ahead.offset = constant_duration{12s};
  whole.scenario.clocks = {ahead};
  const indexed_run c(whole);
  const explain::root_cause l = explain::root_cause_of(c, lost_accept_of(c));
  INFO(l.reason);
  CHECK(has(l.reason, "the clock of matcher/1 comes to it 12 s before the lease is over: at 0:04"));
  CHECK(has(l.reason, "(the clock of matcher/1 was 12 s ahead)"));
  REQUIRE_FALSE(l.remedies.empty());
  CHECK(l.remedies[0].set[0].path == "lease.deadline");
}
