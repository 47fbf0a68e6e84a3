// Goal: a matcher waits for an answer as long as the offer is on the screen and the answer may be
// under way, and not for the TTL, whatever the protocol.
// Method: drivers who ignore offers, and when their matchers close the tries.

#include "catch.hpp"
#include "engine/run.hpp"
#include "scenario/read.hpp"
#include "whole_runs.hpp"

#include <map>
#include <string>
#include <variant>
#include <vector>

using namespace dibs;
using test::run_of;
using test::value_of;

namespace {

scenario::scenario file(const std::string& name,
                        const std::vector<scenario::override_value>& set = {}) {
  const auto read =
      scenario::read_file(DIBS_SOURCE_DIR "/tests/engine/waiting/" + name + ".yaml", set);
  for (const auto& c : read.diagnostics) {
    UNSCOPED_INFO(scenario::format(c));
  }
  REQUIRE(read.ok());
  return read.value;
}

/// How long each offer was waited for that nobody answered, when its lease was renewed, and what
/// was taken back.
struct waits_seen {
  std::vector<sim_duration> waits;
  std::vector<sim_duration> renewals;  ///< since the offer
  int withdrawn = 0;
  int released = 0;
  int releases = 0;  ///< asked for
};

class onlooker final : public events::observer {
 public:
  void observe(std::span<const events::event> batch) override {
    for (const events::event& e : batch) {
      if (const auto* f = std::get_if<events::offer_sent>(&e.what)) {
        sent_[f->token] = e.t;
      } else if (const auto* closed = std::get_if<events::try_closed>(&e.what);
                 closed != nullptr && closed->cause == events::try_ending::timed_out) {
        seen.waits.push_back(e.t - sent_.at(closed->token));
      } else if (const auto* renewed = std::get_if<events::lease_renewed>(&e.what)) {
        seen.renewals.push_back(e.t - sent_.at(renewed->token));
      } else if (const auto* call = std::get_if<events::call_made>(&e.what)) {
        seen.releases += call->what == events::call::release ? 1 : 0;
      } else if (const auto* off = std::get_if<events::offer_dismissed>(&e.what)) {
        seen.withdrawn += off->cause == events::dismissal::withdrawn ? 1 : 0;
      } else if (const auto* over = std::get_if<events::lease_ended>(&e.what)) {
        seen.released += over->cause == events::lease_ending::released ? 1 : 0;
      }
    }
  }

  waits_seen seen;

 private:
  std::map<token_id, sim_time> sent_;
};

/// One ride after another, and drivers who never answer.
scenario::scenario ignored_offers(lease::protocol p) {
  scenario::scenario s;
  s.clock.duration = 10min;
  s.world.geography = scenario::geography::none;
  s.world.trip = constant_duration{1min};
  s.demand = {
      scenario::burst_demand{.at = 1s, .within = {}, .rides = 1, .around = {}, .every = {}}};
  s.drivers.count = 10;
  s.drivers.classes = {
      {.name = "never", .share = 1, .response = never_duration{}, .accept = 0, .ignore = 1}};
  s.matchers.offers.max = 3;
  s.matchers.offers.total_wait = 5min;
  s.lease.protocol = p;
  s.lease.ttl = 60s;
  s.lease.offer_window = 12s;
  return s;
}

waits_seen waits_in(const scenario::scenario& s) {
  onlooker watches;
  run_of(s, {&watches});
  return watches.seen;
}

using lengths = std::vector<sim_duration>;

constexpr lease::protocol every_protocol[] = {lease::protocol::none,
                                              lease::protocol::hold,
                                              lease::protocol::lease,
                                              lease::protocol::fenced,
                                              lease::protocol::optimistic,
                                              lease::protocol::pessimistic,
                                              lease::protocol::idempotent};

}  // namespace

TEST_CASE("waiting: a ride goes on to the next driver when an offer's window is over") {
  for (const lease::protocol p : every_protocol) {
    const std::string name(lease::rules_of(p).name);
    CAPTURE(name);
    const auto without_end = run_of(file("window-without-ttl", {{"lease.protocol", name}}));
    CHECK(value_of(without_end, "rides.match_rate") == 1);
    const auto short_ttl =
        run_of(file("window-without-ttl", {{"lease.protocol", name}, {"lease.ttl", "30s"}}));
    CHECK(value_of(short_ttl, "rides.match_rate") == 1);
  }
}

TEST_CASE("waiting: an answer has the reply timeout to arrive, or until the lease ends by itself") {
  for (const lease::protocol p : every_protocol) {
    CAPTURE(lease::rules_of(p).name);
    auto s = ignored_offers(p);
    CHECK(waits_in(s).waits == lengths{17s, 17s, 17s});
    s.matchers.reply_timeout = 1s;
    CHECK(waits_in(s).waits == lengths{13s, 13s, 13s});
    s.lease.ttl = forever;
    CHECK(waits_in(s).waits == lengths{13s, 13s, 13s});
    s.lease.ttl = 12500ms;
    const auto short_ttl = waits_in(s);
    const auto rules = lease::rules_of(p);  // a lock does not end by itself
    const bool ends = rules.leases && rules.expires;
    CHECK(short_ttl.waits == (ends ? lengths{12500ms, 12500ms, 12500ms} : lengths{13s, 13s, 13s}));
    CHECK(short_ttl.released == (rules.leases && !rules.expires ? 3 : 0));
  }
}

