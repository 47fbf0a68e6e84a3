// Goal: a double assignment is told of those two tries that it is of, though its ride and its
// drivers have others.
// Method: a ride with two drivers, one of whom is on another trip for longer, told by hand.

#include "catch.hpp"
#include "explain/harm.hpp"
#include "explain/harm_detector.hpp"
#include "explain/told.hpp"
#include "has.hpp"

#include <algorithm>
#include <string>

using namespace dibs;
using namespace dibs::explain;
using dibs::test::has;
using metrics::teller;

namespace {

/// Ride 1 is offered to two drivers at once, and both of them come: from 7 s to 30 s. Driver 2 says
/// yes to ride 2 as well, and has both from 8 s to 60 s.
teller two_drivers(bool first_comes = true, bool second_has_other = true) {
  teller h;
  h.what.drivers = 2;
  h.online(0, 0);
  h.online(0, 1);
  h.request(0, 0);
  h.request(0, 1);
  h.offer(1, 1, 0, 0, 0);
  h.offer(1, 2, 1, 0, 1);
  h.offer(1, 3, 1, 1, 2);
  for (const std::uint64_t nth : {1U, 2U, 3U}) {
    h.show(2, nth, 14);
  }
  h.accept(4, 1);
  h.accept(5, 2);
  if (first_comes) {
    h.commit(6, 1);
    h.trip_ends(30, 1);
  }
  h.commit(7, 2);
  h.trip_ends(60, 2);
  if (second_has_other) {
    h.accept(7.5, 3);
    h.commit(8, 3);
    h.trip_ends(90, 3);
  }
  put_in_order(h);
  return h;
}

history::recorded_run told_of(const teller& h, lease::protocol protocol = lease::protocol::none) {
  history::recorded_run whole = told_by(h, protocol);
  whole.scenario.matchers.offers.broadcast = 2;
  return whole;
}

harm_number number_where(const history::indexed_run& c, const std::string& words) {
  const auto all = harms_of(c);
  const auto found = std::find_if(
      all.begin(), all.end(), [&](const harm& b) { return has(b.headline, words.c_str()); });
  REQUIRE(found != all.end());
  return {static_cast<std::uint32_t>(found - all.begin() + 1)};
}

harm breach_where(const history::indexed_run& c, const std::string& words) {
  return harms_of(c)[number_where(c, words).value - 1];
}

constexpr const char* both_came = "ride 1: driver 1 and driver 2 were committed to it";
constexpr const char* on_two = "ride 2: driver 2 was committed to it and to ride 1";

}  // namespace

TEST_CASE("harm: a ride with two drivers is theirs, and not that of her other ride") {
  const history::recorded_run h = told_of(two_drivers());
  const history::indexed_run c(h);
  const harm shared = breach_where(c, both_came);
  CHECK(shared.of_one_ride);
  CHECK(shared.tries == std::vector<metrics::try_index>{0, 1});
  const harm of_driver = breach_where(c, on_two);
  CHECK_FALSE(of_driver.of_one_ride);
  CHECK(of_driver.tries == std::vector<metrics::try_index>{1, 2});
}

TEST_CASE("harm: its tries are known whatever its sentence says") {
  history::recorded_run h = told_of(two_drivers());
  const std::vector<harm> told = harms_of(history::indexed_run(h));
  for (metrics::harm_case& n : h.metrics.notables) {
    n.sentence = "something happened";
  }
  const std::vector<harm> untold = harms_of(history::indexed_run(h));
  REQUIRE(untold.size() == told.size());
  for (std::size_t i = 0; i < told.size(); ++i) {
    CHECK(untold[i].tries == told[i].tries);
    CHECK(untold[i].of_one_ride == told[i].of_one_ride);
  }
}

