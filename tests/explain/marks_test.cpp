// Goal: the harm and what decided it are marked at their own lines, in the order of causes.
// Method: a clock that is set at an instant at which much happens, told by hand.

#include "catch.hpp"
#include "explain/told.hpp"
#include "has.hpp"

#include <algorithm>
#include <cstddef>

using namespace dibs;
using namespace dibs::explain;
using dibs::test::has;
using metrics::teller;

namespace {

/// The lease manager's wall clock is set forward at 5 s. Her lease ends in that instant, and the
/// ride is offered to somebody else in it.
history::recorded_run stepped() {
  teller h;
  h.what.drivers = 2;
  h.online(0, 0);
  h.online(0, 1);
  h.request(0, 0);
  h.grant(1, 1, 0, 0);
  h.send(1, 1);
  h.show(2, 1, 14);
  h.expires(5, 1);
  h.close(5, 1, events::try_ending::lease_lost);
  h.grant(5, 2, 1, 0);
  h.send(5, 2);
  h.show(5, 2, 20);
  h.accept(7, 1);
  history::recorded_run told = told_by(h, lease::protocol::fenced);
  scenario::clock_error clock;
  clock.id = "manager";
  clock.node = {node_kind::lease_manager, {}};
  clock.timers = sim::timebase::wall;
  clock.steps = {{5s, constant_duration{20s}}};
  told.scenario.clocks = {clock};
  return told;
}

std::size_t place_of(const explanation& t, const char* what) {
  const auto found = std::find_if(
      t.steps.begin(), t.steps.end(), [&](const timeline_step& s) { return has(s.what, what); });
  REQUIRE(found != t.steps.end());
  return static_cast<std::size_t>(found - t.steps.begin());
}

}  // namespace

TEST_CASE("marks: a clock that is set comes before what it makes in the same instant") {
  const history::recorded_run h = stepped();
  const history::indexed_run c(h);
  const explanation t = *explanation_of(c, number_of(c, metrics::harm_kind::lost_accept), {});
  CHECK(place_of(t, "wall clock set forward") + 1 == place_of(t, "ends lease 1"));
  CHECK(t.steps[place_of(t, "wall clock set forward")].is == step_mark::decided);
}

TEST_CASE("marks: the harm stands at its own line, and the turn at the act that decided it") {
  const history::recorded_run h = stepped();
  const history::indexed_run c(h);
  const explanation_options how{.find_turn = [](const harm&) {
    return std::optional(point_of_no_return{at(5s), at(5s + 1ms), 17});
  }};
  const explanation t = *explanation_of(c, number_of(c, metrics::harm_kind::lost_accept), how);
  REQUIRE(step_marked(t, step_mark::harm) != nullptr);
  CHECK(has(step_marked(t, step_mark::harm)->what, "ends lease 1"));
  REQUIRE(step_marked(t, step_mark::unavoidable) != nullptr);
  CHECK(has(step_marked(t, step_mark::unavoidable)->what, "wall clock set forward"));
}

TEST_CASE("marks: a promise that was broken is marked at the event that breaks it") {
  teller h = two_trips();
  h.request(6, 2);
  h.tell(7, events::ride_promised{ride_id{1}, token_id::unleased(matcher_id{1}, 2), driver_id{0}});
  put_in_order(h);
  const history::recorded_run whole = told_by(h, lease::protocol::fenced);
  const history::indexed_run c(whole);
  const auto all = harms_of(c);
  const auto s4 = std::find_if(all.begin(), all.end(), [](const harm& b) {
    return b.broken == lease::invariant::no_double_commit;
  });
  REQUIRE(s4 != all.end());
  const explanation t =
      *explanation_of(c, harm_number{static_cast<std::uint32_t>(s4 - all.begin() + 1)}, {});
  REQUIRE(step_marked(t, step_mark::harm) != nullptr);
  CHECK(has(step_marked(t, step_mark::harm)->what, "writes driver 1 down for ride 2"));
}
