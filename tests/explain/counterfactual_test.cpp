// Goal: what is said of a remedy is what became of the harm in the run that tried it.
// Method: the same ride in other histories, and remedies of a run whose outcome is known
// beforehand.

#include "explain/counterfactual.hpp"

#include "catch.hpp"
#include "explain/harm_detector.hpp"
#include "explain/told.hpp"

#include <string>
#include <utility>

using namespace dibs;
using namespace dibs::explain;

namespace {

using metrics::teller;

/// Of two drivers the first one says yes in vain.
teller lost_yes() { return accepted_in_vain({.drivers = 2}); }

harm lost_of(const history::indexed_run& c) { return first_of(c, metrics::harm_kind::lost_accept); }

bool is_there_again(const teller& other, sim_time from = {}) {
  const history::recorded_run h = told_by(lost_yes(), lease::protocol::fenced);
  const history::indexed_run c(h);
  harm_detector looks(c, lost_of(c), h.scenario, {.until = h.end, .from = from});
  looks.observe(other.history);
  return looks.found();
}

scenario::scenario crashing_matcher() {
  scenario::scenario s;
  s.name = "crashing";
  s.clock = {.start = {}, .warmup = 0s, .duration = 2min, .drain = 1min};
  s.world.geography = scenario::geography::none;
  s.world.trip = constant_duration{30s};
  s.demand.emplace_back(scenario::burst_demand{.at = 10s, .around = {}, .every = {}});
  s.drivers.count = 1;
  s.drivers.classes = {
      {.name = "steady", .share = 1, .response = constant_duration{5s}, .accept = 1, .ignore = 0}};
  s.matchers.view_lag = 0s;
  s.lease.protocol = lease::protocol::fenced;
  s.faults = {{"crash", scenario::crash_fault{{node_kind::matcher, 0}, 12s, 0, 40s}}};
  return s;
}

remedy setting(std::string path, std::string value) {
  return {path, {{std::move(path), std::move(value)}}, "accepts.lost_rate"};
}

}  // namespace

TEST_CASE(
    "harm detector: a yes that becomes the trip is not lost, whoever says another one in vain") {
  CHECK(is_there_again(lost_yes()));
  teller served = accepted({.drivers = 2});
  served.confirm_and_commit(6, 1);
  served.grant(7, 2, 1, 0);
  served.send(7, 2);
  served.show(8, 2, 20);
  served.accept(9, 2);
  served.expires(22, 2);
  CHECK_FALSE(is_there_again(served));
}

TEST_CASE("harm detector: another driver's yes counts while the ride has nobody") {
  teller other = accepted_in_vain({.drivers = 2, .asked = 1});
  CHECK(is_there_again(other));
  // As of a harm that another scenario moves into the warm-up.
  CHECK_FALSE(is_there_again(other, at(6s)));
  // Somebody else came first, which nobody had told her matcher.
  other.tell(17,
             events::confirm_refused{
                 token_id{1}, driver_id{1}, ride_id{0}, events::confirm_refusal::ride_taken});
  CHECK_FALSE(is_there_again(other));
}

TEST_CASE(
    "counterfactual: what changes nothing is no remedy, and further ones are tried until one "
    "helps") {
  const history::recorded_run h = run_of(crashing_matcher());
  const history::indexed_run c(h);
  const harm lost = lost_of(c);
  root_cause learnt;
  learnt.remedies = {setting("lease.protocol", "fenced"), setting("lease.grace", "1s")};
  learnt.further = {
      setting("lease.known_by", "token"),
      {"drivers",
       {{"lease.confirm_by", "driver"}, {"lease.commit", "manager"}, {"lease.judge", "manager"}},
       "accepts.lost_rate"},
      setting("lease.ttl", "30s")};
  const auto all = counterfactuals_of(c, lost, learnt, {});
  REQUIRE(all.size() == 2);
  CHECK(all[0].what.set[0].path == "lease.grace");
  CHECK(outcome_of(all[0]) == counterfactual_outcome::fails);
  CHECK_FALSE(all[0].is_further);
  // What is so already is not set again, and what comes behind the one that helps is not tried.
  CHECK(all[1].what.set.size() == 2);
  CHECK(all[1].is_further);
  CHECK(all[1].is_very_yes);
  CHECK(outcome_of(all[1]) == counterfactual_outcome::prevents);
  CHECK(all[1].ride_outcome == "ride 1 gets driver 1 at 0:15.000");
  const auto asked = counterfactuals_of(c, lost, learnt, {.run = false});
  REQUIRE(asked.size() == 1);
  CHECK(outcome_of(asked[0]) == counterfactual_outcome::untried);
}

TEST_CASE("counterfactual: where nobody says yes any more no yes is lost, and the ride is") {
  const history::recorded_run h = run_of(crashing_matcher());
  const history::indexed_run c(h);
  root_cause learnt;
  learnt.remedies = {setting("drivers.classes.1.accept", "0")};
  const auto all = counterfactuals_of(c, lost_of(c), learnt, {});
  REQUIRE(all.size() == 1);
  CHECK(all[0].happens == false);
  CHECK(all[0].loses_ride);
  CHECK(outcome_of(all[0]) == counterfactual_outcome::loses);
  CHECK_FALSE(c.rides()[0].abandoned);
  CHECK(all[0].ride_outcome == "ride 1 then leaves without a driver");
}

TEST_CASE(
    "counterfactual: a lease that hid a driver harmed others than its ride, which leaves anyway") {
  scenario::scenario s = crashing_matcher();
  s.faults.clear();
  s.drivers.classes[0].accept = 0;
  s.drivers.classes[0].ignore = 1;
  const history::recorded_run h = run_of(s);
  const history::indexed_run c(h);
  root_cause learnt;
  learnt.remedies = {setting("lease.ttl", "5s")};
  learnt.remedies[0].metric = "supply.hidden_share";
  const auto all = counterfactuals_of(c, first_of(c, metrics::harm_kind::hiding_lease), learnt, {});
  REQUIRE(all.size() == 1);
  CHECK(all[0].ride_outcome == "ride 1 leaves without a driver all the same");
  CHECK_FALSE(all[0].loses_ride);
  CHECK(outcome_of(all[0]) == counterfactual_outcome::prevents);
}