TEST_CASE("harm: a driver on three trips is told with the two that are meant") {
  teller h = two_drivers(false);
  h.request(0, 2);
  h.offer(1, 4, 1, 2, 0);
  h.show(2, 4, 14);
  h.accept(8.5, 4);
  h.commit(9, 4);
  h.trip_ends(50, 4);
  put_in_order(h);
  const history::recorded_run whole = told_of(h);
  const history::indexed_run c(whole);
  // Of ride 3 both overlaps begin at 9 s, and last as long.
  CHECK(breach_where(c, "ride 3: driver 2 was committed to it and to ride 1").tries ==
        std::vector<metrics::try_index>{1, 3});
  CHECK(breach_where(c, "ride 3: driver 2 was committed to it and to ride 2").tries ==
        std::vector<metrics::try_index>{2, 3});
}

TEST_CASE(
    "harm: the story of a ride with two drivers tells both, and is over with its "
    "harm") {
  const history::recorded_run h = told_of(two_drivers());
  const history::indexed_run c(h);
  const auto t = explanation_of(c, number_where(c, both_came), {});
  REQUIRE(t);
  const auto told = [&](const char* what) {
    return std::count_if(t->steps.begin(), t->steps.end(), [&](const timeline_step& s) {
      return has(s.what, what);
    });
  };
  CHECK(told("writes driver 1 down for ride 1") == 1);
  CHECK(told("writes driver 2 down for ride 1") == 1);
  CHECK(told("ride 2") == 0);
  REQUIRE(t->learnt);
  CHECK(t->learnt->decided == teller::s(5));
  CHECK(has(t->learnt->reason, "`broadcast: 2`"));
  REQUIRE_FALSE(t->learnt->remedies.empty());
  CHECK(t->learnt->remedies[0].set[0].path == "matchers.offers.broadcast");
  for (const auto* all : {&t->learnt->remedies, &t->learnt->further}) {
    CHECK(std::all_of(
        all->begin(), all->end(), [](const remedy& r) { return r.metric == "double.rides"; }));
  }
  const timeline_step* harm = step_marked(*t, step_mark::harm);
  REQUIRE(harm != nullptr);
  CHECK(has(harm->what, "writes driver 2 down for ride 1"));
  CHECK(step_marked(*t, step_mark::decided)->what == "accepts ride 1");
  CHECK(step_marked(*t, step_mark::decided)->where == node_of(driver_id{1}));
  CHECK(t->besides.empty());
}

TEST_CASE("harm: a promise that a ride has one driver is told of both of them") {
  const history::recorded_run h = told_of(two_drivers(), lease::protocol::fenced);
  const history::indexed_run c(h);
  const harm b = breach_where(c, "ride 1 has drivers 1 and 2");
  CHECK(b.broken == lease::invariant::no_double_commit);
  CHECK(b.tries == std::vector<metrics::try_index>{0, 1});
  const auto t = explanation_of(c, number_where(c, "ride 1 has drivers 1 and 2"), {});
  REQUIRE(t);
  CHECK(t->learnt->remedies[0].metric == "double.rides");
}

TEST_CASE("harm: of the drivers whom a ride hid at once each is told of for herself") {
  teller h;
  h.what.drivers = 2;
  h.online(0, 0);
  h.online(0, 1);
  h.request(0, 0);
  h.grant(1, 1, 0, 0);
  h.grant(1, 2, 1, 0, 1);
  h.expires(16, 1);
  h.expires(16, 2);
  put_in_order(h);
  const history::recorded_run whole = told_by(h, lease::protocol::fenced);
  const history::indexed_run c(whole);
  CHECK(breach_where(c, "its lease hid driver 1 ").driver == driver_id{0});
  CHECK(breach_where(c, "its lease hid driver 2 ").driver == driver_id{1});
}

TEST_CASE(
    "harm detector: a ride with two drivers and a driver with two rides are each their own harm") {
  const history::recorded_run h = told_of(two_drivers());
  const history::indexed_run c(h);
  const auto is_there_in = [&](const teller& other, const char* words) {
    harm_detector looks(c, breach_where(c, words), h.scenario, {.until = h.end, .from = {}});
    looks.observe(other.history);
    return looks.found();
  };
  CHECK(is_there_in(two_drivers(), both_came));
  CHECK_FALSE(is_there_in(two_drivers(false, true), both_came));
  CHECK(is_there_in(two_drivers(), on_two));
  CHECK_FALSE(is_there_in(two_drivers(true, false), on_two));
}