TEST_CASE("waiting: where there is no lease, its length decides nothing") {
  for (const lease::protocol p : every_protocol) {
    if (lease::rules_of(p).leases) {
      continue;
    }
    CAPTURE(lease::rules_of(p).name);
    auto s = ignored_offers(p);
    // Half a second there, 9.5 s of thought, half a second back: the offer leaves the screen
    // at 10.5.
    s.drivers.classes = {{.name = "yes", .share = 1, .response = constant_duration{9500ms}}};
    auto phones = test::link(node_kind::driver, node_kind::matcher);
    phones.latency = constant_duration{500ms};
    s.network = {phones};
    s.lease.offer_window = 10s;
    for (const sim_duration ttl : {sim_duration{10s}, sim_duration{60s}, forever}) {
      s.lease.ttl = ttl;
      CHECK(value_of(run_of(s), "rides.match_rate") == 1);
    }
  }
}

TEST_CASE("waiting: a manager that judges alone may take an answer until its grace is over") {
  auto s = ignored_offers(lease::protocol::fenced);
  s.lease.ttl = 13s;
  s.lease.grace = 2s;
  CHECK(waits_in(s).waits == lengths{15s, 15s, 15s});
  s.lease.grace = 10s;
  CHECK(waits_in(s).waits == lengths{17s, 17s, 17s});
  s.lease.grace = -500ms;
  CHECK(waits_in(s).waits.empty());  // the manager ends it first, and says so
  s.lease.grace = 2s;
  for (const auto judge : {scenario::judge::holder, scenario::judge::both}) {
    s.lease.judge = judge;
    CHECK(waits_in(s).waits == lengths{13s, 13s, 13s});
  }
}

TEST_CASE("waiting: a lease that is renewed lasts as long as the wait, and is renewed no longer") {
  auto s = ignored_offers(lease::protocol::fenced);
  s.lease.ttl = 13s;
  s.lease.renewal.kind = lease::renewal::eager;
  s.lease.renewal.at = 0.4;
  const auto seen = waits_in(s);
  CHECK(seen.waits == lengths{17s, 17s, 17s});
  // Every 5.2 s: the third would come when the offer has left the screen.
  CHECK(seen.renewals == lengths{5200ms, 10400ms, 5200ms, 10400ms, 5200ms, 10400ms});
}

TEST_CASE("waiting: a deadline that is read off a clock may be on the screen for longer") {
  auto s = ignored_offers(lease::protocol::fenced);
  s.lease.deadline = scenario::deadline::absolute;
  CHECK(waits_in(s).waits == lengths{17s, 17s, 17s});
  const auto waits_with = [&](sim_duration offset) {
    s.clocks = {
        {.id = "off", .node = {node_kind::matcher, {}}, .offset = {constant_duration{offset}}}};
    return waits_in(s).waits;
  };
  CHECK(waits_with(-10s) == lengths{27s, 27s, 27s});
  CHECK(waits_with(10s) == lengths{17s, 17s, 17s});
}

TEST_CASE(
    "waiting: who waits no longer gives the driver back, and takes the offer off her screen") {
  auto s = ignored_offers(lease::protocol::fenced);
  CHECK(waits_in(s).released == 3);
  CHECK(waits_in(s).withdrawn == 0);
  s.lease.ttl = 15s;  // it ends first, by itself
  CHECK(waits_in(s).released == 0);
  CHECK(waits_in(s).releases == 0);
  s.lease.ttl = 60s;
  // By their clocks the window lasts twice as long.
  s.clocks = {{.id = "slow", .node = {node_kind::driver, {}}, .drift = constant_duration{-500ms}}};
  const auto seen = waits_in(s);
  CHECK(seen.waits == lengths{17s, 17s, 17s});
  CHECK(seen.withdrawn == 3);
}

TEST_CASE("waiting: phones that answer at any time are heard until the lease ends, if it does") {
  auto s = ignored_offers(lease::protocol::fenced);
  s.drivers.late_answer = scenario::late_answer::sent;
  CHECK(waits_in(s).waits == lengths{60s, 60s, 60s});
  s.lease.ttl = forever;
  CHECK(waits_in(s).waits == lengths{17s, 17s, 17s});
}

TEST_CASE("waiting: a yes that was under way is a trip, and one that comes later is none") {
  auto s = ignored_offers(lease::protocol::fenced);
  s.lease.ttl = forever;
  s.drivers.classes = {{.name = "yes", .share = 1, .response = constant_duration{11s}}};
  auto back = test::link(node_kind::driver, node_kind::matcher);
  back.both_ways = false;
  back.latency = constant_duration{6s - 1ns};
  s.network = {back};
  CHECK(value_of(run_of(s), "rides.match_rate") == 1);
  s.network.front().latency = constant_duration{6s + 1ns};
  CHECK(value_of(run_of(s), "rides.match_rate") == 0);
}

TEST_CASE("waiting: a run that waits for what its scenario lets it wait for is not stuck") {
  for (const char* name :
       {"not-stuck-next-try", "not-stuck-overhead", "not-stuck-renewing", "not-stuck-losses"}) {
    CAPTURE(name);
    const auto result = run_of(file(name));
    CHECK_FALSE(result.stuck.has_value());
    CHECK(result.reached > at(3h));
  }
}

TEST_CASE("waiting: a copy of an offer is not answered again, however late it comes") {
  auto s = test::slow_answers();
  s.lease.ttl = 20s;
  s.lease.renewal.kind = lease::renewal::none;
  s.drivers.count = 20;
  s.drivers.classes = {
      {.name = "all", .share = 1, .response = constant_duration{2s}, .accept = 0.5, .ignore = 0.1}};
  scenario::duplicate_fault later;
  later.when.message = sim::message_word("offer");
  later.after = uniform_duration{0s, 5min};
  s.faults = {{"copies", later}};
  for (const lease::protocol p : every_protocol) {
    CAPTURE(lease::rules_of(p).name);
    s.lease.protocol = p;
    const auto result = run_of(s);
    CHECK((result.checks.judged & bit(lease::invariant::offers_answered_once)) != 0);
  }
}
