// Goal: a run that gets nowhere ends, and says who waits for what.
// Method: worlds in which a ride can never be served, each for one reason.

#include "engine/watchdog.hpp"

#include "catch.hpp"
#include "engine/run.hpp"
#include "engine/wait_diagnosis.hpp"
#include "events/one_of_each.hpp"
#include "scenarios.hpp"
#include "whole_runs.hpp"

#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

using namespace dibs;
using test::result_of;
using test::small_town;

namespace {

std::string told(const engine::stall& s) {
  std::string all = s.why + "\n";
  for (const std::string& line : s.waits) {
    all += line + "\n";
  }
  return all;
}

/// Nobody gives up by himself.
scenario::scenario endless_waits() {
  scenario::scenario s = small_town();
  s.clock = {.start = {}, .warmup = {}, .duration = 10h, .drain = 1min};
  s.demand = {
      scenario::burst_demand{.at = 1s, .within = {}, .rides = 3, .around = {}, .every = {}}};
  s.world.geography = scenario::geography::none;
  s.world.trip = constant_duration{1min};
  s.riders.ask_again = std::nullopt;
  s.matchers.offers.total_wait = forever;
  s.matchers.offers.max = 1000;
  s.drivers.count = 3;
  return s;
}

}  // namespace

TEST_CASE("watchdog: a run that is in order is let run") {
  CHECK_FALSE(result_of(small_town()).stuck.has_value());
  CHECK_FALSE(result_of(test::rough_town()).stuck.has_value());
}

TEST_CASE("watchdog: rides behind drivers who were all asked before are found out") {
  auto s = endless_waits();
  s.drivers.classes = {
      {.name = "never", .share = 1, .response = never_duration{}, .accept = 0, .ignore = 1}};
  s.lease.ttl = 15s;
  const auto result = result_of(s);
  REQUIRE(result.stuck);
  CHECK(result.stuck->since < at(2min));
  CHECK(result.reached < at(1h));
  const std::string words = told(*result.stuck);
  CHECK(words.find("ride 1 has waited since 1.000 s: nobody tries for it") != std::string::npos);
  CHECK(words.find("3 drivers are online, and none of them is held") != std::string::npos);
}

TEST_CASE("watchdog: drivers who decline at once, again and again, end no ride and so the run") {
  auto s = endless_waits();
  s.matchers.offers.max = 1'000'000;
  s.matchers.offers.cooldown_after_decline = sim_duration::zero();
  s.drivers.classes = {{.name = "no",
                        .share = 1,
                        .response = constant_duration{sim_duration::zero()},
                        .accept = 0,
                        .ignore = 0}};
  for (const sim_duration latency : {sim_duration::zero(), sim_duration{1ms}}) {
    if (latency > sim_duration::zero()) {
      scenario::link_options l;
      l.from = {node_kind::matcher, {}};
      l.to = {node_kind::driver, {}};
      l.both_ways = true;
      l.latency = constant_duration{latency};
      s.network.push_back(l);
    }
    const auto result = result_of(s);
    REQUIRE(result.stuck);
    CHECK(told(*result.stuck).find("offers, and no ride came to its end") != std::string::npos);
    CHECK(result.events < 1'000'000);
  }
}

TEST_CASE("watchdog: a lease without end on a driver who never answers is named") {
  auto s = endless_waits();
  s.lease.protocol = lease::protocol::pessimistic;
  s.lease.ttl = forever;
  s.lease.offer_window = forever;
  s.drivers.count = 1;
  s.drivers.classes = {
      {.name = "never", .share = 1, .response = never_duration{}, .accept = 0, .ignore = 1}};
  const auto result = result_of(s);
  REQUIRE(result.stuck);
  const std::string words = told(*result.stuck);
  CHECK(words.find("awaits driver/1's answer to the offer of 1.000 s (token 1)") !=
        std::string::npos);
  CHECK(words.find("1 of 1 drivers online are held; the longest is driver/1 by token 1 of ride") !=
        std::string::npos);
  CHECK(words.find("without end") != std::string::npos);
}

TEST_CASE("watchdog: one instant that never passes is found out") {
  engine::stall_limits brief;
  brief.events_at_once_max = 1000;
  engine::watchdog w(brief);
  CHECK_FALSE(w.look(at(1s), 500));
  CHECK_FALSE(w.look(at(2s), 2000));
  CHECK_FALSE(w.look(at(2s), 3000));
  const auto stuck = w.look(at(2s), 3001);
  REQUIRE(stuck);
  CHECK(stuck->why == "1001 events at one instant, and no end");
}

