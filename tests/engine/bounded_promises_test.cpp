// Goal: what needs bounds is judged where a scenario keeps within them, and nowhere else.
// Method: a scenario within all bounds, and one change at a time that leaves one of them.

#include "engine/bounded_promises.hpp"

#include "catch.hpp"
#include "engine/run.hpp"
#include "scenarios.hpp"

#include <set>
#include <string>

using namespace dibs;
using test::small_town;

namespace {

using lease::bit;
using lease::invariant;
using codes = std::set<std::string>;

codes promised_in(const scenario::scenario& s) {
  const auto what = engine::checkers_options_of(s, s.seed);
  codes all;
  for (int i = 0; i < lease::invariants; ++i) {
    if ((what.promises >> i & 1U) != 0) {
      all.emplace(lease::code_of(static_cast<lease::invariant>(i)));
    }
  }
  return all;
}

/// Of what needs bounds.
codes judged_in(const scenario::scenario& s) {
  codes all = promised_in(s);
  std::erase_if(all, [](const std::string& code) { return code[0] != 'B'; });
  return all;
}

void add_link(scenario::scenario& s, node_kind from, node_kind to, const distribution& latency) {
  scenario::link_options l;
  l.from = {from, {}};
  l.to = {to, {}};
  l.latency = latency;
  s.network.push_back(l);
}

void add_clock(scenario::scenario& s, node_kind kind, double drift_ppm) {
  s.clocks.push_back({.id = "drifting",
                      .node = {kind, {}},
                      .offset = constant_duration{},
                      .drift = constant_duration{sim::ppm(drift_ppm)},
                      .from = {}});
}

const codes every_code{"B1", "B2", "B3", "B4", "B5", "B6"};

codes without(codes from, std::initializer_list<std::string> these) {
  for (const std::string& one : these) {
    from.erase(one);
  }
  return from;
}

}  // namespace

TEST_CASE("assumptions: without delays, skew and faults everything is within bounds") {
  CHECK(judged_in(small_town()) == every_code);
}

TEST_CASE("assumptions: no accept may become a trip after its lease") {
  auto s = small_town();
  add_link(s, node_kind::matcher, node_kind::ledger, constant_duration{2s});
  s.lease.confirm_hold = 3s;
  CHECK(judged_in(s) == every_code);
  s.lease.confirm_hold = 2s;
  CHECK(judged_in(s) == without(every_code, {"B1", "B3"}));
}

TEST_CASE("assumptions: an offer must leave the screen before the lease can end") {
  // small_town shows offers for 12 of 15 seconds.
  auto s = small_town();
  add_link(s, node_kind::matcher, node_kind::driver, constant_duration{3s});
  CHECK(judged_in(s) == every_code);
  s.network[0].latency = constant_duration{3s + 1ns};
  CHECK(judged_in(s) == without(every_code, {"B1", "B2"}));
  s.lease.grace = 1ns;
  CHECK(judged_in(s) == every_code);
  s.network[0].latency = lognormal_duration{1ms, 0.1};
  CHECK(judged_in(s) == without(every_code, {"B1", "B2"}));
}

TEST_CASE("assumptions: an answer must have time to arrive") {
  auto s = small_town();
  add_link(s, node_kind::driver, node_kind::matcher, constant_duration{3s});
  CHECK(judged_in(s) == every_code);
  s.network[0].latency = constant_duration{3s + 1ns};
  CHECK(judged_in(s) == without(every_code, {"B2"}));
}