TEST_CASE("watchdog: a world without drivers is told") {
  CHECK(engine::wait_diagnosis().waits() == std::vector<std::string>{"no driver was ever online"});
}

TEST_CASE("watchdog: who waits is told of a run by mailbox, too") {
  auto s = endless_waits();
  s.drivers.classes = {
      {.name = "never", .share = 1, .response = never_duration{}, .accept = 0, .ignore = 1}};
  const auto by_mailbox = engine::run(s, {.delivery = engine::delivery::mailbox});
  REQUIRE(by_mailbox);
  REQUIRE(by_mailbox->stuck);
  CHECK(by_mailbox->stuck->waits == result_of(s).stuck->waits);
}

namespace {

/// Whether it takes a run for stuck in which this has happened and then nothing for two hours.
bool seems_stuck(const std::vector<events::event>& history) {
  engine::stall_limits an_hour;
  an_hour.quiet_max = 1h;
  engine::watchdog w(an_hour);
  w.observe(history);
  return w.look(at(2h), 10).has_value();
}

template <class Fact>
events::event at_1s(const Fact& f) {
  return {at(1s), {}, f};
}

}  // namespace

TEST_CASE("watchdog: rides that wait are stuck, unless somebody is on a trip or out of action") {
  const auto asks = [](std::uint32_t r) { return at_1s(events::ride_requested{ride_id{r}, {}}); };
  const auto leaves = [](std::uint32_t r) { return at_1s(events::ride_abandoned{ride_id{r}, {}}); };
  const auto commits = [](std::uint64_t token, std::uint32_t r) {
    return at_1s(events::trip_committed{token_id{token}, driver_id{4}, ride_id{r}, matcher_id{0}});
  };
  const auto ends = [](std::uint64_t token, std::uint32_t r) {
    return at_1s(events::trip_ended{token_id{token}, driver_id{4}, ride_id{r}, {}});
  };
  const node_id manager{node_kind::lease_manager, 0};

  CHECK_FALSE(seems_stuck({}));
  CHECK(seems_stuck({asks(0)}));
  CHECK_FALSE(seems_stuck({{at(1h), {}, events::ride_requested{ride_id{0}, {}}}}));
  CHECK_FALSE(seems_stuck({asks(0), leaves(0)}));
  CHECK_FALSE(seems_stuck({asks(0), asks(0), leaves(0)}));
  CHECK(seems_stuck({asks(0), leaves(0), leaves(0), asks(1)}));
  CHECK(seems_stuck({leaves(0), asks(1)}));

  CHECK_FALSE(seems_stuck({asks(0), asks(1), commits(7, 0)}));
  CHECK(seems_stuck({asks(0), asks(1), commits(7, 0), ends(7, 0)}));
  CHECK_FALSE(seems_stuck({asks(0), asks(1), commits(7, 0), commits(8, 0), ends(7, 0)}));
  CHECK(seems_stuck({asks(0), asks(1), commits(7, 0), commits(8, 0), ends(7, 0), ends(8, 0)}));
  CHECK(
      seems_stuck({asks(0),
                   asks(1),
                   commits(7, 0),
                   at_1s(events::assignment_revoked{ride_id{0}, token_id{7}, driver_id{4}, {}})}));

  CHECK_FALSE(seems_stuck({asks(0), at_1s(events::node_paused{manager})}));
  CHECK(seems_stuck(
      {asks(0), at_1s(events::node_paused{manager}), at_1s(events::node_resumed{manager})}));
  CHECK_FALSE(seems_stuck({asks(0), at_1s(events::node_crashed{manager})}));
  CHECK(seems_stuck(
      {asks(0), at_1s(events::node_crashed{manager}), at_1s(events::node_restarted{manager})}));
}

TEST_CASE("watchdog: what brings a ride on is progress, and nothing else is") {
  // A commit puts her on a trip, a crash or a pause puts a node out of action: these are waited
  // for.
  const std::set<std::string_view> keeps_it_going{"ride_abandoned",
                                                  "ride_cancelled",
                                                  "lease_granted",
                                                  "lease_renewed",
                                                  "lease_ended",
                                                  "ride_claimed",
                                                  "zone_granted",
                                                  "ride_claim_ended",
                                                  "offer_sent",
                                                  "offer_dismissed",
                                                  "offer_answered",
                                                  "trip_ended",
                                                  "trip_committed",
                                                  "assignment_revoked",
                                                  "node_crashed",
                                                  "node_restarted",
                                                  "node_paused",
                                                  "node_resumed"};
  std::set<std::string_view> met;
  for (events::event e : events::one_of_each()) {
    const auto name = std::visit([](const auto& f) { return f.name; }, e.what);
    CAPTURE(name);
    e.t = at(90min);
    CHECK(seems_stuck({at_1s(events::ride_requested{ride_id{0}, {}}), e}) ==
          !keeps_it_going.contains(name));
    met.insert(name);
  }
  for (const std::string_view name : keeps_it_going) {
    CAPTURE(name);
    CHECK(met.contains(name));
  }
}