TEST_CASE("assumptions: drift and skew eat into the time that there is") {
  auto drift = small_town();
  add_clock(drift, node_kind::driver, 199'000);
  CHECK(judged_in(drift) == every_code);  // 12 s last 15 s at 200,000
  drift.clocks[0].drift = constant_duration{sim::ppm(201'000)};
  CHECK(judged_in(drift) == without(every_code, {"B1", "B2"}));
  auto skew = small_town();
  skew.lease.deadline = scenario::deadline::absolute;
  add_clock(skew, node_kind::driver, 0);
  skew.clocks[0].offset = uniform_duration{-3s + 1ms, 1s};
  CHECK(judged_in(skew) == every_code);
  skew.clocks[0].offset = normal_duration{0s, 1s};
  CHECK(judged_in(skew) == without(every_code, {"B1", "B2"}));
}

TEST_CASE("assumptions: without a fence a write must arrive while the driver is kept") {
  auto s = small_town();
  s.lease.protocol = lease::protocol::lease;
  add_link(s, node_kind::matcher, node_kind::ledger, constant_duration{29s});
  CHECK(judged_in(s) == every_code);
  s.network[0].latency = constant_duration{30s};
  CHECK(judged_in(s) == without(every_code, {"B1", "B3"}));
  s.lease.commit = scenario::commit_at::manager;
  CHECK(judged_in(s) == every_code);
}

TEST_CASE("assumptions: a holder that judges needs a margin for pauses, delays and drift") {
  auto s = small_town();
  s.lease.judge = scenario::judge::holder;
  s.lease.margin = 2s;
  add_link(s, node_kind::matcher, node_kind::ledger, constant_duration{2s - 2us});
  CHECK(judged_in(s) == without(every_code, {"B2"}));
  s.lease.margin = 1s;
  CHECK(judged_in(s) == without(every_code, {"B1", "B2", "B3"}));
}

TEST_CASE("assumptions: a matcher that fails may forget what its phones and writes still do") {
  auto s = small_town();
  scenario::throw_fault error;
  error.when.step = sim::life_step::after_offer;
  s.faults = {{"error", error}};
  CHECK(judged_in(s) == without(every_code, {"B1", "B2", "B3"}));
}

TEST_CASE("assumptions: what a try takes by itself is no neglect of a ride") {
  auto s = small_town();
  const auto before = engine::checkers_options_of(s, s.seed).recovery->within;
  s.matchers.overhead = 3s;
  s.matchers.offers.next_try_after = constant_duration{2s};
  CHECK(engine::checkers_options_of(s, s.seed).recovery->within == before + 5s);
}

TEST_CASE("assumptions: a lease that nobody cleans up is held for ever") {
  auto s = small_town();
  s.lease.cleanup.kind = scenario::cleanup::none;
  CHECK(judged_in(s) == without(every_code, {"B4", "B5"}));
  CHECK_FALSE(engine::checkers_options_of(s, s.seed).recovery->orphans_end);
}

TEST_CASE("assumptions: with lazy clean-up a lease is held until somebody asks for a driver") {
  auto s = small_town();
  s.lease.cleanup.kind = scenario::cleanup::lazy;
  CHECK(judged_in(s) ==
        without(every_code, {"B5", "B6"}));  // who is nearest, the record does not show
  s.matchers.policy.kind = scenario::pick::random;
  CHECK(judged_in(s) == without(every_code, {"B5"}));
  CHECK_FALSE(engine::checkers_options_of(s, s.seed).recovery->orphans_end);
}

TEST_CASE("assumptions: a manager that measures by its wall clock ends leases when that says so") {
  for (const auto kind : {scenario::cleanup::timer, scenario::cleanup::lazy}) {
    auto s = small_town();
    s.lease.cleanup.kind = kind;
    add_clock(s, node_kind::lease_manager, 0);
    const codes before = judged_in(s);
    CHECK(before.contains("B4"));
    s.clocks[0].timers = sim::timebase::wall;
    CHECK(judged_in(s) == without(before, {"B4", "B5"}));
  }
}

TEST_CASE("assumptions: between faults things come right if somebody asks again") {
  auto crashes = small_town();
  crashes.faults = {{"crashes", scenario::crash_fault{{node_kind::matcher, {}}, {}, 1.0, 10s}}};
  CHECK(judged_in(crashes) == every_code);
  crashes.riders.ask_again.reset();
  CHECK(judged_in(crashes) == without(every_code, {"B6"}));
}

TEST_CASE("assumptions: a claim on a ride outlives its dead matcher") {
  auto s = small_town();
  scenario::crash_fault crash{{node_kind::matcher, {}}, 10s, 0, 10s};
  s.faults = {{"crash", crash}};
  const auto before = engine::checkers_options_of(s, s.seed).recovery->settling;
  s.matchers.claims.emplace();
  s.matchers.claims->ttl = 77s;
  CHECK(engine::checkers_options_of(s, s.seed).recovery->settling == before + 77s);
}

TEST_CASE("assumptions: a standby that takes over may have forgotten as well as one that crashed") {
  auto s = small_town();
  s.lease.restart = {.leases = scenario::after_restart::forgotten, .keeps_tokens = false};
  scenario::pause_fault pause{{node_kind::lease_manager, {}}, 10s, constant_duration{30s}};
  s.faults = {{"pause", pause}};
  const auto promises = [&s] { return engine::checkers_options_of(s, s.seed).promises; };
  const std::uint32_t needs_tokens =
      bit(invariant::no_double_commit) | bit(invariant::promised_after_confirm);
  CHECK((promises() & needs_tokens) == needs_tokens);
  s.lease.standby.emplace();
  CHECK((promises() & needs_tokens) == 0);
}

TEST_CASE("assumptions: nothing recovers from what loses for good") {
  auto lossy = small_town();
  add_link(lossy, node_kind::matcher, node_kind::lease_manager, constant_duration{});
  lossy.network[0].loss = 0.1;
  CHECK(judged_in(lossy) == without(every_code, {"B6"}));
}

TEST_CASE("assumptions: what a matcher asks or is told is made good if it is lost") {
  const auto losing = [](std::string_view word) {
    auto s = small_town();
    s.lease.protocol = lease::protocol::lease;
    scenario::drop_fault third;
    third.when.message = sim::message_word(word);
    third.when.nth = 3;
    s.faults = {{"third", third}};
    return judged_in(s);
  };
  for (const char* word : {"acquire", "confirm", "lease_given", "offer_answer", "release"}) {
    CAPTURE(word);
    CHECK(losing(word) == every_code);
  }
  CHECK(losing("trip_done") == without(every_code, {"B1", "B3", "B6"}));
  CHECK(losing("want_ride") == without(every_code, {"B1", "B3", "B6"}));
  CHECK(losing("any") == without(every_code, {"B1", "B3", "B6"}));
}

TEST_CASE("assumptions: who has no leases, or knows holders by name, promises less") {
  auto s = small_town();
  s.lease.protocol = lease::protocol::none;
  CHECK(judged_in(s).empty());
  s.lease.protocol = lease::protocol::hold;
  CHECK(judged_in(s).empty());
  s.lease.protocol = lease::protocol::pessimistic;
  CHECK(judged_in(s).empty());
}

TEST_CASE("assumptions: a greeting takes of the time that the offer has") {
  auto s = small_town();
  s.lease.handshake = 3s;
  CHECK(judged_in(s) == every_code);
  CHECK(promised_in(s).contains("L"));
  s.lease.handshake = 3s + 1ns;
  CHECK(judged_in(s) == without(every_code, {"B1", "B2"}));
}

TEST_CASE("assumptions: what a manager would forget counts only where it may crash") {
  auto s = small_town();
  const codes whole = promised_in(s);
  s.lease.restart.leases = scenario::after_restart::forgotten;
  s.lease.restart.keeps_tokens = false;
  CHECK(promised_in(s) == whole);
  s.faults = {{"dies", scenario::crash_fault{{node_kind::lease_manager, 0}, 10min, 0, 10s, {}}}};
  CHECK_FALSE(promised_in(s).contains("S1"));
  CHECK_FALSE(promised_in(s).contains("S2"));
}

TEST_CASE("assumptions: the end of a zone may take a lease early, and never keeps one longer") {
  auto s = small_town();
  s.lease.zones.emplace();
  CHECK(judged_in(s) == codes{"B4", "B5"});
  s.lease.cleanup.kind = scenario::cleanup::periodic;
  CHECK(judged_in(s) == codes{"B4", "B5"});
  s.lease.cleanup.by = scenario::sweep_clock::sweeper;
  CHECK(judged_in(s).empty());
}

TEST_CASE(
    "assumptions: a standby that always hears of its leader changes no promise about leases") {
  auto s = small_town();
  s.lease.standby = scenario::standby_options{};
  CHECK(promised_in(s).contains("S1"));
  CHECK(promised_in(s).contains("S3"));
  add_link(s, node_kind::lease_manager, node_kind::lease_manager, constant_duration{4s});
  CHECK_FALSE(promised_in(s).contains("S1"));
}

TEST_CASE(
    "assumptions: who knows holders by name and commits at the manager keeps no driver apart") {
  auto s = small_town();
  s.lease.known_by = lease::identity::holder;
  CHECK(promised_in(s).contains("S12"));
  s.lease.commit = scenario::commit_at::manager;
  for (const char* lost : {"S1", "S4", "S11", "S12"}) {
    CHECK_FALSE(promised_in(s).contains(lost));
  }
}

TEST_CASE(
    "assumptions: when a lease is over for good can be told only of the manager's own timer") {
  const auto overstay = [](const scenario::scenario& s) {
    return engine::checkers_options_of(s, s.seed).overstay;
  };
  auto s = small_town();
  CHECK(overstay(s) == 0s);
  s.lease.cleanup.kind = scenario::cleanup::periodic;
  s.lease.cleanup.every = 2s;
  CHECK(overstay(s) == 2s);
  s.lease.cleanup.most = 1;
  CHECK_FALSE(overstay(s));
  s.lease.cleanup.most.reset();
  s.lease.cleanup.by = scenario::sweep_clock::sweeper;
  CHECK_FALSE(overstay(s));
}