TEST_CASE("watchdog: events without progress, and offers without an end, are counted from it") {
  engine::stall_limits brief;
  brief.events_in_vain_max = 1000;
  brief.offers_in_vain_max = 10;
  engine::watchdog w(brief);
  const auto tell = [&](sim_time t, const events::fact& f) {
    const events::event e{t, {}, f};
    w.observe({&e, 1});
  };
  const events::offer_sent offer{token_id{7}, driver_id{4}, ride_id{0}, matcher_id{0}};
  tell(at(1s), events::ride_requested{ride_id{0}, {}});
  CHECK_FALSE(w.look(at(1s), 500));
  CHECK_FALSE(w.look(at(2s), 1500));
  tell(at(3s), offer);
  CHECK_FALSE(w.look(at(3s), 1501));
  CHECK_FALSE(w.look(at(4s), 2501));
  const auto stuck = w.look(at(5s), 2502);
  REQUIRE(stuck);
  CHECK(stuck->why == "1001 events brought no ride on");
  CHECK(stuck->since == at(3s));

  for (int i = 1; i < 10 + 100; ++i) {
    tell(at(6s), offer);
  }
  CHECK_FALSE(w.look(at(6s), 2503));
  tell(at(6s), offer);
  CHECK(w.look(at(6s), 2504)->why == "111 offers, and no ride came to its end");

  // A ride that comes may be tried as often, and so may the others when one is settled.
  const auto offers = [&](int count) {
    for (int i = 0; i < count; ++i) {
      tell(at(7s), offer);
    }
  };
  tell(at(7s), events::ride_requested{ride_id{1}, {}});
  offers(10 + 200);
  CHECK_FALSE(w.look(at(7s), 2505));
  tell(at(7s), events::ride_abandoned{ride_id{0}, {}});
  offers(10 + 100);
  CHECK_FALSE(w.look(at(7s), 2506));
  tell(at(7s), events::ride_abandoned{ride_id{1}, {}});
  offers(1000);
  CHECK_FALSE(w.look(at(7s), 2507));  // nobody waits
}

TEST_CASE("watchdog: who crashed awaits nothing any more") {
  const std::vector<events::event> history{
      {at(1s), {}, events::ride_requested{ride_id{0}, {}}},
      {at(1s), {}, events::ride_requested{ride_id{1}, {}}},
      {at(2s), {}, events::offer_sent{token_id{7}, driver_id{4}, ride_id{0}, matcher_id{1}}},
      {at(2s), {}, events::offer_sent{token_id{8}, driver_id{5}, ride_id{1}, matcher_id{0}}},
      {at(3s), {}, events::node_crashed{{node_kind::matcher, 1}}}};
  engine::wait_diagnosis watches;
  watches.observe(history);
  const auto waits = watches.waits();
  CHECK(waits.at(0) ==
        "ride 1 has waited since 1.000 s: matcher/2 forgot its try for it when it crashed, at "
        "3.000 s");
  CHECK(
      waits.at(1) ==
      "ride 2 has waited since 1.000 s: matcher/1 awaits driver/6's answer to the offer of 2.000 s "
      "(token 8)");
}

TEST_CASE("watchdog: a call that nobody answers is told with its server's state") {
  engine::watchdog w({});
  const node_id matcher{node_kind::matcher, 1};
  const std::vector<events::event> history{
      {at(1s), {}, events::ride_requested{ride_id{0}, {}}},
      {at(2s), {}, events::node_crashed{{node_kind::lease_manager, 0}}},
      {at(3s),
       {},
       events::call_made{
           matcher, events::call::confirm, driver_id{4}, ride_id{0}, token_id{7}, 0}}};
  w.observe(history);
  engine::wait_diagnosis watches;
  watches.observe(history);
  CHECK_FALSE(w.look(at(100h), 10));  // the manager may come back
  CHECK(w.nothing_left(at(100h)));
  CHECK(watches.waits().front() ==
        "ride 1 has waited since 1.000 s: matcher/2 awaits the answer of lease_manager, down since "
        "2.000 s, to the confirm of 3.000 s (token 7)");
}
